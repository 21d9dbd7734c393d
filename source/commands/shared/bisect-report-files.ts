import { bisectFacts } from '../../report/bisect-facts.js';
import type { FinishedBisect } from '../../report/bisect-finished.js';
import { bisectReport } from '../../report/bisect-report.js';
import { safeJson } from '../../report/json.js';
import { createReportFile } from '../../report/report-file.js';
import type { ReportChoice } from '../../report/reporters.js';

/** Writes what a bisect found to a file. Throws UserError when it cannot be written. */
export async function writeBisectReport(
  { file, reporter }: ReportChoice,
  finished: FinishedBisect,
): Promise<void> {
  const opened = await createReportFile(file);
  try {
    await opened.write(
      reporter === 'markdown' ? await bisectReport(finished) : `${safeJson(bisectFacts(finished))}\n`,
    );
    await opened.close();
  } catch (error) {
    await opened.discard();
    throw error;
  }
}
