/** A prompt between A and B: one character a hunk, `1` where the hunk is applied to A and `0` where it is not. */
export type Candidate = string;

/** Per hunk: the hunks that must be applied wherever it is. Empty: hunks are free of each other. */
export type Dependencies = readonly (readonly number[])[];

/** Dependencies with all that follows from them. */
export interface Needs {
  hunks: number;
  /** False: any subset is allowed. */
  isBinding: boolean;
  /** Per hunk, all that it needs. */
  of: readonly (readonly number[])[];
  /** Per hunk, all that needs it. */
  by: readonly (readonly number[])[];
}

/** What follows from dependencies. Throws where hunks need each other: such hunks are one hunk. */
export function closeNeeds(hunks: number, dependencies: Dependencies): Needs {
  const of = Array.from({ length: hunks }, (_, hunk) => allNeededBy(hunk, hunks, dependencies));
  const by = Array.from({ length: hunks }, (): number[] => []);
  for (const [hunk, needed] of of.entries()) for (const one of needed) by[one]?.push(hunk);
  return { hunks, isBinding: of.some((needed) => needed.length > 0), of, by };
}

function allNeededBy(hunk: number, hunks: number, dependencies: Dependencies): number[] {
  const found = new Set<number>();
  const open = [...(dependencies[hunk] ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === hunk)
      throw new Error(`hunk ${hunk + 1} needs itself: hunks that need each other are one hunk`);
    if (!(next >= 0 && next < hunks))
      throw new Error(`hunk ${hunk + 1} needs hunk ${next + 1}, which is not there`);
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(dependencies[next] ?? []));
  }
  return [...found].sort((a, b) => a - b);
}

/** A: no hunk applied. */
export function goodEnd(hunks: number): Candidate {
  return '0'.repeat(hunks);
}

/** B: all hunks applied. */
export function badEnd(hunks: number): Candidate {
  return '1'.repeat(hunks);
}

/** B with some hunks reverted, and with them what cannot be without them. */
export function badWithout(reverted: readonly number[], needs: Needs): Candidate {
  const applied = new Uint8Array(needs.hunks).fill(1);
  for (const hunk of reverted) {
    applied[hunk] = 0;
    for (const one of needs.by[hunk] ?? []) applied[one] = 0;
  }
  return candidateOf(applied);
}

/** A with some hunks applied, and with them what they cannot be without. */
export function goodWith(chosen: readonly number[], needs: Needs): Candidate {
  const applied = new Uint8Array(needs.hunks);
  for (const hunk of chosen) applied[hunk] = 1;
  addNeeded(applied, needs);
  return candidateOf(applied);
}

/** Applies what the applied hunks need. */
export function addNeeded(applied: Uint8Array, needs: Needs): void {
  if (!needs.isBinding) return;
  for (const [hunk, needed] of needs.of.entries())
    if (applied[hunk] === 1) for (const one of needed) applied[one] = 1;
}

export function isAllowed(candidate: Candidate, needs: Needs): boolean {
  return (
    candidate.length === needs.hunks &&
    needs.of.every((needed, hunk) => candidate[hunk] !== '1' || needed.every((one) => candidate[one] === '1'))
  );
}

export function candidateOf(applied: Uint8Array): Candidate {
  return applied.join('');
}

/** 1 per hunk that is applied, else 0. */
export function appliedOf(candidate: Candidate): Uint8Array {
  return Uint8Array.from(candidate, (digit) => (digit === '1' ? 1 : 0));
}

/** The hunks that have to change together with one of them for the subset to stay allowed; itself first. */
export function flippedWith(hunk: number, applied: Uint8Array, needs: Needs): number[] {
  const others = applied[hunk] === 1 ? needs.by[hunk] : needs.of[hunk];
  return [hunk, ...(others ?? []).filter((one) => applied[one] === applied[hunk])];
}
