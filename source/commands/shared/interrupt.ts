import type { RunControls } from '../../run/types.js';

const aborting = ['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * Ends a run without a screen when the person or the system asks for it: the first Ctrl+C lets what is in flight
 * finish, the second aborts it, as do SIGTERM, SIGHUP, SIGQUIT and a reader of our output that has gone. `say` tells the
 * person. Gives the function that stops listening.
 */
export function listenForInterrupts(
  run: RunControls,
  stdout: NodeJS.WriteStream,
  say: (text: string) => void,
): () => void {
  let isStopping = false;
  const onInterrupt = () => {
    if (isStopping) {
      say('aborting');
      run.abort();
      return;
    }
    isStopping = true;
    say('stopping: what is in flight finishes; Ctrl+C again aborts it');
    run.stop();
  };
  const abort = () => run.abort();
  process.on('SIGINT', onInterrupt);
  for (const signal of aborting) process.on(signal, abort);
  stdout.on('error', abort);
  return () => {
    process.off('SIGINT', onInterrupt);
    for (const signal of aborting) process.off(signal, abort);
    stdout.off('error', abort);
  };
}
