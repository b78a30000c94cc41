// The cursor of a log stream: the read position in both logs of a workload, as an event's id holds it. Pure.

export interface LogCursor {
  /** The number of the last line of the system log. */
  system: number;
  /** The position of the last line of the container's log; null before its first line. */
  container: string | null;
}

export function cursorText({ system, container }: LogCursor): string {
  return `${system}_${container ?? ""}`;
}

/** Null if the text is not a cursor. */
export function readCursor(text: string): LogCursor | null {
  const [, system, container] = /^(\d{1,15})_([\w:./+-]{0,100})$/.exec(text) ?? [];
  if (system === undefined) return null;
  return { system: Number(system), container: container || null };
}
