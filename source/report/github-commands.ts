import { withoutInnerCommands } from '../base/ci-commands.js';
import { makeVisible } from '../base/text.js';

/** Where an annotation stands, from the top of the repository; lines and columns from 1. */
export interface AnnotationPlace {
  file: string;
  line?: number;
  column?: number;
}

export interface Annotation {
  level: 'error' | 'warning' | 'notice';
  title: string;
  /** May have several lines. */
  message: string;
  place?: AnnotationPlace | undefined;
}

/** GitHub shows a few lines and refuses 64 kB. */
const mostCharacters = 4000;

/**
 * A workflow command of GitHub Actions, one line. Data are escaped as its toolkit does (`%`, CR, LF), properties as
 * well as `:` and `,`, so that a text of a model ends neither the property nor the command.
 */
export function annotationLine({ level, title, message, place }: Annotation): string {
  const properties = [
    ...(place ? [['file', place.file]] : []),
    ...(place?.line ? [['line', String(place.line)]] : []),
    ...(place?.line && place.column ? [['col', String(place.column)]] : []),
    ['title', title],
  ].map(([name, value = '']) => `${name}=${escapeProperty(value)}`);
  return `::${level} ${properties.join(',')}::${escapeData(message.slice(0, mostCharacters))}`;
}

function escapeData(text: string): string {
  return withoutInnerCommands(makeVisible(text, { keepNewlines: true }))
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(makeVisible(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
