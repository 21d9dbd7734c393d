/**
 * One direction: a folder of source/ imports only from folders above it in this list
 * (the table in readme.md). Only `commands` imports `ui`, only `cli.ts` imports `commands`.
 */
const layers = [
  'base',
  'project',
  'suite',
  'model',
  'target',
  'play',
  'grade',
  'run',
  'tally',
  'compare',
  'bisect',
  'triage',
  'capture',
  'report',
  'ui',
  'commands',
];

const oneDirection = layers.map((layer, at) => ({
  name: `${layer}-imports-only-from-above`,
  severity: 'error',
  comment: `source/${layer} may import only from: ${[...layers.slice(0, at), layer].join(', ')}`,
  from: { path: `^source/${layer}/` },
  to: { path: '^source/', pathNot: `^source/(${[...layers.slice(0, at), layer].join('|')})/` },
}));

module.exports = {
  forbidden: [
    ...oneDirection,
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'only-commands-import-ui',
      severity: 'error',
      from: { path: '^source/', pathNot: '^source/(ui|commands)/' },
      to: { path: '^source/ui/' },
    },
    {
      name: 'only-cli-imports-commands',
      severity: 'error',
      from: { path: '^source/', pathNot: '^source/(commands/|cli\\.ts$)' },
      to: { path: '^source/commands/' },
    },
    {
      name: 'commands-and-ui-are-imported-late',
      severity: 'error',
      comment:
        'evalrun --version loads no React: screens and commands are imported dynamically, and only when needed.',
      from: { path: '^source/(cli|evalrun)\\.ts$|^source/commands/' },
      to: {
        path: '^source/(ui|commands)/',
        dynamic: false,
        pathNot: '^source/commands/(shared|flags)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^source/', pathNot: '\\.d\\.ts$' },
      to: {},
    },
    {
      name: 'no-dev-dependencies-in-the-product',
      severity: 'error',
      from: { path: '^source/', pathNot: 'write-keys\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
};
