/**
 * Writes the key table into readme.md between `<!-- keys -->` and `<!-- /keys -->`. With `--check` writes nothing
 * and fails when the readme is not up to date. `npm run keys`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { withKeyTable } from './key-table.js';

const file = new URL('../../../readme.md', import.meta.url);
const readme = readFileSync(file, 'utf8');
const wanted = withKeyTable(readme);

if (wanted === undefined) {
  console.error('readme.md has no place for the keys: it needs the lines <!-- keys --> and <!-- /keys -->');
  process.exitCode = 1;
} else if (wanted === readme) {
  console.log('the keys in readme.md are those of the app');
} else if (process.argv.includes('--check')) {
  console.error('the keys in readme.md are not those of the app: npm run keys writes them');
  process.exitCode = 1;
} else {
  writeFileSync(file, wanted);
  console.log('wrote the keys into readme.md');
}
