/** What a finding is about, as it stands in lines and JSON. */
export type Area =
  | 'node'
  | 'terminal'
  | 'git'
  | 'project'
  | 'settings'
  | 'logs'
  | 'lock'
  | 'key'
  | 'model'
  | 'target'
  | 'clock';

/** One thing that was looked at. Holds text of files and servers: make it visible. */
export interface Finding {
  /** `warn`: works, and not as well as it could. `fail`: something that a run of this project needs does not work. */
  level: 'ok' | 'warn' | 'fail';
  area: Area;
  what: string;
  /** What to do about it; not set where there is nothing. */
  todo?: string;
}

/** Something that is being looked at. Its findings never reject. */
export interface Examination {
  /** What is waited for, for people: `asking openai:gpt-4o-mini`. */
  waitsFor: string;
  findings: Promise<Finding[]>;
}

export function ok(area: Area, what: string): Finding {
  return { level: 'ok', area, what };
}

export function warn(area: Area, what: string, todo: string): Finding {
  return { level: 'warn', area, what, todo };
}

export function fail(area: Area, what: string, todo: string): Finding {
  return { level: 'fail', area, what, todo };
}
