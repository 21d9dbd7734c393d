import { sha256 } from '../base/hash.js';

/** What tells one attempt at one trial from every other one. */
export interface TrialNames {
  /** The id of the run, or what `seedName` makes of its seed. */
  run: string;
  scenario: string;
  /** Of the condition. */
  condition: string;
  repeat: number;
  attempt: number;
}

/** Longer names of scenarios are cut: some products have short columns for accounts. */
const longestName = 40;

/**
 * The account of a trial: `20261130-142530-k3fz-refund-past-window-a-2-1`. Letters, digits and hyphens alone, so that
 * it can stand in a URL, a file or a database as it is. Another attempt is another account, for the first one may
 * have left something behind. A name of a scenario that had to be changed is told apart by a piece of its hash.
 */
export function trialAccount({ run, scenario, condition, repeat, attempt }: TrialNames): string {
  return [safe(run), safe(scenario), safe(condition), repeat, attempt].join('-');
}

/**
 * What stands in the place of the run's id where accounts are emptied before they are used: `seed-3f9a0b1c2d4e`. A
 * product that draws from the name of its account then draws the same in every run of this seed. Where nothing is
 * emptied, an account of an earlier run would bring its history along.
 */
export function seedName(seed: string, suite: string): string {
  return `seed-${sha256(JSON.stringify([seed, suite])).slice(0, 12)}`;
}

function safe(name: string): string {
  // The last part of a changed name has the form of a hash: an unchanged one of that form would be ambiguous.
  if (name.length <= longestName && /^[A-Za-z0-9-]+$/.test(name) && !/-[0-9a-f]{8}$/.test(name)) return name;
  const slug = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const short = slug.slice(0, longestName - 9);
  return `${short === '' ? '' : `${short}-`}${sha256(name).slice(0, 8)}`;
}
