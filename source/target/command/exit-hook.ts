/** What must still be done when this process exits while programs that it started are running. */
const undone = new Set<() => void>();
let isHooked = false;

function runAll(): void {
  for (const action of undone) {
    try {
      action();
    } catch {
      // Nobody is left to be told.
    }
  }
}

/** Runs `action` (synchronous) at exit, unless the function that is returned is called before. */
export function onProcessExit(action: () => void): () => void {
  if (!isHooked) {
    isHooked = true;
    process.once('exit', runAll);
  }
  undone.add(action);
  return () => undone.delete(action);
}
