// Benchmarks by name: `npm run bench -- grid start`; all of them without one. Each prints its ratios and exits with 1
// when one is beyond its limit; so does this.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
/** A benchmark is a file here; `-feed` is what one of them starts. */
const known = readdirSync(folder)
  .filter((file) => /\.(mjs|ts)$/.test(file) && file !== 'run-all.mjs' && !file.includes('-'))
  .map((file) => file.replace(/\.(mjs|ts)$/, ''));
const asked = process.argv.slice(2);
const stranger = asked.find((name) => !known.includes(name));
if (stranger !== undefined) {
  console.error(`there is no benchmark ${stranger}: there are ${known.join(', ')}`);
  process.exit(2);
}

let isBeyond = false;
for (const name of asked.length > 0 ? asked : known) {
  console.log(`── ${name}`);
  const isPlain = existsSync(join(folder, `${name}.mjs`));
  const file = join(folder, `${name}.${isPlain ? 'mjs' : 'ts'}`);
  // Memory is measured after what nothing holds is gone.
  const args = ['--expose-gc', ...(isPlain ? [] : ['--import', 'tsx']), file];
  const { status } = spawnSync(process.execPath, args, { cwd: dirname(folder), stdio: 'inherit' });
  if (status !== 0) isBeyond = true;
}
process.exit(isBeyond ? 1 : 0);
