/**
 * Which of several p-values hold while at most a share `q` of those that hold is expected to be false: all up to the
 * largest p(i) <= i q / m (Benjamini and Hochberg 1995). With discrete tests the share stays below `q` (Chen and
 * Sarkar, arXiv 1906.01701). In the order given.
 */
export function falseDiscovery(pValues: readonly number[], q = 0.05): boolean[] {
  const sorted = [...pValues].sort((a, b) => a - b);
  let limit = -1;
  for (const [index, p] of sorted.entries()) {
    if (p <= ((index + 1) * q) / sorted.length) limit = p;
  }
  return pValues.map((p) => p <= limit);
}
