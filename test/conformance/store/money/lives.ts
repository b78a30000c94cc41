// Random lifetimes of metered resources, and a model of what each costs, computed without any
// metering.

import { HOUR_MS } from "../../../../src/base/units.ts";
import type { Labels } from "../../../../src/domain/label/labels.ts";
import { type Attribution, isSameAttribution } from "../../../../src/domain/money/attribution.ts";
import { diskPart, leftOver, owed, wholeUnits } from "../../../../src/domain/money/owed.ts";
import type { Metered, UsageKind } from "../../../../src/store/usage/usage.ts";

type Ending = { what: "stop"; rate: number; diskGb: number } | { what: "end" };
/** With the owner and the labels that the resource has from then on. */
export type Happening = ({ what: "run" | "price"; rate: number } | { what: "label" } | Ending) & {
  of: Attribution;
};

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
    gpus: 0,
    keyId: ["", "k"][random(2)]!,
    ...attributionOf(random),
    running: true,
    diskGb: random(100),
    rate: random(5_000_000),
    diskRate: random(2) * random(100_000),
  };
  return { thing, unitMs: units[kind] };
}

function attributionOf(random: (below: number) => number): Attribution {
  const labels: Labels[] = [{}, { team: "" }, { team: "search" }, { team: "ads", run: "1" }];
  return { ownerId: [null, "ada", "grace"][random(3)]!, labels: labels[random(4)]! };
}

function happeningsOf({ thing }: Life, random: (below: number) => number): Happening[] {
  let of: Attribution = { ownerId: thing.ownerId, labels: thing.labels };
  const happenings: Happening[] = [{ what: "run", rate: thing.rate, of }];
  const stops = thing.kind === "pod";
  for (let more = random(5); more > 0; more--) {
    if (random(3) === 0) {
      of = attributionOf(random);
      happenings.push({ what: "label", of });
      continue;
    }
    const which = random(stops ? 3 : 1);
    const stop = { rate: random(9_000), diskGb: random(2) * 7 };
    if (which === 0) happenings.push({ what: "price", rate: random(5_000_000), of });
    if (which === 1) happenings.push({ what: "stop", ...stop, of });
    if (which === 2) happenings.push({ what: "run", rate: random(5_000_000), of });
  }
  if (random(4) > 0) happenings.push({ what: "end", of });
  return happenings;
}

interface Interval {
  rate: number;
  diskRate: number;
  beganAt: number;
  carry: number;
  running: boolean;
  of: Attribution;
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
        if (!open?.running || open.rate !== event.rate) this.#begin(event, event.at, true, false);
        break;
      case "price":
        if (open?.running && open.rate !== event.rate)
          this.#begin({ rate: event.rate, of: open.of }, event.at, true, true);
        break;
      case "label":
        if (open && !isSameAttribution(open.of, event.of)) this.#attribute(open, event);
        break;
      default:
        if (open) this.#ends(event);
    }
  }

  /** Micro-dollars and milliseconds by the hour they were in, up to `now`. */
  *hours(
    now: number,
  ): Generator<{ at: number; of: Attribution; micros: number; diskMicros: number; runMs: number }> {
    for (const interval of this.#intervals) {
      const end = interval.endedAt ?? now;
      for (let from = interval.beganAt; from < end; ) {
        const at = Math.floor(from / HOUR_MS) * HOUR_MS;
        const to = Math.min(end, at + HOUR_MS);
        const [before, after] = [owed(interval, from), owed(interval, to)];
        const diskMicros = diskPart(interval, after) - diskPart(interval, before);
        const runMs = interval.running ? to - from : 0;
        yield { at, of: interval.of, micros: after - before, diskMicros, runMs };
        from = to;
      }
    }
  }

  get #open(): Interval | undefined {
    const last = this.#intervals.at(-1);
    return last?.endedAt === null ? last : undefined;
  }

  /** An end that is reported late undoes the prices and the labels after it. */
  #ends(event: Ending & { of: Attribution; at: number }): void {
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
      this.#begin(event, event.at, false, false);
    }
  }

  /** An interval that began in the same minute changes as a whole. */
  #attribute(open: Interval, { of, at }: { of: Attribution; at: number }): void {
    if (Math.floor(open.beganAt / 60_000) === Math.floor(at / 60_000)) open.of = of;
    else this.#begin({ rate: open.rate, of }, at, open.running, true);
  }

  #begin(
    { rate, of }: { rate: number; of: Attribution },
    at: number,
    running: boolean,
    continues: boolean,
  ): void {
    const last = this.#intervals.at(-1);
    if (last) last.endedAt ??= Math.max(at, last.beganAt);
    const beganAt = Math.max(at, last?.endedAt ?? at);
    const carry = last ? leftOver(last, last.endedAt!) : 0;
    const diskRate = running ? diskRateAt(this.life, rate) : rate;
    const interval = { rate, diskRate, beganAt, carry, running, of, continues };
    this.#intervals.push({ ...interval, endedAt: null });
  }
}
