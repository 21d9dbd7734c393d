// Builds dist/: the program in few files. A run that had to find, open and link one module after the other, ours and
// those of the packages that every run needs, would begin a tenth of a second later. Types are checked by
// `npm run typecheck`; whoever writes checks of their own gets the types of those from tsconfig.types.json.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = path.dirname(fileURLToPath(import.meta.url));
const dist = path.join(root, 'dist');

/** What every run loads, on a screen or in lines. All other packages stay where they are installed: most runs need none. */
const bundled = new Set([
  '@anthropic-ai/sdk',
  'chalk',
  'commander',
  'ink',
  'ink-spinner',
  'ink-table',
  'openai',
  'proper-lockfile',
  'pure-rand',
  're2js',
  'react',
  'string-width',
  'tinyglobby',
  'undici',
  'write-file-atomic',
  'yaml',
  'zod',
]);

const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

// Ink asks for the last one where somebody sets DEV, and says so if it is not there.
const leftOut = [...Object.keys(dependencies).filter((name) => !bundled.has(name)), 'react-devtools-core'];

/** CommonJS packages in an ES module call for these. */
const forCommonJs = `import { createRequire as createRequireHere } from 'node:module';
const require = createRequireHere(import.meta.url);
const __filename = import.meta.filename;
const __dirname = import.meta.dirname;
`;

/** The name of the package that a file is of; undefined for a file of ours. */
function packageOf(file) {
  const inside = file.split('node_modules/').at(-1);
  if (inside === file) return undefined;
  const [first, second] = inside.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

/** What the licences of bundled packages ask for: that their texts come along. */
function licences(names) {
  return names.sort().map((name) => {
    const folder = path.join(root, 'node_modules', name);
    const { version, license, author } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    if (typeof license !== 'string') throw new Error(`${name} does not say what its licence is`);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.(md|txt))?$/i.test(entry));
    const text =
      file === undefined
        ? `By ${author?.name ?? author}. The package names its licence and brings no text of it.`
        : readFileSync(path.join(folder, file), 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
}

const { outputFiles, metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['source/evalrun.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: [...leftOut, ...leftOut.map((name) => `${name}/*`)],
  chunkNames: 'parts/[name]-[hash]',
  metafile: true,
  write: false,
  logLevel: 'warning',
});

/** What only Node takes out of a CommonJS package: of one that is bundled and imported late there is but a default. */
for (const [file, { imports }] of Object.entries(metafile.inputs)) {
  for (const { path: imported, kind } of imports) {
    if (
      kind === 'dynamic-import' &&
      packageOf(file) === undefined &&
      metafile.inputs[imported]?.format === 'cjs'
    )
      throw new Error(
        `${file} imports ${imported} late, which is CommonJS: import late a file that imports it`,
      );
  }
}

// Only when all of it is there: a build that fails leaves the last one.
rmSync(dist, { recursive: true, force: true });
for (const { path: file, text } of outputFiles) {
  mkdirSync(path.dirname(file), { recursive: true });
  const [, hashbang = '', rest = ''] = /^(#![^\n]*\n)?(.*)$/s.exec(text);
  writeFileSync(file, hashbang + (/\b__(dirname|filename|require)\b/.test(rest) ? forCommonJs : '') + rest);
}
const names = new Set(Object.keys(metafile.inputs).flatMap((file) => packageOf(file) ?? []));
writeFileSync(path.join(dist, 'third-party.txt'), licences([...names]).join(`\n${'-'.repeat(80)}\n\n`));
