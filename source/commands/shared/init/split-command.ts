/** The words of a command line, as a shell splits them: spaces, quotation marks and backslashes. Undefined for a mark that is not closed. */
export function splitCommand(line: string): string[] | undefined {
  const words: string[] = [];
  const rest = line.replace(
    /\s*((?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+)/gsy,
    (_whole, word: string) => {
      words.push(unquoted(word));
      return '';
    },
  );
  return rest.trim() === '' ? words : undefined;
}

function unquoted(word: string): string {
  return word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gs, (_whole, double, single, escaped) =>
    double !== undefined ? double.replace(/\\(["\\$`])/g, '$1') : (single ?? escaped),
  );
}
