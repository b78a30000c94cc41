// Random lifetimes of metered resources, and a model of what each costs, computed without any
// metering.

import {
  diskPart,
  HOUR_MS,
  leftOver,
  owed,
  wholeUnits,
} from "../../../../src/domain/money/owed.ts";
import type { Metered, UsageKind } from "../../../../src/store/usage/usage.ts";

type Ending = { what: "stop"; rate: number; diskGb: number } | { what: "end" };
export type Happening = { what: "run" | "price"; rate: number } | Ending;

export type Event = Happening & { life: Life; at: number };

export interface Life {
  thing: Metered;
  /** Its billing unit in milliseconds. */
  unitMs: number;
}

const units: Record<UsageKind, number> = {
  pod: 1,
  cluster: 1,
  sandbox: 1,
  worker: 1_000,
  volume: HOUR_MS,
};
export const kinds: readonly UsageKind[] = ["pod", "sandbox", "worker", "volume"];

/** A pseudo-random generator: the same seed gives the same numbers. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** Of the disks of a life that runs at a rate. */
export const diskRateAt = ({ thing }: Life, rate: number) => Math.min(rate, thing.diskRate);

/**
 * Events within `spanMs` of `start`, in the order of their reports. Some are reported up to an hour
 * early or late.
 */
export function eventsOf(
  count: number,
  { start, spanMs }: { start: number; spanMs: number },
  random: (below: number) => number,
): Event[] {
  const reports: { event: Event; when: number }[] = [];
  for (let n = 0; n < count; n++) {
    const life = lifeOf(n, random);
    let when = start + random(spanMs);
    for (const happening of happeningsOf(life, random)) {
      const skew = random(8) === 0 ? random(2 * HOUR_MS) - HOUR_MS : 0;
      reports.push({ event: { ...happening, life, at: Math.max(start, when + skew) }, when });
      when += random(3) === 0 ? random(5_000) : random(4 * HOUR_MS);
    }
  }
  return reports.sort((a, b) => a.when - b.when).map(({ event }) => event);
}

function lifeOf(n: number, random: (below: number) => number): Life {
  const kind = kinds[random(kinds.length)]!;
  const thing: Metered = {
    accountId: ["account", "other"][random(2)]!,
    kind,
    resourceId: `life${n}`,
    endpointId: kind === "worker" ? `e${random(5)}` : "",
    gpuTypeId: kind === "volume" ? "" : `G${random(4)}`,
    dataCenterId: ["", "EU-RO-1"][random(2)]!,
    imageName: `i${random(3)}`,
    templateId: "",
    volumeType: kind === "volume" ? "STANDARD" : "",
    keyId: ["", "k"][random(2)]!,
    ...{ ownerId: null, labels: {} },
    running: true,
    diskGb: random(100),
    rate: random(5_000_000),
    diskRate: random(2) * random(100_000),
  };
  return { thing, unitMs: units[kind] };
}

function happeningsOf({ thing }: Life, random: (below: number) => number): Happening[] {
  const happenings: Happening[] = [{ what: "run", rate: thing.rate }];
  const stops = thing.kind === "pod";
  for (let more = random(5); more > 0; more--) {
    const which = random(stops ? 3 : 1);
    if (which === 0) happenings.push({ what: "price", rate: random(5_000_000) });
    if (which === 1) happenings.push({ what: "stop", rate: random(9_000), diskGb: random(2) * 7 });
    if (which === 2) happenings.push({ what: "run", rate: random(5_000_000) });
  }
  if (random(4) > 0) happenings.push({ what: "end" });
  return happenings;
}

interface Interval {
  rate: number;
  diskRate: number;
  beganAt: number;
  carry: number;
  running: boolean;
  /** True if the interval before went on, at another price. */
  continues: boolean;
  /** Null while it is open. */
  endedAt: number | null;
}

/** What one lifetime costs. */
export class Truth {
  readonly life: Life;
  readonly #intervals: Interval[] = [];

  constructor(life: Life) {
    this.life = life;
  }

  happens(event: Happening & { at: number }): void {
    const open = this.#open;
    switch (event.what) {
      case "run":
        if (!open?.running || open.rate !== event.rate)
          this.#begin(event.rate, event.at, true, false);
        break;
      case "price":
        if (open?.running && open.rate !== event.rate)
          this.#begin(event.rate, event.at, true, true);
        break;
      default:
        if (open) this.#ends(event);
    }
  }

  /** Micro-dollars and milliseconds by the hour they were in, up to `now`. */
  *hours(
    now: number,
  ): Generator<{ at: number; micros: number; diskMicros: number; runMs: number }> {
    for (const interval of this.#intervals) {
      const end = interval.endedAt ?? now;
      for (let from = interval.beganAt; from < end; ) {
        const at = Math.floor(from / HOUR_MS) * HOUR_MS;
        const to = Math.min(end, at + HOUR_MS);
        const [before, after] = [owed(interval, from), owed(interval, to)];
        const diskMicros = diskPart(interval, after) - diskPart(interval, before);
        yield { at, micros: after - before, diskMicros, runMs: interval.running ? to - from : 0 };
        from = to;
      }
    }
  }

  get #open(): Interval | undefined {
    const last = this.#intervals.at(-1);
    return last?.endedAt === null ? last : undefined;
  }

  /** An end that is reported late undoes the prices after it. */
  #ends(event: Ending & { at: number }): void {
    while (this.#open?.continues && this.#open.beganAt > event.at) {
      this.#intervals.pop();
      this.#intervals.at(-1)!.endedAt = null;
    }
    const open = this.#open!;
    if (event.what === "end") {
      const { beganAt } = this.#intervals.findLast(({ continues }) => !continues)!;
      open.endedAt = Math.max(open.beganAt, wholeUnits(beganAt, event.at, this.life.unitMs));
    } else if (event.diskGb === 0) open.endedAt = Math.max(open.beganAt, event.at);
    else if (open.running || open.rate !== event.rate) {
      this.#begin(event.rate, event.at, false, false);
    }
  }

  #begin(rate: number, at: number, running: boolean, continues: boolean): void {
    const last = this.#intervals.at(-1);
    if (last) last.endedAt ??= Math.max(at, last.beganAt);
    const beganAt = Math.max(at, last?.endedAt ?? at);
    const carry = last ? leftOver(last, last.endedAt!) : 0;
    const diskRate = running ? diskRateAt(this.life, rate) : rate;
    this.#intervals.push({ rate, diskRate, beganAt, carry, running, continues, endedAt: null });
  }
}
