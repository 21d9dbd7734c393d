import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../source/base/clock.js';
import { openApp } from '../../source/ui/open.js';
import type { AppRun, SettingKey } from '../../source/ui/types.js';
import { createFakeRun, type FakeRun, fakeScenario } from './fake-run.js';
import { createVirtualTerminal } from './virtual-terminal.js';

const names = ['refund-request-past-window', 'pricing-question', 'panic-on-the-train', '返金をお願いします'];

function smallRun(): FakeRun {
  return createFakeRun({
    scenarios: names.map((name) => fakeScenario(name, ['refund'])),
    startedAt: Date.now(),
  });
}

function open(runs: AppRun[], columns = 80, rows = 24, env: NodeJS.ProcessEnv = {}) {
  const terminal = createVirtualTerminal(columns, rows);
  terminal.stdout.write('$ evalrun\n');
  const settings = new Map<SettingKey, string>();
  const printed: string[] = [];
  const stderr = { write: (text: string) => printed.push(text) > 0 } as unknown as NodeJS.WriteStream;
  const result = openApp({
    runs,
    settings: { get: (key) => settings.get(key), set: (key, value) => settings.set(key, value) },
    stdin: terminal.stdin,
    stdout: terminal.stdout,
    stderr,
    env: { LANG: 'C.UTF-8', ...env },
    clock: systemClock,
  });
  return { terminal, result, settings, printed };
}

