import type { KnownNoise } from '../run/planned.js';
import type { NoiseFloor, NoisyCheck } from './noise-floor.js';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Noisy checks that are named; the others are counted. */
const mostNamed = 12;

/**
 * How far a verdict can be trusted, in one line: `noise floor (20 Nov, 108 trials): this gate goes red by chance in 4 %
 * of runs, …`. `at`: when the run began that it stands beside; `isCompared`: whether that has a base.
 */
export function noiseLine(
  noise: KnownNoise,
  { at, isCompared = true }: { at: number; isCompared?: boolean },
): string {
  const { trials, falseRed, smallestDrop, differs = [] } = noise;
  const when = dayText(noise.at, at);
  const other = differs.length > 0 ? `, measured with ${differs.join(', ')}` : '';
  const gate = !isCompared ? 'a gate against a baseline' : differs.length > 0 ? 'such a gate' : 'this gate';
  const sees =
    smallestDrop === undefined
      ? 'misses even a fall to nothing more than 20 % of the time'
      : `sees a drop of ${Math.round(smallestDrop * 100)} points 80 % of the time`;
  return `noise floor (${when}, ${trials} trials${other}): ${gate} goes red by chance in ${shareText(falseRed)} of runs, and ${sees}`;
}

/** What an A/A run found, a line a check that is noisy; holds text from files. */
export function noisyLines({ noisy }: NoiseFloor): string[] {
  const shown = noisy.slice(0, mostNamed);
  const more = noisy.length - shown.length;
  return [...shown.map(noisyLine), ...(more > 0 ? [`and ${more} more that disagree with themselves`] : [])];
}

function noisyLine({ scenario, check, passed, of, isFlipped, flipRate, flipInterval }: NoisyCheck): string {
  const { low, high } = flipInterval;
  return `${isFlipped ? 'flipped' : 'unsteady'}: ${scenario} / ${check}: ${passed} of ${of} passed; two trials disagree in ${percent(flipRate)} % (${percent(low)} to ${percent(high)})`;
}

/** A share of draws: none of 400 is no proof of never. */
function shareText(share: number): string {
  return share < 0.005 ? 'less than 1 %' : `${percent(share)} %`;
}

function percent(share: number): number {
  return Math.round(share * 100);
}

/** `20 Nov`, with the year where it is not that of `now`; UTC. */
function dayText(at: number, now: number): string {
  const day = new Date(at);
  const year = day.getUTCFullYear() === new Date(now).getUTCFullYear() ? '' : ` ${day.getUTCFullYear()}`;
  return `${day.getUTCDate()} ${months[day.getUTCMonth()]}${year}`;
}
