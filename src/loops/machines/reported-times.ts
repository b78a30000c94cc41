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
  /** When each container was last seen running, by driver: each lists only its own. */
  readonly #seenRunning = new Map<string, Map<string, number>>();
  readonly #skewMs = new Map<string, number>();
  #recordedSkewMs = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** `observations` are all containers that the driver listed; `askedAt` is when it was asked for them. */
  async correct(
    driver: string,
    observations: readonly Observation[],
    knownOf: (id: string) => KnownTimes | null,
    askedAt: number,
  ): Promise<Observation[]> {
    const latest = this.#deps.clock.now();
    const seenRunning = this.#seenRunning.get(driver) ?? new Map<string, number>();
    this.#seenRunning.set(driver, seenRunning);
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
      const seenAt = seenRunning.get(observation.id);
      if (isRunning && !observation.isStale) seenRunning.set(observation.id, askedAt);
      if (isRunning || observation.endedAt === null) return { ...observation, startedAt };
      const earliest = Math.min(latest, Math.max(known.startedAt, seenAt ?? 0));
      const endedAt = instant(toStoreInstant(observation.endedAt, { earliest, latest }));
      return { ...observation, startedAt, endedAt };
    });
    // An end is reported until it is recorded, so a container is forgotten only once its driver no longer lists it.
    const listed = new Set(observations.map(({ id }) => id));
    for (const id of seenRunning.keys()) if (!listed.has(id)) seenRunning.delete(id);
    if (skews.length > 0) await this.#report(driver, skews);
    return corrected;
  }

  /** Any claim within its bounds clears a skew, for a wrong clock is wrong about all of them. */
  async #report(driver: string, skews: readonly number[]): Promise<void> {
    const { store, log, machine } = this.#deps;
    this.#skewMs.set(driver, skews.includes(0) ? 0 : skews.reduce(larger));
    const skewMs = [...this.#skewMs.values()].reduce(larger);
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
