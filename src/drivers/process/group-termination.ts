// The termination of a process group: SIGTERM to the group, SIGKILL after the grace period. It is done
// once every process has ended, grandchildren that ignore SIGTERM included. A process that moves to a
// session of its own leaves the group and is not terminated.

import { type Clock, pause } from "../../base/clock.ts";
import type { ProcessTable } from "./process-table.ts";

const FIRST_CHECK_MS = 5;
const MAX_CHECK_MS = 200;

/** Returns whether the group has a process. */
export function signalGroup(groupId: number, signal: "SIGTERM" | "SIGKILL" | 0): boolean {
  // 0 and 1 would address the service's own group and every process.
  if (!(groupId > 1)) return false;
  try {
    process.kill(-groupId, signal);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Asks the process table too, because the kernel still counts dead processes that are not reaped. */
export async function isGroupEmpty(table: ProcessTable, groupId: number): Promise<boolean> {
  if (!signalGroup(groupId, 0)) return true;
  return (await table.groupMembers(groupId)).length === 0;
}

export interface Group {
  /** Whether every process of the group has ended. */
  hasEnded(): Promise<boolean>;
  signal(signal: "SIGTERM" | "SIGKILL"): void;
}

export class GroupTermination {
  readonly done: Promise<void>;
  #killAt: number;

  constructor(clock: Clock, graceMs: number, group: Group, onEnd: () => void) {
    this.#killAt = clock.ticks() + graceMs;
    this.done = this.#run(clock, group).then(onEnd);
  }

  /** Moves SIGKILL to earlier ticks of the clock; later ones have no effect. */
  advanceKill(killAt: number): void {
    this.#killAt = Math.min(this.#killAt, killAt);
  }

  async #run(clock: Clock, group: Group): Promise<void> {
    group.signal("SIGTERM");
    let checkMs = FIRST_CHECK_MS;
    const hasEnded = () => group.hasEnded().catch(() => false);
    for (let isKilled = false; !(await hasEnded()); ) {
      const leftMs = this.#killAt - clock.ticks();
      if (leftMs <= 0) {
        group.signal("SIGKILL");
        if (!isKilled) checkMs = FIRST_CHECK_MS;
        isKilled = true;
      }
      await pause(clock, isKilled ? checkMs : Math.min(checkMs, leftMs));
      checkMs = Math.min(checkMs * 2, MAX_CHECK_MS);
    }
  }
}
