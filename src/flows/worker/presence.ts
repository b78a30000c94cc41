// Records what a worker's polls show: that it is ready, whether it holds jobs, and that it took its first. At most
// once in a few seconds, because a poll must not cost a write.

import type { Clock } from "../../base/clock.ts";
import type { ProgramStart } from "../../domain/worker/program-start.ts";
import type { Store } from "../../store/engine/store.ts";
import type { WorkerCall } from "../../store/worker/calls.ts";
import { recordSign } from "../../transactions/worker/record-sign.ts";

const RECORD_EVERY_MS = 2_000;
/** How many workers are remembered. */
const MAX_REMEMBERED = 20_000;

export class Presence {
  readonly #store: Store;
  readonly #clock: Clock;
  #recordedAt = new Map<string, number>();
  /** Workers whose first job is recorded. */
  readonly #tookJob = new Set<string>();

  constructor(deps: { store: Store; clock: Clock }) {
    this.#store = deps.store;
    this.#clock = deps.clock;
  }

  note(workerId: string, kind: "idle" | "busy" | "stop", start: ProgramStart | null = null): void {
    const now = this.#clock.now();
    const name = `${kind}:${workerId}`;
    const last = this.#recordedAt.get(name);
    if (last !== undefined && now < last + RECORD_EVERY_MS) return;
    if (this.#recordedAt.size >= MAX_REMEMBERED) this.#recordedAt.clear();
    this.#recordedAt.set(name, now);
    const sign: WorkerCall = {
      ready: true,
      polledIdle: kind === "idle",
      stopPolled: kind === "stop",
    };
    // In the background; if the store is unavailable, the worker's next call is recorded.
    this.#record(workerId, sign, start).catch(() => this.#recordedAt.delete(name));
  }

  /** Costs a write for a worker's first job only. */
  noteJob(workerId: string): void {
    if (this.#tookJob.has(workerId)) return;
    if (this.#tookJob.size >= MAX_REMEMBERED) this.#tookJob.clear();
    this.#tookJob.add(workerId);
    this.#record(workerId, { ready: true, tookJob: true }).catch(() =>
      this.#tookJob.delete(workerId),
    );
  }

  #record(workerId: string, sign: WorkerCall, start: ProgramStart | null = null): Promise<void> {
    const isTraced = this.#store.notifier.tracer !== null;
    return this.#store.write(recordSign, workerId, sign, this.#clock.now(), { isTraced, start });
  }
}
