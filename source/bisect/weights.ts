import { segmentsOf } from '../base/segments.js';
import type { Hunk } from './hunk.js';
import { splitLines } from './hunks-tokens.js';

/** What is known of the watched checks in words. */
export interface WatchedWords {
  /** What they look for, and why they failed. */
  check: readonly string[];
  /** What the conversation is about: counts half. */
  scenario: readonly string[];
}

/**
 * The hunk that shares most with the check is this many times as suspicious as one that shares nothing. Mild: by simulation
 * a hint that is right saves trials, and one that is wrong costs few and no answer (`npm run bench -- bisect`).
 */
const byWords = 2.5;
/** The same of the hunk that changes the most words and one that changes none. */
const bySize = 1.2;
/** Of the words that a hunk shares the rarest count: a long hunk shares some with everything. */
const mostShared = 3;

/**
 * How suspicious each hunk is before any trial, relative to the others, from 1: by the words that it shares with the
 * watched checks, and by how many it changes. `prompt`: the bad one; a word that many of its lines have tells little.
 */
export function hunkWeights(
  hunks: readonly Pick<Hunk, 'oldText' | 'newText'>[],
  prompt: string,
  { check, scenario }: WatchedWords,
): number[] {
  const rarity = rarityIn(prompt);
  const [inCheck, inScenario] = [stemsOf(check), stemsOf(scenario)];
  const told = hunks.map(({ oldText, newText }) => {
    const [old, fresh] = [stemsOf([oldText]), stemsOf([newText])];
    const both = new Set([...old, ...fresh]);
    const shared = Array.from(both, (stem) => {
      const counts = inCheck.has(stem) ? 1 : inScenario.has(stem) ? 0.5 : 0;
      return counts * rarity(stem) ** 2;
    });
    const rarest = shared.sort((a, b) => b - a).slice(0, mostShared);
    return {
      shared: rarest.reduce((sum, one) => sum + one, 0),
      // Stems of one side alone.
      size: Math.log1p(2 * both.size - old.size - fresh.size),
    };
  });
  const most = {
    shared: Math.max(0, ...told.map(({ shared }) => shared)),
    size: Math.max(0, ...told.map(({ size }) => size)),
  };
  const part = (one: number, all: number) => (all > 0 ? one / all : 0);
  return told.map(({ shared, size }) => {
    const weight =
      (1 + (byWords - 1) * part(shared, most.shared) ** 2) * (1 + (bySize - 1) * part(size, most.size));
    // It stands in the journal, which people read too.
    return Math.round(weight * 100) / 100;
  });
}

/** From 0, for a word that all lines of a text have, to 1, for one that none has. */
function rarityIn(text: string): (stem: string) => number {
  const lines = splitLines(text);
  const having = new Map<string, number>();
  for (const line of lines)
    for (const stem of stemsOf([line.text])) having.set(stem, (having.get(stem) ?? 0) + 1);
  const all = Math.log(lines.length + 1);
  return (stem) => (all > 0 ? 1 - Math.log((having.get(stem) ?? 0) + 1) / all : 1);
}

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
/** So much of a word is looked at: "cancelled", "cancellation" and `cancel_reservation` are about the same. */
const stemLength = 5;

/** The beginnings of all words, those inside of names such as `send_certificate` and `sendCertificate` too. */
function stemsOf(texts: readonly string[]): Set<string> {
  const stems = new Set<string>();
  for (const text of texts) {
    for (const { segment, isWordLike } of segmentsOf(text, segmenter)) {
      if (!isWordLike) continue;
      for (const word of segment.replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2').split('_'))
        if (word !== '') stems.add(Array.from(word.toLowerCase()).slice(0, stemLength).join(''));
    }
  }
  return stems;
}
