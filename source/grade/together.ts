/**
 * Runs all at once. The first that fails stops the others by their signal; the promise then rejects with its
 * error, but only when all have ended, so that nobody is left working for a caller who is gone.
 */
export async function allTogether<T>(
  runs: readonly ((signal: AbortSignal) => Promise<T>)[],
  outer: AbortSignal | undefined,
): Promise<T[]> {
  if (runs.length === 0) return [];
  const stop = new AbortController();
  const signal = outer ? AbortSignal.any([outer, stop.signal]) : stop.signal;
  let failure: { error: unknown } | undefined;
  const results = await Promise.all(
    runs.map(async (run) => {
      try {
        return [await run(signal)];
      } catch (error) {
        failure ??= { error };
        stop.abort(error);
        return [];
      }
    }),
  );
  if (failure) throw failure.error;
  return results.flat(1) as T[];
}
