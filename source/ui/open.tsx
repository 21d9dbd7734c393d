import { writeSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import chalk from 'chalk';
import { type Instance, render } from 'ink';
import { toAscii } from '../base/ascii.js';
import { App } from './app.js';
import { createModel } from './create-model.js';
import { dispatch } from './keys/dispatcher.js';
import { interrupt, isGoing } from './keys/leaving.js';
import { createAlternateScreen } from './terminal/alternate-screen.js';
import { copyText } from './terminal/clipboard.js';
import { editorOf, runEditor } from './terminal/editor.js';
import { createFrameWriter } from './terminal/frame-writer.js';
import { holdOutput } from './terminal/held-output.js';
import { createKeyboard } from './terminal/keyboard.js';
import { suspendProcess, watchProcess } from './terminal/lifetime.js';
import { readSize } from './terminal/size.js';
import { createTheme } from './theme.js';
import type { AppOptions, AppResult } from './types.js';

/**
 * Opens the screens on the runs and resolves when the person has left, with the terminal as it was before. Rejects
 * with the error of a screen that broke, after the terminal is restored. The one place that starts and ends the app.
 */
export async function openApp(options: AppOptions): Promise<AppResult> {
  const { stdin, stdout, stderr = process.stderr, env, clock, settings, ...openedOn } = options;
  const theme = createTheme(env, settings.get('theme'));
  const write = (text: string) => {
    stdout.write(text);
  };
  // Ink draws through this chalk, which takes `CI` or a missing colour for a reason to leave out bold and inverse
  // too. What is drawn with is the theme's decision: its sixteen colours, or none.
  chalk.level = 1;
  const screen = createAlternateScreen((text) => writeNow(stdout, text));
  // While the app is suspended the terminal is the shell's.
  const writeFrame = (text: string) => {
    if (screen.isEntered) write(theme.isAscii ? toAscii(text) : text);
  };
  const writer = createFrameWriter(writeFrame, readSize(stdout));

  return await new Promise<AppResult>((resolve, reject) => {
    let isOver = false;
    let ink: Instance | undefined;
    /** Everything that is switched on is switched off here, in reverse, whatever ends the app. */
    const end = (settle: () => void) => {
      if (isOver) return;
      isOver = true;
      const closed = model.close();
      unwatch();
      stdout.off('resize', onResize);
      writer.close();
      ink?.unmount();
      restore();
      stdout.off('error', onTerminalGone);
      // What was opened over the runs is closed before whoever made these goes on.
      closed.then(settle, reject);
    };
    /** Runs last of all also when the process dies, so it depends on nothing that could throw. */
    const restore = () => {
      writer.close();
      screen.leave();
      keyboard.stop();
      release();
    };
    const leave = (result: AppResult) => end(() => resolve(result));
    const fail = (error: unknown) => end(() => reject(error));
    const leaveForSignal = (signal: NodeJS.Signals) => {
      for (const { run } of model.stores.filter(isGoing)) run.controls?.abort();
      leave({ how: 'signal', signal });
    };
    // While somebody edits, Ctrl+C is the editor's, and so is who continues it after a stop.
    let isEditing = false;
    // Somebody sent it who has no keyboard here: it means what Ctrl+C does.
    const onSignal = (signal: NodeJS.Signals) =>
      isEditing && (signal === 'SIGINT' || signal === 'SIGQUIT')
        ? undefined
        : signal === 'SIGINT'
          ? press(() => !isOver && interrupt(model))
          : leaveForSignal(signal);
    const onTerminalGone = () => leaveForSignal('SIGHUP');
    const onResize = () => {
      const size = readSize(stdout);
      writer.resize(size);
      model.resize(size);
    };

    const model = createModel({
      ...openedOn,
      settings,
      clock,
      theme,
      size: readSize(stdout),
      copy: (text, name) => copyText(text, name, (sequence) => writer.pass(sequence)),
      suspend() {
        screen.leave();
        keyboard.stop();
        suspendProcess();
        // Continued, or never stopped because no shell could continue it: the screen is taken again either way.
        setImmediate(takeScreen);
      },
      async edit(place) {
        screen.leave();
        keyboard.stop();
        isEditing = true;
        const problem = await runEditor(editorOf(env), place);
        isEditing = false;
        takeScreen();
        return problem;
      },
      redraw: () => writer.repaint(),
      leave,
      fail,
    });
    const takeScreen = () => {
      if (isOver) return;
      screen.enter();
      keyboard.start();
      onResize();
    };

    const press = (handle: () => void) => {
      try {
        handle();
      } catch (error) {
        fail(error);
      }
    };
    const keyboard = createKeyboard(
      stdin,
      (key) => press(() => !isOver && dispatch(model.front, key)),
      () => press(() => !isOver && model.publish()),
      onTerminalGone,
    );
    const release = holdOutput(stderr);
    const unwatch = watchProcess({
      restore,
      onSignal,
      onContinue: () => !isOver && !isEditing && takeScreen(),
    });
    stdout.on('error', onTerminalGone);
    stdout.on('resize', onResize);
    screen.enter();
    keyboard.start();
    ink = render(<App model={model} onError={fail} />, {
      stdout: env.EVALRUN_PLAIN_WRITER ? stdout : writer.stream,
      // Ink reads no keys: its own parser dies of some (Ctrl+F1) and confuses others.
      stdin: new PassThrough() as unknown as NodeJS.ReadStream,
      exitOnCtrlC: false,
      patchConsole: false,
      maxFps: 60,
      // Where Ink takes its environment for CI it draws nothing until it ends. The command decided that there is a
      // person here, so Ink is told to write its frames as they come.
      debug: 'CI' in process.env || 'CONTINUOUS_INTEGRATION' in process.env,
    });
  });
}

/**
 * Writes past the stream's queue, since the process may be about to end. A terminal that is gone is no reason to fail:
 * there is nothing left to restore then.
 */
function writeNow(stdout: NodeJS.WriteStream & { fd?: number }, text: string): void {
  if (stdout.fd === undefined) {
    stdout.write(text);
    return;
  }
  try {
    writeSync(stdout.fd, text);
  } catch {
    // Gone, or not ready to take it.
  }
}
