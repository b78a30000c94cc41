// How far somebody has read both logs of a workload: what the id of an event of theirs holds. Pure.

export interface LogCursor {
  /** The number of the last line of the system log. */
  system: number;
  /** Where the last line of the container's log stands; null before its first. */
  container: string | null;
}

export function cursorText({ system, container }: LogCursor): string {
  return `${system}_${container ?? ""}`;
}

/** Null where it is no cursor. */
export function readCursor(text: string): LogCursor | null {
  const [, system, container] = /^(\d{1,15})_([\w:./+-]{0,100})$/.exec(text) ?? [];
  if (system === undefined) return null;
  return { system: Number(system), container: container || null };
}
