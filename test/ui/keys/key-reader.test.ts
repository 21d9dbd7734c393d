import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyReader, type KeyPress } from '../../../source/ui/keys/key-reader.js';

function read(...chunks: string[]): KeyPress[] {
  const keys: KeyPress[] = [];
  const reader = createKeyReader((key) => keys.push(key));
  for (const chunk of chunks) reader.read(chunk);
  reader.flush();
  return keys;
}

const names = (...chunks: string[]) => read(...chunks).map(({ name }) => name);

describe('the key reader', () => {
  it('splits a burst of letters into keys, by grapheme', () => {
    expect(names('jjj')).toEqual(['j', 'j', 'j']);
    expect(names('日e\u0301👩‍👩‍👧')).toEqual(['日', 'e\u0301', '👩‍👩‍👧']);
  });

  it('knows arrows, paging and the ends in the forms that terminals send', () => {
    expect(names('\x1b[A\x1b[B\x1b[C\x1b[D\x1bOA')).toEqual(['up', 'down', 'right', 'left', 'up']);
    expect(names('\x1b[5~\x1b[6~\x1b[H\x1b[F\x1b[1~\x1b[4~\x1bOH')).toEqual([
      'pageup',
      'pagedown',
      'home',
      'end',
      'home',
      'end',
      'home',
    ]);
    expect(names('\x1b[1;5A\x1b[1;2B\x1b[Z')).toEqual(['ctrl+up', 'shift+down', 'shift+tab']);
  });

  it('tells backspace and delete apart', () => {
    expect(names('\x7f', '\b', '\x1b[3~')).toEqual(['backspace', 'backspace', 'delete']);
  });

  it('takes both line ends for enter, and a pair of them for two', () => {
    expect(names('\r')).toEqual(['enter']);
    expect(names('a\r\nb')).toEqual(['a', 'enter', 'enter', 'b']);
  });

  it('names control keys', () => {
    expect(names('\x03\x1a\t')).toEqual(['ctrl+c', 'ctrl+z', 'tab']);
  });

  it('survives the function keys that Ink dies of', () => {
    expect(names('\x1b[1;5P\x1b[1;5Q\x1b[1;5R\x1b[1;5Sx')).toEqual([
      'ctrl+f1',
      'ctrl+f2',
      'ctrl+f3',
      'ctrl+f4',
      'x',
    ]);
    expect(names('\x1b[[Ax')).toEqual(['x']);
  });

  it('drops the mouse, focus changes and answers of the terminal', () => {
    expect(
      names(
        '\x1b[<64;10;5M',
        '\x1b[<0;1;1m',
        '\x1b[M !!',
        '\x1b[I',
        '\x1b[?62;c',
        '\x1b]11;rgb:0/0/0\x07',
        '\x1bP1$r\x1b\\',
        'x',
      ),
    ).toEqual(['x']);
  });

  it('gives a paste in one piece, whatever is in it and however it is cut', () => {
    expect(read('\x1b[200~tag:refund\x1b[201~')).toEqual([{ name: 'paste', text: 'tag:refund' }]);
    expect(read('\x1b[200~a\x03b', '\nq\x1b[20', '1~x')).toEqual([
      { name: 'paste', text: 'a\x03b\nq' },
      { name: 'x', text: 'x' },
    ]);
  });

  it('takes Escape for itself once nothing follows', () => {
    const keys: string[] = [];
    const reader = createKeyReader(({ name }) => keys.push(name));
    reader.read('\x1b');
    expect(keys).toEqual([]);
    expect(reader.isWaiting).toBe(true);
    reader.flush();
    expect(keys).toEqual(['escape']);
    expect(reader.isWaiting).toBe(false);
  });

  it('takes Escape and a letter in one piece for two keys', () => {
    expect(names('\x1bq')).toEqual(['escape', 'q']);
    expect(names('\x1b\x1b')).toEqual(['escape', 'escape']);
    expect(names('\x1b\r')).toEqual(['escape', 'enter']);
    expect(names('\x1b[')).toEqual(['escape', '[']);
  });

  it('forgets half a sequence', () => {
    expect(names('\x1b[1;')).toEqual([]);
  });

  it('tells the same keys however the input is cut', () => {
    const pieces = [
      'j',
      '日',
      '\x1b[A',
      '\x1b[1;5P',
      '\x1b[200~p q\x1b[201~',
      '\x1b[<64;10;5M',
      '\r',
      '\x7f',
      '\x03',
      '\x1bOB',
      '\x1b[3~',
      '\x1b]11;x\x07',
    ];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...pieces), { maxLength: 12 }),
        fc.array(fc.nat(60), { maxLength: 6 }),
        (parts, cuts) => {
          const input = parts.join('');
          const places = [
            ...new Set([0, ...cuts.map((cut) => Math.min(cut, input.length)), input.length]),
          ].sort((a, b) => a - b);
          const chunks = places.slice(1).map((end, index) => input.slice(places[index], end));
          expect(read(...chunks)).toEqual(read(input));
        },
      ),
    );
  });

  it('never throws, and leaves nothing behind that is heard later', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 40 }),
        fc.string({ maxLength: 10 }),
        (noise, begun) => {
          const reader = createKeyReader(() => {});
          reader.read(noise);
          reader.read(`\x1b${begun}`);
          reader.flush();
          expect(reader.isWaiting).toBe(false);
        },
      ),
    );
  });
});
