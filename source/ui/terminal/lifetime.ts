const endingSignals = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;

/**
 * Ties the terminal to the life of the process: whatever ends it, `restore` runs first, and synchronously.
 * `onSignal` hears a request to end; the process then lives on until the command has closed the run. `onContinue`
 * hears that the process was stopped by somebody and goes on. The returned function unties all of it.
 */
export function watchProcess(handlers: {
  restore: () => void;
  onSignal: (signal: NodeJS.Signals) => void;
  onContinue: () => void;
}): () => void {
  const { restore, onSignal, onContinue } = handlers;
  // The monitor runs before Node prints the stack, so the stack lands on the main screen where it stays.
  process.on('uncaughtExceptionMonitor', restore);
  process.on('exit', restore);
  const listeners = endingSignals.map((signal) => {
    const listener = () => onSignal(signal);
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  if (process.platform !== 'win32') {
    process.on('SIGCONT', onContinue);
    listeners.push(() => process.off('SIGCONT', onContinue));
  }
  return () => {
    process.off('uncaughtExceptionMonitor', restore);
    process.off('exit', restore);
    for (const remove of listeners) remove();
  };
}

/**
 * Stops the process group as Ctrl+Z does outside raw input, so that the shell gets the terminal back even when a
 * script runner stands in between. Returns when somebody continues it; at once where nobody could (no job control).
 */
export function suspendProcess(): void {
  if (process.platform === 'win32') return;
  process.kill(0, 'SIGTSTP');
}