describe('the app in a terminal', () => {
  it('takes the alternate screen, draws the grid, and gives the terminal back as it was', async () => {
    const { terminal, result } = open([smallRun().run]);
    await terminal.waitFor('refund-request-past-window');
    expect(terminal.isAlternate()).toBe(true);
    expect(terminal.isRaw).toBe(true);
    terminal.type('qy');
    expect(await result).toEqual({ how: 'abandoned' });
    await terminal.settled();
    expect(terminal.isAlternate()).toBe(false);
    expect(terminal.isRaw).toBe(false);
    expect(terminal.lines()[0]).toBe('$ evalrun');
    expect(terminal.bytes.endsWith('\x1b[?25h\x1b[?1049l')).toBe(true);
    expect(terminal.bytes).not.toContain('\x1b[3J');
  });

  it('shows trials as they end', async () => {
    const fake = smallRun();
    const { terminal, result } = open([fake.run], 120);
    await terminal.waitFor('0/12');
    fake.trial(fake.key('pricing-question', 1), 'fail', { reason: 'get_plan was never called' });
    await terminal.waitFor('1/12');
    await terminal.waitFor('get_plan was never called');
    terminal.type('qy');
    await result;
  });

  it('asks before it leaves a run that is going, and stays when told to', async () => {
    const fake = smallRun();
    const { terminal, result } = open([fake.run]);
    await terminal.waitFor('running');
    terminal.type('q');
    await terminal.waitFor('leave the run?');
    terminal.type('n');
    await terminal.until((screen) => !screen.includes('leave the run?'));
    expect(fake.told).toEqual([]);
    fake.end();
    await terminal.waitFor('completed');
    terminal.type('q');
    expect(await result).toEqual({ how: 'quit' });
  });

  it('stops the run at the first Ctrl+C, and aborts it at the second', async () => {
    const fake = smallRun();
    const { terminal, result } = open([fake.run]);
    await terminal.waitFor('running');
    terminal.type('\x03');
    await terminal.waitFor('Ctrl+C again aborts');
    expect(fake.told).toEqual(['stop']);
    terminal.type('\x03');
    expect(await result).toEqual({ how: 'abandoned' });
    expect(fake.told).toEqual(['stop', 'abort']);
  });

  it('takes SIGINT from outside for Ctrl+C', async () => {
    const fake = smallRun();
    const { terminal, result } = open([fake.run]);
    await terminal.waitFor('running');
    process.emit('SIGINT', 'SIGINT');
    await terminal.waitFor('Ctrl+C again aborts');
    expect(fake.told).toEqual(['stop']);
    process.emit('SIGINT', 'SIGINT');
    expect(await result).toEqual({ how: 'abandoned' });
    expect(fake.told).toEqual(['stop', 'abort']);
  });

  it.each(['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)(
    'aborts the run on %s and gives the terminal back',
    async (signal) => {
      const before = process.listenerCount(signal);
      const fake = smallRun();
      const { terminal, result } = open([fake.run]);
      await terminal.waitFor('running');
      process.emit(signal, signal);
      expect(await result).toEqual({ how: 'signal', signal });
      expect(fake.told).toEqual(['abort']);
      await terminal.settled();
      expect(terminal.isAlternate()).toBe(false);
      expect(process.listenerCount(signal)).toBe(before);
    },
  );

  it('follows the terminal from large to the smallest, and says when it is too small', async () => {
    const { terminal, result } = open([smallRun().run], 200, 60);
    await terminal.waitFor('0/');
    for (const [columns, rows] of [
      [60, 15],
      [120, 40],
      [80, 24],
    ] as const) {
      terminal.resize(columns, rows);
      await terminal.until((screen) => {
        const lines = screen.split('\n');
        return lines.length === rows && (lines[rows - 2] ?? '').includes('? help') && lines[rows - 1] === '';
      });
    }
    terminal.resize(59, 15);
    await terminal.waitFor('59x15 is too small: needs 60x15');
    terminal.resize(80, 24);
    await terminal.waitFor('? help');
    expect(terminal.scrollback()).toEqual([]);
    expect(terminal.bytes).not.toContain('\x1b[3J');
    terminal.type('qy');
    await result;
  });

  it('writes nothing while nothing happens', async () => {
    const fake = smallRun();
    fake.end();
    const { terminal, result } = open([fake.run]);
    await terminal.waitFor('completed');
    await terminal.settled();
    const before = terminal.bytes.length;
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(terminal.bytes.length).toBe(before);
    terminal.type('q');
    await result;
  });

  it('draws nothing but ASCII in a locale that has nothing else', async () => {
    const fake = smallRun();
    fake.trial(fake.key('返金をお願いします', 1), 'fail', { reason: 'promised “money” back' });
    const { terminal, result } = open([fake.run], 80, 24, { LANG: 'C' });
    await terminal.waitFor('promised');
    // Controls of ours and printable ASCII.
    expect(terminal.bytes).toMatch(/^[\x1b\n\x20-\x7e]*$/);
    expect(terminal.screen()).toContain('x . .');
    terminal.type('qy');
    await result;
  });

  it('uses no colour with NO_COLOR and still shows the selection', async () => {
    const { terminal, result } = open([smallRun().run], 80, 24, { NO_COLOR: '1' });
    await terminal.waitFor('refund-request');
    expect(terminal.bytes).not.toMatch(/\x1b\[[34][0-7]m/);
    expect(terminal.bytes).toContain('\x1b[7m');
    terminal.type('qy');
    await result;
  });

  it('lets nothing through that a model says to the terminal', async () => {
    const fake = smallRun();
    const { terminal, result } = open([fake.run], 160);
    await terminal.waitFor('refund-request');
    const key = fake.key('refund-request-past-window', 1);
    fake.start(key);
    fake.say(key, 'hi \x1b[2J\x1b]0;title\x07 \u202egnp');
    await terminal.waitFor('␛[2J␛]0;title␇');
    expect(terminal.bytes).not.toContain('\x1b]0;');
    expect(terminal.bytes).not.toContain('\u202e');
    terminal.type('qy');
    await result;
  });

  it('puts the reason of a check on the clipboard', async () => {
    const fake = smallRun();
    fake.trial(fake.key('refund-request-past-window', 1), 'fail', { reason: 'promises money back' });
    const { terminal, result } = open([fake.run], 100, 24);
    await terminal.waitFor('fail');
    terminal.type('\r');
    await terminal.waitFor('reply of refund-request-past-window 1');
    terminal.type('y');
    await terminal.waitFor("reason.txt; sent to the terminal's clipboard (OSC 52)");
    const [, file = ''] = /in (\S+reason\.txt)/.exec(terminal.screen()) ?? [];
    expect(readFileSync(file, 'utf8')).toContain('judge-offers-store-credit');
    const encoded = /\x1b\]52;c;([^\x07]*)\x07/.exec(terminal.bytes)?.[1] ?? '';
    expect(Buffer.from(encoded, 'base64').toString()).toBe(
      'judge-offers-store-credit: fail: promises money back',
    );
    terminal.type('\x03\x03');
    await result;
  });

  it('restores the terminal, and only then tells of an error in a screen', async () => {
    const fake = smallRun();
    const broken: AppRun = {
      ...fake.run,
      feed(listener) {
        fake.run.feed((message) => {
          const { event } = message;
          // A row whose tags cannot be joined: a bug in a screen, as far as the screen can tell.
          if (event.type === 'run-started') Object.assign(event.plan.scenarios[0] ?? {}, { id: undefined });
          listener(message);
        });
      },
    };
    const { terminal, result } = open([broken]);
    await expect(result).rejects.toThrow();
    await terminal.settled();
    expect(terminal.isAlternate()).toBe(false);
    expect(terminal.isRaw).toBe(false);
  });

  it('ends with the error of a feed that fails', async () => {
    const { terminal, result } = open([
      {
        feed: () => Promise.reject(new Error('the journal is damaged')),
        readTrial: async () => Promise.reject(new Error('none')),
      },
    ]);
    await expect(result).rejects.toThrow('the journal is damaged');
    await terminal.settled();
    expect(terminal.isAlternate()).toBe(false);
  });

  it('shows a past run without an end as unfinished, and lets nothing be done to it', async () => {
    const fake = createFakeRun({ scenarios: names.map((name) => fakeScenario(name)), isPast: true });
    fake.start(fake.key('pricing-question', 1));
    const { terminal, result } = open([fake.run]);
    await terminal.waitFor('unfinished');
    terminal.type('p');
    await terminal.waitFor('this run is over: it is only shown here');
    expect(terminal.screen()).not.toMatch(/p pause|r run again|a add/);
    terminal.type('q');
    expect(await result).toEqual({ how: 'quit' });
  });

  it('keeps what others print until it has ended', async () => {
    const fake = smallRun();
    const { terminal, result, printed } = open([fake.run]);
    await terminal.waitFor('running');
    console.error('a stray line');
    await terminal.settled();
    expect(terminal.screen()).not.toContain('a stray line');
    expect(printed).toEqual([]);
    terminal.type('qy');
    await result;
    expect(printed).toEqual(['a stray line\n']);
  });

  it('asks on a terminal that is too small as well', async () => {
    const { terminal, result } = open([smallRun().run], 30, 5);
    await terminal.waitFor('30x5 is too small');
    terminal.type('q');
    await terminal.waitFor('leave the run? y/n');
    terminal.type('y');
    expect(await result).toEqual({ how: 'abandoned' });
  });
});
