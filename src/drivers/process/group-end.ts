// Ends a process group: SIGTERM to all of it, SIGKILL to all of it when the grace has run out, and
// no answer before the last of them is gone, grandchildren that ignore SIGTERM included. (A process
// that moves to a session of its own has left the group, and is not followed.)
import { type Clock, pause } from "../../base/clock.ts";
import type { ProcessTable } from "./process-table.ts";

const FIRST_LOOK_MS = 5;
const SLOWEST_LOOK_MS = 200;

/** Whether the signal found anybody. */
export function signalGroup(groupId: number, signal: "SIGTERM" | "SIGKILL" | 0): boolean {
  // 0 and 1 would mean our own group and everybody.
  if (!(groupId > 1)) return false;
  try {
    process.kill(-groupId, signal);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The kernel still counts the dead whom nobody has reaped; the table does not. */
export async function groupIsGone(table: ProcessTable, groupId: number): Promise<boolean> {
  if (!signalGroup(groupId, 0)) return true;
  return (await table.groupMembers(groupId)).length === 0;
}

export interface Group {
  /** Whether every process of it has ended. */
  isGone(): Promise<boolean>;
  signal(signal: "SIGTERM" | "SIGKILL"): void;
}

export class GroupEnd {
  readonly done: Promise<void>;
  #killAt: number;

  constructor(clock: Clock, graceMs: number, group: Group, onGone: () => void) {
    this.#killAt = clock.now() + graceMs;
    this.done = this.#run(clock, group).then(onGone);
  }

  /** A second stop may be more urgent than the first, never less. */
  hurry(killAt: number): void {
    this.#killAt = Math.min(this.#killAt, killAt);
  }

  async #run(clock: Clock, group: Group): Promise<void> {
    group.signal("SIGTERM");
    let lookMs = FIRST_LOOK_MS;
    const isGone = () => group.isGone().catch(() => false);
    for (let killed = false; !(await isGone()); ) {
      const leftMs = this.#killAt - clock.now();
      if (leftMs <= 0) {
        group.signal("SIGKILL");
        if (!killed) lookMs = FIRST_LOOK_MS;
        killed = true;
      }
      await pause(clock, killed ? lookMs : Math.min(lookMs, leftMs));
      lookMs = Math.min(lookMs * 2, SLOWEST_LOOK_MS);
    }
  }
}
