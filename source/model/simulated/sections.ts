const openingTag = /<([A-Za-z][A-Za-z0-9_-]*)(?:\s[^<>]*)?>/g;

/** Whether a tag can have this name. */
export function isSectionName(name: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_-]*$/.test(name);
}

/**
 * The `<name …>…</name>` parts of a text, by name, in the form in which a judge is sent what it judges. What
 * stands inside a section is data and is not looked at for further sections. A tag that is never closed is
 * plain text. A line end right inside either tag belongs to the tag. Two sections of one name are joined by a line end.
 */
export function readSections(text: string): Map<string, string> {
  const sections = new Map<string, string>();
  openingTag.lastIndex = 0;
  for (let tag = openingTag.exec(text); tag !== null; tag = openingTag.exec(text)) {
    const name = tag[1] ?? '';
    const start = openingTag.lastIndex;
    const end = text.indexOf(`</${name}>`, start);
    if (end < 0) continue;
    const before = sections.get(name);
    const inside = text.slice(start, end).replace(/^\n|\n$/g, '');
    sections.set(name, before === undefined ? inside : `${before}\n${inside}`);
    openingTag.lastIndex = end + name.length + 3;
  }
  return sections;
}
