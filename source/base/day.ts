const dayMs = 86_400_000;

/** The day of a time as files write it, `2026-11-30`, UTC. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The day so many days after another one. */
export function daysAfter(day: string, days: number): string {
  return dayOf(Date.parse(day) + days * dayMs);
}
