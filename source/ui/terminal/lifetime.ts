/** SIGQUIT is Ctrl+\ where input is not raw; unheard it would dump core and leave the screen as it is. */
const endingSignals = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const;
type EndingSignal = (typeof endingSignals)[number];
type SignalListener = (signal: NodeJS.Signals) => void;

/**
 * Ties the terminal to the life of the process: whatever ends it, `restore` runs first, and synchronously.
 * `onSignal` hears a request to end; the process then lives on until the command has closed the run. `onContinue`
 * hears that the process was stopped by somebody and goes on. The returned function unties all of it.
 */
export function watchProcess(handlers: {
  restore: () => void;
  onSignal: SignalListener;
  onContinue: () => void;
}): () => void {
  const { restore, onSignal, onContinue } = handlers;
  // The monitor runs before Node prints the stack, so the stack lands on the main screen where it stays.
  process.on('uncaughtExceptionMonitor', restore);
  process.on('exit', restore);
  const giveBack = claimSignals(onSignal);
  const hasStops = process.platform !== 'win32';
  if (hasStops) process.on('SIGCONT', onContinue);
  return () => {
    process.off('uncaughtExceptionMonitor', restore);
    process.off('exit', restore);
    if (hasStops) process.off('SIGCONT', onContinue);
    giveBack();
  };
}

/**
 * Has the signals that ask the process to end be heard by nobody else. Libraries for tidying up at exit (there are
 * four in the tree, below Ink, the settings and the lock) answer a signal by killing the process at once, and the run
 * would be neither aborted nor closed. What they tidy up is tidied up when the process exits. Listeners that were
 * there before are given back; those that came with the screens are not.
 */
function claimSignals(onSignal: SignalListener): () => void {
  const before = endingSignals.flatMap((signal) =>
    process.rawListeners(signal).map((listener) => ({ signal, listener: listener as SignalListener })),
  );
  for (const { signal, listener } of before) process.off(signal, listener);
  for (const signal of endingSignals) process.on(signal, onSignal);
  const refuse = (name: string | symbol, listener: SignalListener) => {
    if (!isEndingSignal(name) || listener === onSignal) return;
    // It is not there yet while it is announced.
    queueMicrotask(() => process.off(name, listener));
  };
  process.on('newListener', refuse);
  return () => {
    process.off('newListener', refuse);
    for (const signal of endingSignals) process.off(signal, onSignal);
    for (const { signal, listener } of before) process.on(signal, listener);
  };
}

function isEndingSignal(name: string | symbol): name is EndingSignal {
  return endingSignals.some((signal) => signal === name);
}

/**
 * Stops the process group as Ctrl+Z does outside raw input, so that the shell gets the terminal back even when a
 * script runner stands in between. Returns when somebody continues it; at once where nobody could (no job control).
 */
export function suspendProcess(): void {
  if (process.platform === 'win32') return;
  process.kill(0, 'SIGTSTP');
}
