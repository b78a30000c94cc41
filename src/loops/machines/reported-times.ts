// Turns the times that a machine's drivers report into the store's. A container that was seen running did not end
// before; without that, an engine whose clock is behind would have every end refunded.

import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import { type StoreInstant, skewText, toStoreInstant } from "../../domain/machine/reported-time.ts";
import type { Observation } from "../../drivers/driver.ts";
import type { Store } from "../../store/engine/store.ts";
import { recordSkew } from "../../transactions/machine/record-skew.ts";

/** What the store knows about a workload. */
export interface KnownTimes {
  /** When its container was requested; null if its start is known. */
  requestedAt: number | null;
  /** Its container did not end before this. */
  startedAt: number;
}

interface Deps {
  store: Store;
  clock: Clock;
  log: Logger;
  machine: string;
}

export class ReportedTimes {
  readonly #deps: Deps;
  readonly #seenRunning = new Map<string, number>();
  #recordedSkewMs = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** `askedAt` is when the driver was asked for its containers. */
  async correct(
    observations: readonly Observation[],
    knownOf: (id: string) => KnownTimes | null,
    askedAt: number,
  ): Promise<Observation[]> {
    const latest = this.#deps.clock.now();
    const skews: number[] = [];
    const instant = ({ at, skewMs }: StoreInstant) => {
      skews.push(skewMs);
      return at;
    };
    const corrected = observations.map((observation) => {
      const known = knownOf(observation.id);
      if (!known) return observation;
      const { requestedAt } = known;
      const startedAt =
        requestedAt === null
          ? observation.startedAt
          : instant(toStoreInstant(observation.startedAt, { earliest: requestedAt, latest }));
      const isRunning = observation.state === "running";
      const seenAt = this.#seenRunning.get(observation.id);
      if (isRunning) this.#seenRunning.set(observation.id, askedAt);
      else this.#seenRunning.delete(observation.id);
      if (isRunning || observation.endedAt === null) return { ...observation, startedAt };
      const earliest = Math.min(latest, Math.max(known.startedAt, seenAt ?? 0));
      const endedAt = instant(toStoreInstant(observation.endedAt, { earliest, latest }));
      return { ...observation, startedAt, endedAt };
    });
    this.#forgetOthers(observations);
    if (skews.length > 0) await this.#report(skews);
    return corrected;
  }

  #forgetOthers(observations: readonly Observation[]): void {
    if (this.#seenRunning.size <= observations.length) return;
    const present = new Set(observations.map(({ id }) => id));
    for (const id of this.#seenRunning.keys()) if (!present.has(id)) this.#seenRunning.delete(id);
  }

  /** Any claim within its bounds clears a skew, for a wrong clock is wrong about all of them. */
  async #report(skews: readonly number[]): Promise<void> {
    const { store, log, machine } = this.#deps;
    const skewMs = skews.includes(0) ? 0 : skews.reduce(larger);
    if (isSameSkew(skewMs, this.#recordedSkewMs)) return;
    if (skewMs !== 0) log.warn({ machine, skewMs }, skewText(skewMs));
    await store.write(recordSkew, machine, skewMs);
    this.#recordedSkewMs = skewMs;
  }
}

/** Claims of one clock differ by the time that it takes to observe them. */
const isSameSkew = (a: number, b: number) =>
  Math.sign(a) === Math.sign(b) && Math.abs(a - b) <= Math.max(10_000, Math.abs(b) / 10);

const larger = (a: number, b: number) => (Math.abs(a) > Math.abs(b) ? a : b);
