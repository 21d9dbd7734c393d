import { bisectFacts } from '../../report/bisect-facts.js';
import type { FinishedBisect } from '../../report/bisect-finished.js';
import { safeJson } from '../../report/json.js';
import { createReportFile } from '../../report/report-file.js';
import type { ReportChoice } from '../../report/reporters.js';

/** Writes what a bisect found to a file. Throws UserError when it cannot be written. */
export async function writeBisectReport({ file }: ReportChoice, finished: FinishedBisect): Promise<void> {
  const opened = await createReportFile(file);
  try {
    await opened.write(`${safeJson(bisectFacts(finished))}\n`);
    await opened.close();
  } catch (error) {
    await opened.discard();
    throw error;
  }
}
