// What a turn owes the world: counters that are written with its commit, and wake-ups that follow it.

import { Minutes } from "./minutes.ts";
import { type Counter, change, type Note, type Sign, type Tally, type Verb } from "./statement.ts";
import { topic, type Wakes } from "./wakes.ts";

const COUNTERS = [
  "in_queue",
  "in_progress",
  "completed",
  "failed",
  "retried",
  "ever_completed",
  "ever_failed",
] as const satisfies readonly Counter[];

const NONE = Object.fromEntries(COUNTERS.map((name) => [name, 0])) as Required<Tally["add"]>;

const WRITE_TALLY = `
  insert into tally (endpoint_id, slot, ${COUNTERS.join(", ")})
  values (?, ?, ${COUNTERS.map(() => "?").join(", ")})
  on conflict (endpoint_id, slot) do update
    set ${COUNTERS.map((name) => `${name} = tally.${name} + excluded.${name}`).join(", ")}`;

export class Aftermath {
  /** Set by a call that need not be durable. */
  noSync = false;
  #tallies = new Map<string, Required<Tally["add"]>>();
  #minutes = new Minutes();
  #freed = new Map<string, { at: number; served: number }>();
  #signs = new Map<string, { at: number; sign: Sign }>();
  /** With their news; the last ring of a topic knows best. */
  #all = new Map<string, unknown>();
  #some = new Map<string, number>();

  note(step: Note): void {
    if ("ring" in step && step.one) this.#ringSome(step.ring, 1);
    else if ("ring" in step) this.#all.set(step.ring, step.news);
    else if ("freed" in step) this.#free(step.freed, step);
    else if ("signed" in step) this.#sign(step.signed, step);
    else if ("noSync" in step) this.noSync = true;
    else if ("lasted" in step) this.#minutes.lasted(step);
    else {
      this.#count(step.tally, step.add);
      this.#minutes.count(step);
    }
  }

  /** Joins what another part of the turn owes. */
  add(other: Aftermath): void {
    for (const [each, news] of other.#all) this.#all.set(each, news);
    for (const [each, count] of other.#some) this.#ringSome(each, count);
    for (const [workerId, freed] of other.#freed) this.#free(workerId, freed);
    for (const [workerId, signed] of other.#signs) this.#sign(workerId, signed);
    for (const [endpointId, counts] of other.#tallies) this.#count(endpointId, counts);
    this.#minutes.add(other.#minutes);
  }

  /**
   * Writes the counters, in the transaction of what they count and always in the same order, so that
   * no two replicas wait for each other.
   */
  sums(slot: number): Verb<unknown>[] {
    const tallies = [...this.#tallies]
      .sort(byName)
      .map(([endpointId, add]) =>
        change(WRITE_TALLY, endpointId, slot, ...COUNTERS.map((name) => add[name])),
      );
    const workers = [...new Set([...this.#freed.keys(), ...this.#signs.keys()])].sort();
    const minutes = this.#minutes.sums(slot);
    return [...tallies, ...minutes, ...workers.flatMap((id) => this.#ofWorker(id))];
  }

  #ofWorker(id: string): Verb<unknown>[] {
    const freed = this.#freed.get(id);
    const signed = this.#signs.get(id);
    return [
      ...(freed ? [writeFreed(id, freed)] : []),
      ...(signed ? [writeSign(id, signed.at, signed.sign)] : []),
    ];
  }

  wake(wakes: Wakes): void {
    for (const [each, news] of this.#all) wakes.ringEverywhere(each, news);
    // Whatever a job does moves a counter.
    for (const id of this.#tallies.keys()) wakes.ringEverywhere(topic.changedWithin("job", id));
    for (const [each, count] of this.#some) wakes.ringSome(each, count);
  }

  /** Wakes those here of whom some are enough, ahead of the others; true where anybody was woken. */
  wakeSome(wakes: Wakes): boolean {
    let woken = 0;
    for (const [each, count] of this.#some) {
      const here = wakes.ringSomeHere(each, count);
      if (here === count) this.#some.delete(each);
      else this.#some.set(each, count - here);
      woken += here;
    }
    return woken > 0;
  }

  /** Owes nothing any more: what it was owed for is undone. */
  clear(): void {
    this.#all.clear();
    this.#some.clear();
    this.#tallies.clear();
    this.#minutes.clear();
    this.#freed.clear();
    this.#signs.clear();
  }

  #ringSome(name: string, count: number): void {
    this.#some.set(name, (this.#some.get(name) ?? 0) + count);
  }

  #free(workerId: string, { at, served }: { at: number; served: number }): void {
    this.#freed.set(workerId, { at, served: (this.#freed.get(workerId)?.served ?? 0) + served });
  }

  #sign(workerId: string, { at, sign }: { at: number; sign: Sign }): void {
    const before = this.#signs.get(workerId);
    this.#signs.set(workerId, { at, sign: { ...before?.sign, ...given(sign) } });
  }

  #count(endpointId: string, add: Tally["add"]): void {
    let counts = this.#tallies.get(endpointId);
    if (!counts) {
      counts = { ...NONE };
      this.#tallies.set(endpointId, counts);
    }
    for (const name of Object.keys(add) as Counter[]) counts[name] += add[name] ?? 0;
  }
}

function writeFreed(id: string, { at, served }: { at: number; served: number }): Verb<unknown> {
  return change("update worker set freed_at = ?, served = served + ? where id = ?", at, served, id);
}

function writeSign(id: string, at: number, sign: Sign): Verb<unknown> {
  return change(
    `update worker set seen_at = ?, ready_at = coalesce(ready_at, ?),
       pinged_at = coalesce(?, pinged_at), ping_version = coalesce(?, ping_version),
       polled_idle_at = coalesce(?, polled_idle_at), stop_polled_at = coalesce(?, stop_polled_at)
     where id = ?`,
    at,
    sign.ready ? at : null,
    sign.pingVersion !== undefined ? at : null,
    sign.pingVersion ?? null,
    sign.polledIdle ? at : null,
    sign.stopPolled ? at : null,
    id,
  );
}

/** A later sign does not take back what an earlier one of the same turn said. */
function given(sign: Sign): Sign {
  return Object.fromEntries(
    Object.entries(sign).filter(([, said]) => said !== undefined && said !== false),
  );
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
