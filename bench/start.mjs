// How much slower than the bare runtime the program starts, as ratios measured in one run, interleaved so that a
// busy machine weighs on both sides alike. `npm run bench -- start`
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as pty from '@lydell/node-pty';

const rounds = 15;
const limits = { version: 1.6, paint: 1.8 };
const home = mkdtempSync(join(tmpdir(), 'evalrun-bench-'));
const env = {
  ...process.env,
  CI: 'false',
  NODE_ENV: 'production',
  TERM: 'xterm-256color',
  LANG: 'C.UTF-8',
  HOME: home,
  XDG_DATA_HOME: home,
  XDG_CONFIG_HOME: home,
  EVALRUN_LOGS: join(home, 'logs'),
};

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

function wall(args) {
  const started = process.hrtime.bigint();
  const result = spawnSync(process.execPath, args, { env, stdio: 'ignore' });
  if (result.status !== 0) throw new Error(`node ${args.join(' ')} exited with ${result.status}`);
  return Number(process.hrtime.bigint() - started) / 1e6;
}

/**
 * Milliseconds from the start of the process to the first frame of the grid, its title and column heads, and to its
 * first rows, for which all files of the suite have been read.
 */
function paints() {
  return new Promise((resolve, reject) => {
    const started = process.hrtime.bigint();
    const since = () => Number(process.hrtime.bigint() - started) / 1e6;
    const app = pty.spawn(
      process.execPath,
      ['dist/evalrun.js', 'run', 'support-agent', '--candidate', '--seed', '7'],
      { cols: 120, rows: 40, env },
    );
    const limit = setTimeout(() => {
      app.kill('SIGKILL');
      reject(new Error(`no grid within 30 seconds:\n${seen}`));
    }, 30_000);
    let seen = '';
    let frame;
    app.onData((data) => {
      seen += data;
      if (frame === undefined && seen.includes('scenario')) frame = since();
      if (!seen.includes('bag-count-gold-claim-1')) return;
      const rows = since();
      clearTimeout(limit);
      app.onExit(() => resolve({ frame, rows }));
      app.kill('SIGKILL');
    });
  });
}

const times = { node: [], version: [], ink: [], paint: [], rows: [] };
for (let round = 0; round < rounds; round++) {
  times.node.push(wall(['-e', '0']));
  times.version.push(wall(['dist/evalrun.js', '--version']));
  times.ink.push(wall(['--input-type=module', '-e', "await import('ink')"]));
  const { frame, rows } = await paints();
  times.paint.push(frame);
  times.rows.push(rows);
}
rmSync(home, { recursive: true, force: true });

const ratios = {
  version: median(times.version) / median(times.node),
  paint: median(times.paint) / median(times.ink),
};
console.log(
  `evalrun --version   ${median(times.version).toFixed(0)} ms, ${ratios.version.toFixed(2)} times bare node (${median(times.node).toFixed(0)} ms), at most ${limits.version}`,
);
console.log(
  `first paint         ${median(times.paint).toFixed(0)} ms, ${ratios.paint.toFixed(2)} times the bare import of ink (${median(times.ink).toFixed(0)} ms), at most ${limits.paint}`,
);
console.log(
  `first rows          ${median(times.rows).toFixed(0)} ms, ${(median(times.rows) / median(times.ink)).toFixed(2)} times the bare import of ink (all files of the suite are read by then)`,
);
process.exit(ratios.version <= limits.version && ratios.paint <= limits.paint ? 0 : 1);
