import type { Tone } from './tone.js';

/** What became of something that the person did, in words to tell them. */
export interface Told {
  text: string;
  isProblem: boolean;
}

/** Of a model: who says something, and draws. */
interface Teller {
  say(text: string, tone?: Tone): void;
  publish(): void;
}

/** Says what became of something between keys: it is drawn at once. */
export function tell(model: Teller, { text, isProblem }: Told): void {
  model.say(text, isProblem ? 'warn' : 'plain');
  model.publish();
}
