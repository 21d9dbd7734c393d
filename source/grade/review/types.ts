/** What a reviewer says of one turn. Short sentences. */
export interface TurnReview {
  turn: number;
  right: string[];
  missed: string[];
  tooEarly: string[];
}

/** A whole conversation read by the reviewer model. Part of no verdict. */
export interface TranscriptReview {
  /** `provider:model` */
  model: string;
  /** `name@N` */
  prompt: string;
  /** SHA-256 of the prompt. */
  promptSha256: string;
  /** One a turn, in order; empty where the answer could not be read. */
  turns: TurnReview[];
  summary: string;
  /** The answer as it came, and why it could not be read. */
  unread?: { why: string; raw: string };
}
