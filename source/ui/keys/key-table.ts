import { type KeyPlace, keymap } from './keymap.js';
import { keyLabel } from './label.js';

const screens: readonly { screen: KeyPlace; title: string }[] = [
  { screen: 'home', title: 'On home' },
  { screen: 'grid', title: 'On the grid' },
  { screen: 'trial', title: 'In a trial' },
  { screen: 'compare', title: 'On what changed' },
  { screen: 'sides', title: 'Two conversations side by side' },
  { screen: 'bisect', title: 'In a bisect' },
  { screen: 'prompts', title: 'Two prompts side by side' },
  { screen: 'watch', title: 'Choosing what a bisect goes by' },
  { screen: 'review', title: 'Reviewing the judge' },
  { screen: 'history', title: 'On the history' },
  { screen: 'triage', title: 'On the triage' },
  { screen: 'everywhere', title: 'Everywhere' },
];

/** The keys of the app as Markdown: a table a screen, in the order of the key table. */
export function keyTable(): string {
  return screens
    .map(({ screen, title }) => {
      const rows = keymap[screen].map(({ keys, description }) => `| ${keyCodes(keys)} | ${description} |`);
      return `| ${title} | |\n| --- | --- |\n${rows.join('\n')}`;
    })
    .join('\n\n');
}

/** All of them, or the first and the last of a range. */
function keyCodes(keys: readonly string[]): string {
  if (keys.length <= 3) return keys.map(keyCode).join(' ');
  return `${keyCode(keys[0] ?? '')} … ${keyCode(keys.at(-1) ?? '')}`;
}

function keyCode(key: string): string {
  const label = keyLabel(key);
  return `\`${label === '|' ? '\\|' : label}\``;
}

const markers = /(<!-- keys -->\n)[\s\S]*?(\n?<!-- \/keys -->)/;

/** The readme with the table between its markers; undefined when it has none. */
export function withKeyTable(readme: string): string | undefined {
  if (!markers.test(readme)) return undefined;
  return readme.replace(markers, (_all, before: string) => `${before}${keyTable()}\n<!-- /keys -->`);
}
