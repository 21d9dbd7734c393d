import { makeVisible } from '../base/text.js';

/** What XML 1.0 has no way to write, not even as a reference: most of it is visible by now, these two are characters. */
const notInXml = /[\ufffe\uffff]/g;

/** Text between two tags. Line ends stay; what XML cannot hold is shown as a mark. */
export function xmlText(text: string): string {
  return escapeXml(makeVisible(text, { keepNewlines: true }));
}

/** The value of an attribute, without its quotes. Line ends stay, as references: else a reader would make spaces of them. */
export function xmlAttribute(text: string): string {
  return xmlText(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;');
}

/** A start tag with its attributes, all but the last bracket. */
export function xmlTag(name: string, attributes: Readonly<Record<string, string | number>>): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${xmlAttribute(String(value))}"`,
  );
  return `<${name}${written.join('')}`;
}

function escapeXml(text: string): string {
  // `>` too: `]]>` must not stand in a text.
  return (
    text
      .replace(notInXml, (found) => `⟨U+${found.charCodeAt(0).toString(16).toUpperCase()}⟩`)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      // What a CI engine would take for a command, were the file printed into its log.
      .replaceAll('##', '#&#35;')
  );
}
