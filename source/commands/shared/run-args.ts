import { UserError } from '../../base/errors.js';
import { quote } from '../../base/quote.js';
import type { RawRunSettings } from '../../project/run-settings.js';

/** The flags of `evalrun run`, as the line gave them. */
export interface RunArgs {
  suites: readonly string[];
  scenario?: readonly string[];
  tag?: readonly string[];
  model?: readonly string[];
  /** `true`: the candidate that the config names. */
  candidate?: string | true;
  /** A prompt version or a baseline file; `false`: nothing is compared. */
  baseline?: string | false;
  /** What fails the gate, separated by commas. */
  failOn?: string;
  /** The same condition twice, for the noise floor of the suite. */
  aa?: boolean;
  /** Scenarios with a simulated user are compared although the conditions differ. */
  compareSimulatedUsers?: boolean;
  /** `false`: nothing is re-run before the gate goes red. */
  confirm?: boolean;
  /** A red gate is followed by a bisect of each scenario that regressed. */
  bisectOnRed?: boolean;
  /** Trials of all these bisects together. */
  budget?: string;
  repeat?: string;
  concurrency?: string;
  seed?: string;
  label?: string;
  note?: string;
  /** Files that reports are written to, see `readReportChoice`. */
  report?: readonly string[];
  resume?: string;
  /** Folder of fixtures that stand in the place of those of scenarios. */
  fixtures?: string;
  liveTools?: boolean;
  /** Agent tokens after which no further trial starts. */
  maxTokens?: string;
  plain?: boolean;
  json?: boolean;
  dryRun?: boolean;
  /** The words of the line, for the journal. */
  line: readonly string[];
}

/** The flags that stand above settings of files and the environment. */
export function settingFlags({
  repeat,
  concurrency,
  seed,
  failOn,
  confirm,
}: Partial<RunArgs>): RawRunSettings {
  return { repeat, concurrency, seed, failOn, ...(confirm === false && { confirm: 'false' }) };
}

/** What `--max-tokens` says: a whole number, in which `_` and a last `k` or `M` are allowed. */
export function readMaxTokens({ maxTokens }: Pick<RunArgs, 'maxTokens'>): { maxTokens: number } | undefined {
  if (maxTokens === undefined) return undefined;
  const [, digits = '', unit = ''] = /^(\d[\d_]*)(k|M)?$/.exec(maxTokens.trim()) ?? [];
  const tokens = Number(digits.replaceAll('_', '')) * ({ k: 1_000, M: 1_000_000 }[unit] ?? 1);
  if (digits === '' || !Number.isSafeInteger(tokens) || tokens < 1) {
    throw new UserError(
      `--max-tokens: expected a whole number of tokens above 0, as in 200000 or 2M, found ${quote(maxTokens)}`,
    );
  }
  return { maxTokens: tokens };
}
