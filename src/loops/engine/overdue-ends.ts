// Logs, once for each, the containers of a machine that do not end.

import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { Store } from "../../store/engine/store.ts";
import { logOverdueEnd } from "../../transactions/pod/log-overdue-end.ts";

const CONFIRM_MS = 1_000;

export class OverdueEnds {
  readonly #deps: { store: Store; clock: Clock; log: Logger; machine: string };
  /** When each was first seen; null once it is reported. */
  #seenAt = new Map<string, number | null>();

  constructor(deps: { store: Store; clock: Clock; log: Logger; machine: string }) {
    this.#deps = deps;
  }

  /** Takes all workloads of a kind and reports those whose `overdueMs` is not null. */
  async report<Workload extends { id: string }>(
    workloads: readonly Workload[],
    overdueMs: (workload: Workload) => number | null,
  ): Promise<void> {
    const { store, clock, log, machine } = this.#deps;
    const before = this.#seenAt;
    this.#seenAt = new Map();
    for (const workload of workloads) {
      const ms = overdueMs(workload);
      if (ms === null) continue;
      const { id } = workload;
      const seenAt = before.get(id);
      // An end may be dated back to a limit that passed while the service was down.
      if (seenAt === undefined || (seenAt !== null && clock.ticks() - seenAt < CONFIRM_MS)) {
        this.#seenAt.set(id, seenAt ?? clock.ticks());
        continue;
      }
      this.#seenAt.set(id, null);
      if (seenAt === null) continue;
      log.error({ workload: id, machine }, "a container does not end; it is billed until it does");
      await store.write(logOverdueEnd, id, ms, clock.now());
    }
  }
}
