import { describe, expect, it } from 'vitest';
import { isUtf8 } from '../../source/base/ascii.js';
import { textWidth } from '../../source/base/width.js';
import { createTheme, spinnerFrame } from '../../source/ui/theme.js';
import type { Tone } from '../../source/ui/tone.js';

const tones = [
  'plain',
  'faint',
  'strong',
  'title',
  'accent',
  'key',
  'pass',
  'warn',
  'fail',
  'unknown',
  'error',
  'running',
  'waiting',
  'evidence',
  'removed',
  'added',
  'found',
] as const satisfies Tone[];

describe('the theme', () => {
  it('has a sign of its own for every state of a cell, in both sets', () => {
    for (const env of [{ LANG: 'C.UTF-8' }, { LANG: 'C' }]) {
      const { glyphs } = createTheme(env, undefined);
      const signs = [glyphs.waiting, glyphs.pass, glyphs.warn, glyphs.fail, glyphs.unknown, glyphs.error];
      expect(new Set(signs).size).toBe(signs.length);
      // One cell wide, all but the arrow.
      const { arrow: _, ...narrow } = glyphs;
      for (const sign of Object.values(narrow).flat()) expect([sign, textWidth(sign)]).toEqual([sign, 1]);
    }
  });

  it('draws ASCII only where the locale has nothing else', () => {
    expect(isUtf8({ LANG: 'de_DE.UTF-8' })).toBe(true);
    expect(isUtf8({ LANG: 'en_US.utf8' })).toBe(true);
    expect(isUtf8({ LC_ALL: 'C', LANG: 'de_DE.UTF-8' })).toBe(false);
    expect(isUtf8({ LANG: 'POSIX' })).toBe(false);
    expect(isUtf8({})).toBe(true);
    expect(
      Object.values(createTheme({ LANG: 'C' }, undefined).glyphs)
        .flat()
        .join(''),
    ).toMatch(/^[\x21-\x7e]+$/);
  });

  it('takes colour away for NO_COLOR and the theme none, and leaves weight', () => {
    for (const theme of [
      createTheme({ NO_COLOR: '1' }, undefined),
      createTheme({}, 'none'),
      createTheme({ EVALRUN_THEME: 'none' }, 'light'),
    ]) {
      expect(theme.look('fail')).toEqual({ bold: true });
      expect(theme.look('strong')).toEqual({ bold: true });
    }
    expect(createTheme({ NO_COLOR: '' }, undefined).look('fail')).toHaveProperty('color');
  });

  it('has no yellow and no cyan on a light background, and tells the verdicts apart on both', () => {
    const verdicts = ['pass', 'warn', 'fail', 'unknown', 'error'] as const;
    for (const name of ['dark', 'light']) {
      const { look } = createTheme({}, name);
      expect(new Set(verdicts.map((verdict) => JSON.stringify(look(verdict)))).size).toBe(verdicts.length);
    }
    const light = createTheme({}, 'light');
    const used = tones.map((tone) => light.look(tone).color).filter((color) => color !== undefined);
    expect(new Set(used)).toEqual(new Set(['blue', 'green', 'magenta', 'red']));
  });

  it('derives the spinner from the time alone', () => {
    const { glyphs } = createTheme({}, undefined);
    expect(spinnerFrame(glyphs, 0)).toBe(spinnerFrame(glyphs, 99));
    expect(spinnerFrame(glyphs, 100)).not.toBe(spinnerFrame(glyphs, 0));
  });
});
