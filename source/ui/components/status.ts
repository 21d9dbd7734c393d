import { makeVisible } from '../../base/text.js';
import { graphemes, textWidth } from '../../base/width.js';
import { entryName } from '../../compare/quarantine-words.js';
import type { KeyFacts } from '../keys/reasons.js';
import type { AppModel } from '../model.js';
import { fitName } from '../screens/grid/name.js';
import { promoteQuestion } from '../screens/history/promote.js';
import { lookAtTriage } from '../screens/triage/view.js';
import { matchesOf } from '../screens/trial/contents.js';
import { fitLine, type Line, lineWidth, type Segment, segment } from '../segments.js';
import { topScreen } from '../state.js';
import { keyHints } from './footer.js';

/**
 * What is being typed or asked, else what the app has to say, else the keys. In exactly `width` cells. `said`: what is left
 * to be said, where the screen has room for the rest of it.
 */
export function statusLine(
  model: AppModel,
  facts: KeyFacts,
  width: number,
  said = model.state.message?.text,
): Segment[] {
  const { field, message } = model.state;
  if (field) return fitLine(fieldLine(model, width), width);
  if (message) return fitLine([segment(makeVisible(said ?? ''), message.tone)], width);
  const hints = keyHints(topScreen(model.state).name, facts, model.theme.isAscii, width, (binding) => {
    if (binding.action === 'pause' && facts.isPaused) return 'go on';
    if (binding.action === 'run-step' && model.bisectDesk?.status().kind === 'planned') return 'begin';
    if (binding.action === 'all-checks' && model.triage?.isAll) return 'fewer';
    if (model.sides?.isFlake && binding.action === 'next-new-trial') return 'right trial';
    if (model.sides?.isFlake && binding.action === 'next-old-trial') return 'left trial';
    if (binding.action === 'leave-triage' && model.triageSuites.length === 0) return 'back';
    if (binding.action === 'one-condition' && facts.history?.isLimited) return 'all runs';
    const isLeaving = binding.action === 'quit' || binding.action === 'leave-history';
    return isLeaving && facts.hasBack ? 'back' : binding.hint?.words;
  });
  return fitLine([segment(' '.repeat(Math.max(0, width - lineWidth(hints)))), ...hints], width);
}

/** Cells that a field needs beside what is typed. */
const fieldExtras = 42;

