import { makeVisible } from '../../../base/text.js';
import { fitToWidth, textWidth, wrapToWidth } from '../../../base/width.js';
import { keyFacts } from '../../keys/facts.js';
import { bindingsOf } from '../../keys/keymap.js';
import { keysLabel } from '../../keys/label.js';
import type { AppModel } from '../../model.js';
import type { ChangeWord } from '../../row-change.js';
import { type Segment, segment } from '../../segments.js';
import type { ScreenName } from '../../state.js';
import type { Size } from '../../terminal/size.js';
import { changeSegment } from '../grid/change.js';

/** Lines of the help screen between title and footer. */
export function helpHeight(size: Size): number {
  return Math.max(1, size.rows - 4);
}

const titles: Record<ScreenName, string> = {
  grid: 'the grid',
  trial: 'a trial',
  compare: 'what changed',
  sides: 'the two conversations',
  bisect: 'the bisect',
  prompts: 'the two prompts',
  watch: 'what is watched',
  review: 'the review',
  history: 'the history',
  triage: 'the triage',
  home: 'home',
  help: 'help',
};

/** The screen that help was asked on. */
function helpedScreen({ state }: AppModel): ScreenName {
  return state.over.findLast(({ name }) => name !== 'help')?.name ?? 'grid';
}

export function helpTitle(model: AppModel): string {
  return `keys of ${titles[helpedScreen(model)]}`;
}

/** Every key of the screen that help was asked on: what it does, and why it can do nothing now if so. */
export function helpLines(model: AppModel): Segment[][] {
  const { theme, state } = model;
  const facts = keyFacts(model);
  const rows = bindingsOf(helpedScreen(model)).map((binding) => ({
    keys: keysLabel(binding.keys, theme.isAscii),
    text: binding.description,
    reason: binding.disabled?.(facts),
  }));
  const keysWidth = Math.max(...rows.map(({ keys }) => textWidth(keys))) + 1;
  const width = Math.max(20, state.size.columns - keysWidth - 5);
  const lines = rows.flatMap(({ keys, text, reason }) => {
    const whole = reason === undefined ? text : `${text} (now: ${reason})`;
    return wrapToWidth(whole, width).map((line, index) => [
      segment(` ${fitToWidth(index === 0 ? keys : '', keysWidth)} `, reason === undefined ? 'key' : 'faint'),
      segment(line, reason === undefined ? 'plain' : 'faint'),
    ]);
  });
  if (helpedScreen(model) === 'review') return lines;
  if (helpedScreen(model) === 'home') return [...lines, [], ...homeLegend()];
  if (helpedScreen(model) === 'history')
    return [...lines, [], ...historyLegend(model).map((line) => [segment(' '), ...line])];
  const signs = [...legend(model), ...(model.store.comparison ? changeLegend(model) : [])];
  return [...noteLines(model), ...lines, [], ...signs.map((line) => [segment(' '), ...line])];
}

/** What was noticed in the files of the run, before the keys: few runs have any. */
function noteLines({ store, state }: AppModel): Segment[][] {
  const notes = store.run.notes?.() ?? [];
  if (notes.length === 0) return [];
  const width = Math.max(20, state.size.columns - 4);
  const lines = notes.flatMap((note) => wrapToWidth(makeVisible(note), width));
  return [...lines.map((line) => [segment(` ${line}`, 'warn')]), []];
}

/** What the words on what changed mean. */
function changeLegend({ theme }: AppModel): Segment[][] {
  const meanings: [ChangeWord, string][] = [
    ['regression', 'passed, now fails'],
    ['suspect', 'looks worse, and is not proved'],
    ['drift', 'passed, now warns, or a score that moved'],
    ['not-confirmed', 'looked worse, and passed when run again'],
    ['not-comparable', 'asked otherwise, or a side is unknown'],
    ['fixed', 'failed, now passes'],
    ['better', 'warns no more, fails less, scores higher'],
  ];
  return [
    [],
    [segment('Against the base:', 'faint')],
    ...meanings.map(([word, meaning]) => [changeSegment(word, 17, theme), segment(meaning)]),
  ];
}

/** What the columns of home mean. */
function homeLegend(): Segment[][] {
  return [
    [
      segment(
        ' Scores: those of the newest clean runs, the last one at the right; ten points are the whole height.',
        'faint',
      ),
    ],
    [
      segment(
        ' Noise floor: how often the gate is red by chance, and the smallest drop that it sees.',
        'faint',
      ),
    ],
  ];
}

/** What the signs of the plot mean. */
function historyLegend({ theme }: AppModel): Segment[][] {
  const { glyphs } = theme;
  return [
    [segment('A point is one clean run: whole, not tainted, of all scenarios. In the plot', 'faint')],
    [
      segment(glyphs.point, 'strong'),
      segment(' the selected run   '),
      segment(glyphs.markedPoint, 'warn'),
      segment(' a marked one   '),
      segment('^', 'warn'),
      segment(' the condition, or what is asked, changed'),
    ],
  ];
}

/** What the signs of the cells mean. */
function legend({ theme }: AppModel): Segment[][] {
  const { glyphs } = theme;
  return [
    [segment('A cell is one trial:', 'faint')],
    [
      segment(glyphs.pass, 'pass'),
      segment(' pass   '),
      segment(glyphs.warn, 'warn'),
      segment(' warn   '),
      segment(glyphs.fail, 'fail'),
      segment(' fail'),
    ],
    [
      segment(glyphs.unknown, 'unknown'),
      segment(' could not be graded   '),
      segment(glyphs.error, 'error'),
      segment(' could not be run'),
    ],
    [
      segment(glyphs.waiting, 'waiting'),
      segment(' waiting   '),
      segment(glyphs.spinner[2] ?? '', 'running'),
      segment(' running'),
    ],
    [segment('A verdict in small letters may still change.', 'faint')],
  ];
}
