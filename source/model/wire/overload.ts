/** Whether a status says that there are too many requests rather than that something broke. */
export function isOverload(status: number | undefined): boolean {
  return status === undefined || status === 503 || status === 529;
}
