import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject } from '../base/json.js';
import type { TranscriptReview } from '../grade/review/types.js';
import type { Usage } from '../model/types.js';
import { type TrialKey, trialId } from './events.js';

/** A review of one trial, as it is kept beside the journal. */
export interface SavedReview extends TranscriptReview {
  trial: TrialKey;
  /** Milliseconds since the epoch. */
  at: number;
  usage: Usage;
}

const reviewsFile = 'reviews.jsonl';

/** Adds a review to those of the run in `folder`; none is ever replaced, and the last of a trial counts. */
export async function saveReview(folder: string, review: SavedReview): Promise<void> {
  await appendFile(join(folder, reviewsFile), `${JSON.stringify(review)}\n`, { mode: 0o600 });
}

/** The last review of each trial of the run in `folder`, by `trialId`. A line that was cut off by a crash is left out. */
export async function readReviews(folder: string): Promise<Map<string, SavedReview>> {
  const reviews = new Map<string, SavedReview>();
  let text: string;
  try {
    text = await readFile(join(folder, reviewsFile), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return reviews;
    throw error;
  }
  for (const line of text.split('\n')) {
    const review = readLine(line);
    if (review) reviews.set(trialId(review.trial), review);
  }
  return reviews;
}

function readLine(line: string): SavedReview | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isReview =
      isJsonObject(value) &&
      isJsonObject(value.trial) &&
      typeof value.trial.scenario === 'string' &&
      Array.isArray(value.turns) &&
      typeof value.summary === 'string';
    return isReview ? (value as unknown as SavedReview) : undefined;
  } catch {
    return undefined;
  }
}
