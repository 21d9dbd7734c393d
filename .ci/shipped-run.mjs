// Runs the shipped suites as a newcomer does, without a terminal, and checks exit code and counts against what the
// readme says of them.
import { spawnSync } from 'node:child_process';

const expected = [
  { args: ['support-agent', '--candidate'], exit: 1, counts: { pass: 34, warn: 1, fail: 1 } },
  { args: ['support-agent'], exit: 0, counts: { pass: 33, warn: 3, fail: 0 } },
  // The baseline knows the three that fail.
  { args: ['message-actions'], exit: 0, counts: { pass: 77, warn: 0, fail: 3 } },
  { args: ['message-actions', '--no-baseline'], exit: 1, counts: { pass: 77, warn: 0, fail: 3 } },
];

/** Scenarios a verdict: the lines of the closing table, which alone show the interval of their pass rate. */
function countVerdicts(output) {
  const lines = (word) =>
    output.match(new RegExp(`^${word} .* \\d+/\\d+ +\\d\\.\\d\\d–\\d\\.\\d\\d`, 'gm'))?.length ?? 0;
  return { pass: lines('PASS'), warn: lines('WARN'), fail: lines('FAIL') };
}

let failures = 0;
for (const { args, exit, counts } of expected) {
  const run = spawnSync(process.execPath, ['dist/evalrun.js', 'run', ...args, '--seed', '7', '--plain'], {
    encoding: 'utf8',
    env: { ...process.env, EVALRUN_SIMULATED_LATENCY: '0' },
  });
  const seen = countVerdicts(run.stdout);
  const isRight = run.status === exit && JSON.stringify(seen) === JSON.stringify(counts);
  console.log(
    `${isRight ? 'ok   ' : 'WRONG'} run ${args.join(' ')}: exit ${run.status}, ${JSON.stringify(seen)}`,
  );
  if (!isRight) {
    failures++;
    console.log(
      `expected exit ${exit}, ${JSON.stringify(counts)}; the output ended with:\n${run.stdout.slice(-3000)}\n${run.stderr}`,
    );
  }
}
process.exit(failures === 0 ? 0 : 1);
