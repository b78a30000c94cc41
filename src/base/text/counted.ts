// A number with its noun.

/** "1 worker", "3 workers" */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
