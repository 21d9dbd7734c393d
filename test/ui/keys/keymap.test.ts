import { describe, expect, it } from 'vitest';
import { actions } from '../../../source/ui/keys/actions.js';
import { keyTable, withKeyTable } from '../../../source/ui/keys/key-table.js';
import { bindingsOf, findBinding, keymap } from '../../../source/ui/keys/keymap.js';
import type { KeyFacts } from '../../../source/ui/keys/reasons.js';

const nothing: KeyFacts = {
  isLive: false,
  isRegrade: false,
  runState: undefined,
  isPaused: false,
  isStopping: false,
  hasBack: false,
  runs: 1,
  isWide: true,
  rows: 0,
  isFiltered: false,
  trials: 0,
  hasTranscript: false,
  matches: undefined,
  evidence: 0,
  folded: 0,
  isUnfolded: false,
  isRaw: false,
  trial: undefined,
  compare: {
    noComparison: 'the run has no base',
    noChange: 'nothing changed',
    noSides: 'nothing changed',
    noClass: 'nothing changed',
    noBless: 'nothing changed',
    notReproduced: 'this run is over: it is only shown here',
  },
  review: undefined,
  history: undefined,
  home: undefined,
  noBisect: 'this run cannot be bisected here',
  noQuarantine: undefined,
  noTakeBack: undefined,
  bisect: undefined,
  triage: undefined,
};
const live: KeyFacts = {
  ...nothing,
  isLive: true,
  runState: 'running',
  rows: 5,
  trials: 3,
  hasTranscript: true,
};

const reason = (screen: 'grid' | 'trial', key: string, facts: KeyFacts) =>
  findBinding(screen, key)?.disabled?.(facts);

const actionNames = Object.values(keymap).flatMap((bindings) => bindings.map(({ action }) => action));
const screens = [
  'grid',
  'trial',
  'compare',
  'sides',
  'review',
  'history',
  'home',
  'bisect',
  'prompts',
  'watch',
  'triage',
  'help',
] as const;

describe('the key table', () => {
  it('gives no key two meanings on one screen', () => {
    for (const screen of screens) {
      const keys = bindingsOf(screen).flatMap((binding) => binding.keys);
      expect(keys).toEqual([...new Set(keys)]);
    }
  });

  it('names each action once', () => {
    expect(actionNames).toEqual([...new Set(actionNames)]);
  });

  it('has a key for each action, and an action for each key', () => {
    expect(Object.keys(actions).sort()).toEqual([...actionNames].sort());
  });

  it('moves by the same keys on every screen', () => {
    const moving = ['down', 'j', 'up', 'k', 'pagedown', 'pageup', 'g', 'home', 'G', 'end'];
    const ways = ['down', 'down', 'up', 'up', 'page-down', 'page-up', 'start', 'start', 'end', 'end'];
    for (const screen of screens) {
      const found = moving.map((key) => findBinding(screen, key)?.action);
      expect(found).toEqual(ways.map((way) => `${screen}-${way}`));
    }
  });

  it('has keys for everything that the grid can do', () => {
    for (const key of [
      'enter',
      'n',
      'N',
      '/',
      's',
      'p',
      'r',
      'a',
      'q',
      '?',
      'up',
      'j',
      'left',
      'l',
      'g',
      'G',
      'pageup',
      'end',
      'ctrl+c',
    ]) {
      expect([key, findBinding('grid', key)?.action]).toEqual([key, expect.any(String)]);
    }
  });

  it('does not mention what is not there yet', () => {
    // To the baseline a run is promoted from the history alone.
    const promoting = keyTable()
      .split('\n')
      .filter((line) => /promote/i.test(line));
    expect(promoting).toEqual([expect.stringMatching(/^\| `p` \|/)]);
    expect(findBinding('history', 'p')?.action).toBe('promote-run');
    for (const key of ['P']) {
      expect(findBinding('grid', key)).toBeUndefined();
      expect(findBinding('trial', key)).toBeUndefined();
    }
  });

  it('says why a key can do nothing', () => {
    expect(reason('grid', 'p', { ...live, isLive: false })).toBe('this run is over: it is only shown here');
    expect(reason('grid', 'p', { ...live, runState: 'completed' })).toBe('nothing is running');
    expect(reason('grid', 'a', { ...live, isStopping: true })).toBe('the run is stopping');
    expect(reason('grid', 'enter', { ...live, rows: 0, isFiltered: true })).toBe(
      'no scenario matches the filter',
    );
    expect(reason('trial', 'n', live)).toBe('nothing is searched for: / searches');
    expect(reason('trial', 'n', { ...live, matches: 0 })).toBe('the text is not in this trial');
    expect(reason('trial', 'right', { ...live, trials: 1 })).toBe('this is the only trial of the scenario');
  });

  it('lets trials be added to a run that has finished in this process', () => {
    expect(reason('grid', 'r', { ...live, runState: 'completed' })).toBeUndefined();
  });
});

describe('the key table in the readme', () => {
  it('is written between its markers and nowhere else', () => {
    const readme = 'before\n<!-- keys -->\nold\n<!-- /keys -->\nafter $& end';
    expect(withKeyTable(readme)).toBe(`before\n<!-- keys -->\n${keyTable()}\n<!-- /keys -->\nafter $& end`);
  });

  it('is stable when written again', () => {
    const once = withKeyTable('<!-- keys -->\n<!-- /keys -->') ?? '';
    expect(withKeyTable(once)).toBe(once);
  });

  it('has no place in a readme without markers', () => {
    expect(withKeyTable('nothing here')).toBeUndefined();
  });
});
