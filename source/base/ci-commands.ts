/**
 * CI engines obey lines of a log: GitHub Actions one that begins with `::name` after any spaces, and `##[name]`
 * anywhere; Azure Pipelines `##vso[name]` anywhere; TeamCity `##teamcity[name]`.
 */
const commandWithin = /##(?=\[|vso\[|teamcity\[)/gi;
const commandAtStart = /^(\s*):(?=:)/;

/** A text in a line of a log that is meant to be a command: nothing in the midst of it is one more. */
export function withoutInnerCommands(text: string): string {
  return text.replace(commandWithin, '# #');
}

/** A line of a log that no CI engine takes for a command to it. A space is put in, so that it can be read all the same. */
export function withoutCommands(line: string): string {
  if (!line.includes('::') && !line.includes('##')) return line;
  return withoutInnerCommands(line.replace(commandAtStart, '$1: '));
}
