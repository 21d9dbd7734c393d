/** What a piece of text means on screen; `theme.ts` says how it looks. */
export type Tone =
  | 'plain'
  | 'faint'
  | 'strong'
  | 'title'
  | 'accent'
  | 'key'
  | 'pass'
  | 'warn'
  | 'fail'
  | 'unknown'
  | 'error'
  | 'running'
  | 'waiting'
  | 'evidence'
  | 'found'
  | 'removed'
  | 'added';
