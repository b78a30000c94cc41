// Accounts for the GPUs that Pods hold and do not use, after each measurement of a machine. A time that was not measured
// counts neither as used nor as idle.

import type { Clock } from "../../base/clock.ts";
import { bucketStart } from "../../domain/money/buckets.ts";
import { isUp, type Pod } from "../../domain/pod/pod.ts";
import { type GpuTime, gpuTimeOf } from "../../domain/usage/gpu-time.ts";
import type { Store } from "../../store/engine/store.ts";
import { addGpuTimes } from "../../transactions/pod/gpu-time.ts";
import { activityBetween, follows, type Measurement } from "./measurement.ts";

/** Sums are in memory for so long; a process that ends loses them. */
const WRITE_EVERY_MS = 60_000;

interface GpuTimesDeps {
  store: Store;
  clock: Clock;
}

export class GpuTimes {
  readonly #deps: GpuTimesDeps;
  readonly #last = new Map<string, Measurement>();
  /** Each sum is that of a Pod, its owner and a day. */
  readonly #pending = new Map<string, GpuTime>();
  /** The sums of a write until it succeeds. It is repeated as it was, since one that failed may have been committed. */
  #unwritten: readonly GpuTime[] = [];
  #writtenAt = 0;

  constructor(deps: GpuTimesDeps) {
    this.#deps = deps;
  }

  /** After a measurement that failed. */
  clear(): void {
    this.#last.clear();
  }

  observe(pod: Pod, now: Measurement): void {
    const before = this.#last.get(pod.id);
    if (isUp(pod)) this.#last.set(pod.id, now);
    else this.#last.delete(pod.id);
    if (!before || !isUp(pod) || !follows(before, now, this.#deps.clock)) return;
    const time = gpuTimeOf(activityBetween(before, now));
    if (time) this.#add(pod, now.at, time);
  }

  #add(pod: Pod, at: number, { measuredMs, idleMs }: Pick<GpuTime, "measuredMs" | "idleMs">) {
    const { id: podId, name: podName, accountId, ownerId } = pod;
    const day = bucketStart("day", at);
    const key = `${podId} ${ownerId} ${day}`;
    const sum = this.#pending.get(key) ?? { measuredMs: 0, idleMs: 0 };
    this.#pending.set(key, {
      podId,
      podName,
      accountId,
      ownerId,
      day,
      at,
      measuredMs: sum.measuredMs + measuredMs,
      idleMs: sum.idleMs + idleMs,
    });
  }

  /** Forgets Pods that are gone, and writes the sums once a minute. */
  async settle(ids: ReadonlySet<string>): Promise<void> {
    for (const id of this.#last.keys()) if (!ids.has(id)) this.#last.delete(id);
    const ticks = this.#deps.clock.ticks();
    if (ticks - this.#writtenAt < WRITE_EVERY_MS) return;
    if (this.#unwritten.length === 0) {
      this.#unwritten = [...this.#pending.values()];
      this.#pending.clear();
    }
    if (this.#unwritten.length === 0) return;
    await this.#deps.store.write(addGpuTimes, this.#unwritten);
    this.#unwritten = [];
    this.#writtenAt = ticks;
  }
}
