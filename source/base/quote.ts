/** Control, bidirectional, zero-width and unpaired surrogate characters: what JSON.stringify lets through. */
const unseen = /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/**
 * A text from a file in double quotes, for a message: on one line, nothing in it that a terminal would obey,
 * and no longer than about `most` characters.
 */
export function quote(text: string, most = 60): string {
  const characters = Array.from(text);
  const shown = characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text;
  return JSON.stringify(shown).replace(
    unseen,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** `a, b and c`, or with another word before the last. */
export function listed(words: readonly string[], last: 'and' | 'or' = 'and'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
