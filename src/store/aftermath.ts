// What a turn owes the world: counters that are written with its commit, and wake-ups that follow it.

import { type Counter, change, type Note, type Tally, type Verb } from "./statement.ts";
import type { Wakes } from "./wakes.ts";

export class Aftermath {
  /** Set by a call that need not be durable. */
  noSync = false;
  #tallies = new Map<string, Required<Tally["add"]>>();
  #freed = new Map<string, { at: number; served: number }>();
  #all = new Set<string>();
  #some = new Map<string, number>();

  note(step: Note): void {
    if ("ring" in step && step.one) this.#ringSome(step.ring, 1);
    else if ("ring" in step) this.#all.add(step.ring);
    else if ("freed" in step) this.#free(step.freed, step);
    else if ("noSync" in step) this.noSync = true;
    else this.#count(step.tally, step.add);
  }

  /** Joins what another part of the turn owes. */
  add(other: Aftermath): void {
    for (const topic of other.#all) this.#all.add(topic);
    for (const [topic, count] of other.#some) this.#ringSome(topic, count);
    for (const [workerId, freed] of other.#freed) this.#free(workerId, freed);
    for (const [endpointId, counts] of other.#tallies) this.#count(endpointId, counts);
  }

  /**
   * Writes the counters, in the transaction of what they count and always in the same order, so that
   * no two replicas wait for each other.
   */
  sums(slot: number): Verb<unknown>[] {
    const tallies = [...this.#tallies].sort(byName).map(([endpointId, add]) =>
      change(
        `insert into tally (endpoint_id, slot, in_queue, in_progress, completed, failed, retried)
         values (?, ?, ?, ?, ?, ?, ?)
         on conflict (endpoint_id, slot) do update set
           in_queue = tally.in_queue + excluded.in_queue,
           in_progress = tally.in_progress + excluded.in_progress,
           completed = tally.completed + excluded.completed,
           failed = tally.failed + excluded.failed,
           retried = tally.retried + excluded.retried`,
        endpointId,
        slot,
        add.in_queue,
        add.in_progress,
        add.completed,
        add.failed,
        add.retried,
      ),
    );
    const frees = [...this.#freed]
      .sort(byName)
      .map(([workerId, { at, served }]) =>
        change(
          "update worker set freed_at = ?, served = served + ? where id = ?",
          at,
          served,
          workerId,
        ),
      );
    return [...tallies, ...frees];
  }

  wake(wakes: Wakes): void {
    for (const topic of this.#all) wakes.ringEverywhere(topic);
    for (const [topic, count] of this.#some) wakes.ringSome(topic, count);
  }

  /** Wakes those here of whom some are enough, ahead of the others; true where anybody was woken. */
  wakeSome(wakes: Wakes): boolean {
    let woken = 0;
    for (const [topic, count] of this.#some) {
      const here = wakes.ringSomeHere(topic, count);
      if (here === count) this.#some.delete(topic);
      else this.#some.set(topic, count - here);
      woken += here;
    }
    return woken > 0;
  }

  /** Owes nothing any more: what it was owed for is undone. */
  clear(): void {
    this.#all.clear();
    this.#some.clear();
    this.#tallies.clear();
    this.#freed.clear();
  }

  #ringSome(topic: string, count: number): void {
    this.#some.set(topic, (this.#some.get(topic) ?? 0) + count);
  }

  #free(workerId: string, { at, served }: { at: number; served: number }): void {
    this.#freed.set(workerId, { at, served: (this.#freed.get(workerId)?.served ?? 0) + served });
  }

  #count(endpointId: string, add: Tally["add"]): void {
    let counts = this.#tallies.get(endpointId);
    if (!counts) {
      counts = { in_queue: 0, in_progress: 0, completed: 0, failed: 0, retried: 0 };
      this.#tallies.set(endpointId, counts);
    }
    for (const name of Object.keys(add) as Counter[]) counts[name] += add[name] ?? 0;
  }
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