/** Of a text longer than its room the end is shown, where the typing goes on. */
function fieldLine(model: AppModel, width: number): Line {
  const room = Math.max(8, width - fieldExtras);
  const { state, theme, order, store } = model;
  const { field } = state;
  const cursor = segment(theme.glyphs.cursor, 'accent');
  const keys = (first: string, second: string) => [
    segment('   '),
    segment(theme.isAscii ? 'enter' : '⏎', 'key'),
    segment(` ${first}  `, 'faint'),
    segment('esc', 'key'),
    segment(` ${second}`, 'faint'),
  ];
  switch (field?.kind) {
    case 'filter': {
      const problem = message(model);
      if (problem) {
        // What would be right is what is to be read: what was typed gives way, its end is enough.
        const name = width < 70 ? '' : 'filter ';
        const left = Math.max(8, width - lineWidth(problem) - name.length - 1);
        return [segment(name, 'faint'), segment(lastCells(field.text, left), 'strong'), cursor, ...problem];
      }
      const count = `${order.count} of ${store.tally?.rows.length ?? 0}`;
      return [
        segment('filter ', 'faint'),
        segment(lastCells(field.text, room), 'strong'),
        cursor,
        segment(`  ${count}`, order.count === 0 ? 'warn' : 'plain'),
        ...keys('keep', 'clear'),
      ];
    }
    case 'search': {
      const found = matchesOf(model.contents).length;
      const count = field.text === '' ? '' : `  ${found} found`;
      return [
        segment('search ', 'faint'),
        segment(lastCells(field.text, room), 'strong'),
        cursor,
        segment(count, found === 0 ? 'warn' : 'plain'),
        ...keys('keep', 'clear'),
      ];
    }
    case 'add':
      return [
        segment('add how many trials? ', 'faint'),
        segment(lastCells(field.text, room), 'strong'),
        cursor,
        ...(message(model) ?? keys('add', 'cancel')),
      ];
    case 'note':
      return [
        segment('note ', 'faint'),
        segment(lastCells(field.text, room), 'strong'),
        cursor,
        ...keys('keep', 'cancel'),
      ];
    case 'bless':
      return [
        segment(
          fitName(`bless ${makeVisible(`${field.scenario} / ${field.check}`)}`, nameRoom(width)),
          'accent',
        ),
        segment(' because ', 'faint'),
        segment(lastCells(field.text, Math.max(8, width - nameRoom(width) - 36)), 'strong'),
        cursor,
        ...(message(model) ?? keys('bless', 'cancel')),
      ];
    case 'class': {
      const told = field.told ?? `${field.scenario} / ${field.check}`;
      const isShort = width < 90;
      const given = answers(
        ['r', 'regression'],
        ['i', isShort ? 'intended' : 'intended change'],
        ['b', isShort ? 'criterion' : 'bad criterion'],
        ['esc', 'later'],
      );
      const room = Math.max(8, width - lineWidth(given));
      const name = makeVisible(told);
      return [segment(fitName(name, Math.min(room, textWidth(name))), 'accent'), ...given];
    }
    case 'leave':
      return leaveLine(model, width);
    case 'override':
      return [
        segment(`what do you know of hunk ${field.hunk + 1}? it is `, 'accent'),
        ...answers(['g', 'guilty'], ['i', 'innocent'], ['esc', 'no word']),
      ];
    case 'bisect-note':
      return [
        segment(field.hunk === undefined ? 'note ' : `note on hunk ${field.hunk + 1} `, 'faint'),
        segment(lastCells(field.text, room), 'strong'),
        cursor,
        ...keys('keep', 'cancel'),
      ];
    case 'budget':
      return [
        segment('at most how many trials? ', 'faint'),
        segment(lastCells(field.text, room), 'strong'),
        cursor,
        ...(message(model) ?? keys('set', 'cancel')),
      ];
    case 'write':
      return [
        segment('write the narrowed prompt as a new version?', 'accent'),
        ...answers(['y', 'write'], ['n', 'no']),
      ];
    case 'watch':
      return [
        segment('filter ', 'faint'),
        segment(lastCells(field.text, room), 'strong'),
        cursor,
        ...keys('keep', 'clear'),
      ];
    case 'bisect': {
      const { scenario, check } = field.watched;
      const name = makeVisible(check === undefined ? scenario : `${scenario} / ${check}`);
      return question(`which words did it? bisect ${name}`, answers(['y', 'bisect'], ['n', 'no']), width);
    }
    case 'triage-filter': {
      const look = lookAtTriage(model);
      return [
        segment('filter ', 'faint'),
        segment(lastCells(field.text, room), 'strong'),
        cursor,
        segment(`  ${look?.rows.length ?? 0} shown`, look?.rows.length === 0 ? 'warn' : 'plain'),
        ...keys('keep', 'clear'),
      ];
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
    case 'quarantine': {
      const titles = { reason: 'quarantine, why? ', owner: 'who owns it? ', until: 'last day? ' };
      const isLast = field.step === 'until';
      return [
        segment(titles[field.step], 'accent'),
        segment(lastCells(field.text, room), 'strong'),
        cursor,
        ...(message(model) ?? keys(isLast ? 'quarantine' : 'next', 'cancel')),
      ];
    }
    case 'release':
      return question(
        `release ${makeVisible(entryName(field.entry))}?`,
        answers(['y', 'release'], ['n', 'no']),
        width,
      );
    case 'run-again':
      return question(
        `run ${makeVisible(field.scenario)} again?`,
        answers(['y', 'run'], ['n', 'not now']),
        width,
      );
    case 'extend':
      return [
        segment(`until ${field.entry.until} so far; last day? `, 'accent'),
        segment(lastCells(field.text, room), 'strong'),
        cursor,
        ...(message(model) ?? keys('extend', 'cancel')),
      ];
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
    case undefined:
      return [];
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

/** Cells for what is blessed, before why. */
function nameRoom(width: number): number {
  return Math.max(16, Math.floor(width / 3));
}

/** What is wrong with what is typed, in the place of the keys. */
function message({ state }: AppModel): Line | undefined {
  return state.message ? [segment(`   ${makeVisible(state.message.text)}`, state.message.tone)] : undefined;
}

function lastCells(text: string, width: number): string {
  let kept = '';
  for (const grapheme of graphemes(text).reverse()) {
    if (textWidth(`…${grapheme}${kept}`) > width) return `…${kept}`;
    kept = grapheme + kept;
  }
  return kept;
}
