const symbols: Record<string, string> = {
  enter: '⏎',
  escape: 'esc',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  tab: 'tab',
  'shift+tab': '⇧tab',
  pagedown: 'PgDn',
  pageup: 'PgUp',
  home: 'Home',
  end: 'End',
  ' ': 'space',
};
const words: Record<string, string> = {
  enter: 'enter',
  up: 'up',
  down: 'down',
  left: 'left',
  right: 'right',
  'shift+tab': 'shift+tab',
};

/** How a key is written on screen and in the readme. */
export function keyLabel(key: string, isAscii = false): string {
  const label = (isAscii ? words[key] : undefined) ?? symbols[key] ?? key;
  return label.startsWith('ctrl+') ? `Ctrl+${label.slice(5).toUpperCase()}` : label;
}

/** The keys of one binding: `↓ j`, or `1 … 9` where they are a range. */
export function keysLabel(keys: readonly string[], isAscii = false): string {
  if (keys.length > 3) return `${keyLabel(keys[0] ?? '', isAscii)} … ${keyLabel(keys.at(-1) ?? '', isAscii)}`;
  return keys.map((key) => keyLabel(key, isAscii)).join(' ');
}
