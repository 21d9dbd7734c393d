import { makeVisible } from '../../base/text.js';
import { textWidth } from '../../base/width.js';
import { entryName } from '../../compare/quarantine-words.js';
import type { AppModel } from '../model.js';
import { fitName } from '../screens/grid/name.js';
import { promoteQuestion } from '../screens/history/promote.js';
import { type Line, lineWidth, type Segment, segment } from '../segments.js';
import type { QuestionField } from '../state.js';

/** A question that one key answers, and the keys. */
export function questionLine(model: AppModel, field: QuestionField, width: number): Line {
  switch (field.kind) {
    case 'leave':
      return leaveLine(model, width);
    case 'class': {
      const isShort = width < 90;
      const given = answers(
        ['r', 'regression'],
        ['i', isShort ? 'intended' : 'intended change'],
        ['b', isShort ? 'criterion' : 'bad criterion'],
        ['esc', 'later'],
      );
      const name = makeVisible(field.told ?? `${field.scenario} / ${field.check}`);
      return [segment(fitted(name, Math.max(8, width - lineWidth(given))), 'accent'), ...given];
    }
    case 'override':
      return [
        segment(`what do you know of hunk ${field.hunk + 1}? it is `, 'accent'),
        ...answers(['g', 'guilty'], ['i', 'innocent'], ['esc', 'no word']),
      ];
    case 'write':
      return [
        segment('write the narrowed prompt as a new version?', 'accent'),
        ...answers(['y', 'write'], ['n', 'no']),
      ];
    case 'bisect': {
      const { scenario, check } = field.watched;
      const name = makeVisible(check === undefined ? scenario : `${scenario} / ${check}`);
      return question(`which words did it? bisect ${name}`, answers(['y', 'bisect'], ['n', 'no']), width);
    }
    case 'quarantine-what': {
      const check = field.check === undefined ? undefined : makeVisible(field.check);
      const given = answers(
        ...(check === undefined ? [] : [['c', fitted(check, Math.floor(width / 4))] as [string, string]]),
        ['s', 'all checks'],
        ...(field.isOnGrid ? [['t', 'triage'] as [string, string]] : []),
        ['esc', 'no'],
      );
      return question(`quarantine ${makeVisible(field.scenario)}:`, given, width);
    }
    case 'release': {
      const asked = `release ${makeVisible(entryName(field.entry))}?`;
      return question(asked, answers(['y', 'release'], ['n', 'no']), width);
    }
    case 'run-again': {
      const asked = `run ${makeVisible(field.scenario)} again?`;
      return question(asked, answers(['y', 'run'], ['n', 'not now']), width);
    }
    case 'delete-run': {
      const asked = `delete ${field.runId} with all its conditions for good? there is no undo`;
      return question(asked, answers(['y', 'delete'], ['n', 'no']), width);
    }
    case 'promote':
      return question(promoteQuestion(field.proposal), answers(['y', 'save'], ['n', 'no']), width);
    case 'spend': {
      const isStart = field.what.kind === 'start';
      const what =
        field.what.kind === 'start' ? `run ${field.what.suite}` : `go on with ${field.what.run.runId}`;
      const given = answers(['y', isStart ? 'run' : 'go on'], ['n', 'no']);
      return question(makeVisible(`${what}? it asks ${field.asks.join(', ')}`), given, width);
    }
  }
}

/** What is asked of something that has a name: it gives way to the answers. */
function question(asked: string, given: readonly Segment[], width: number): Line {
  const room = Math.max(8, width - lineWidth(given) - 2);
  return [segment(fitted(asked, room), 'accent'), ...given];
}

/** A name in so many cells or less. */
function fitted(name: string, width: number): string {
  return fitName(name, Math.min(width, textWidth(name)));
}

/** Keys that answer, and what each says. */
function answers(...of: readonly [string, string][]): Segment[] {
  return of.flatMap(([key, words]) => [segment(`  ${key}`, 'key'), segment(` ${words}`, 'faint')]);
}

/** What leaving costs, and how it goes on: the whole line for that, or none of it. */
function leaveLine({ bisectDesk }: AppModel, width: number): Line {
  const given = answers(['y', 'leave'], ['n', 'stay']);
  const asked = (text: string): Line => [segment(`${text} `, 'warn'), ...given];
  if (!bisectDesk) return asked('leave the run? it can be resumed');
  const lost = 'leave? what is in flight is lost; it';
  const whole = asked(`${lost} goes on with ${makeVisible(bisectDesk.resume)}`);
  return lineWidth(whole) <= width ? whole : asked(`${lost} can be resumed`);
}
