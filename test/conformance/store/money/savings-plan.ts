// Savings plans: a covered GPU costs nothing exactly as long as it is covered, however late each
// change is reported.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { HOUR_MS } from "../../../../src/base/units.ts";
import { cover, type SavingsPlan } from "../../../../src/domain/money/savings-plan.ts";
import { change, type Tx } from "../../../../src/store/engine/statement.ts";
import type { Store } from "../../../../src/store/engine/store.ts";
import { unbalanced } from "../../../../src/store/ledger/ledger.ts";
import { findPod, lockPod } from "../../../../src/store/pod/row.ts";
import { duePlans, findPlan } from "../../../../src/store/savings-plan/savings-plan.ts";
import { chargeAll } from "../../../../src/transactions/money/charge-all.ts";
import { standingOf } from "../../../../src/transactions/money/standing.ts";
import { meterRunning } from "../../../../src/transactions/pod/meter.ts";
import { movePod } from "../../../../src/transactions/pod/move.ts";
import { markPodEnded } from "../../../../src/transactions/pod/observe.ts";
import { addPlan, endPlans } from "../../../../src/transactions/savings-plan/cover.ts";
import { Fixture, type OpenStore } from "../fixture.ts";
import { gpuMachine, rentPod } from "../pod/pod.ts";

const PER_GPU = 1_000_000;
const DISKS = 70_001;
const family = { accountId: "account", gpuTypeId: "G" };
const gpusOf = { a: 1, b: 2, c: 1 };
type Name = keyof typeof gpusOf;
const names = Object.keys(gpusOf) as Name[];

function plan(id: string, startAt: number, hours: number, more: Partial<SavingsPlan> = {}) {
  const cost = { length: "threeMonth", costPerHr: 1, upfrontCost: 1 } as const;
  const times = { startAt, endAt: startAt + hours * HOUR_MS, active: true };
  return { id, ...family, gpuCount: 1, ...cost, podId: null, ...times, ...more };
}

function* run(id: string, at: number): Tx<void> {
  yield* movePod((yield* lockPod(id))!, { event: "start", cause: "started", reason: null, at });
  yield* meterRunning((yield* findPod(id))!, null, at);
}

/** Sets a Pod's GPUs without placing it. */
function* giveGpus(id: string, gpus: number[]): Tx<void> {
  yield* change("update pod set gpus = ? where id = ?", gpus.join(), id);
}

function* stop(id: string, at: number): Tx<void> {
  yield* movePod((yield* lockPod(id))!, { event: "stop", cause: "stopped", reason: null, at });
}

/** A machine with stopped Pods that have no volume. */
async function setPods(open: OpenStore, t: Parameters<OpenStore>[0]) {
  const { store, now } = await Fixture.set(open, t);
  await gpuMachine(store, "m", now);
  for (const name of names) {
    const cost = gpusOf[name] * PER_GPU;
    const gpus = Array.from({ length: gpusOf[name] }, (_, n) => n);
    const prices = { cost, runningRate: cost + DISKS, stoppedRate: 0 };
    await store.write(rentPod, name, now, { pricing: prices, placement: { gpus: [] } });
    await store.write(stop, name, now);
    await store.write(giveGpus, name, gpus);
  }
  return { store, now };
}

const owedBy = async (store: Store, now: number) =>
  0 - (await store.read(standingOf, "account", now)).balance;

export function savingsPlanConformance(open: OpenStore, histories: number): void {
  timeConformance(open);
  test("any sequence of moves and plans is charged exactly", async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyAct, { maxLength: 25 }), async (acts) => {
        const { store, now: start } = await setPods(open, t);
        const { now, truth } = await perform(store, start, acts);
        await store.write(endPlans, family, now);
        assert.equal(await owedBy(store, now), truth.owed());
        assert.deepEqual(await store.read(unbalanced), []);
      }),
      { numRuns: histories, endOnFailure: true },
    );
  });
}

function timeConformance(open: OpenStore): void {
  test("a plan covers a Pod's GPU from its start to its end, however late the end is applied", async (t) => {
    const { store, now } = await setPods(open, t);
    const hour = (hours: number) => now + hours * HOUR_MS;
    await store.write(run, "a", now);
    await store.write(addPlan, plan("p", hour(1), 2));
    assert.equal((await store.read(findPod, "a"))?.pricing.coveredGpus, 1);
    assert.equal(await owedBy(store, hour(3)), PER_GPU + 3 * DISKS);
    await chargeAll(store, hour(5), 100);
    assert.deepEqual(await store.read(duePlans, hour(2)), { due: [], nextAt: hour(3) });
    assert.deepEqual((await store.read(duePlans, hour(5))).nextAt, null);
    await store.write(endPlans, family, hour(5));
    await store.write(endPlans, family, hour(5));
    assert.equal(await owedBy(store, hour(5)), 3 * PER_GPU + 5 * DISKS);
    assert.equal((await store.read(findPod, "a"))?.pricing.coveredGpus, 0);
    assert.equal((await store.read(findPlan, "p"))?.active, false);
    assert.deepEqual(await store.read(unbalanced), []);
  });

  test("a plan moves to the next Pod when its Pod stops, and waits if there is none", async (t) => {
    const { store, now } = await setPods(open, t);
    const podOf = async () => (await store.read(findPlan, "p"))?.podId;
    await store.write(addPlan, plan("p", now, 100, { gpuCount: 2 }));
    assert.equal(await podOf(), null);
    await store.write(run, "a", now);
    assert.equal(await podOf(), "a");
    await store.write(run, "b", now);
    assert.equal(await podOf(), "a");
    await store.write(stop, "a", now + HOUR_MS);
    assert.equal(await podOf(), "b");
    assert.equal((await store.read(findPod, "b"))?.pricing.coveredGpus, 2);
    assert.equal((await store.read(findPod, "a"))?.pricing.coveredGpus, 0);
    await store.write(stop, "b", now + 2 * HOUR_MS);
    assert.equal(await podOf(), "b");
    assert.equal(await owedBy(store, now + 3 * HOUR_MS), 3 * DISKS + 2 * PER_GPU);
  });

  test("a Pod's end that is reported after the plan's end is charged exactly", async (t) => {
    const { store, now } = await setPods(open, t);
    await store.write(run, "a", now);
    await store.write(addPlan, plan("p", now + HOUR_MS, 2));
    await store.write(endPlans, family, now + 6 * HOUR_MS);
    await chargeAll(store, now + 6 * HOUR_MS, 100);
    const end = { at: now + 2 * HOUR_MS + 1, exitCode: 1, signal: null, oom: false };
    await store.write(function* () {
      yield* markPodEnded((yield* lockPod("a"))!, end, { ends: [], startAt: end.at });
    });
    const covered = Math.floor((DISKS * (2 * HOUR_MS + 1)) / HOUR_MS);
    assert.equal(await owedBy(store, now + 9 * HOUR_MS), PER_GPU + covered);
    assert.deepEqual(await store.read(unbalanced), []);
  });
}

interface Act {
  what: string;
  name: Name;
  passes: number;
  gpuCount: number;
  hours: number;
}

async function perform(store: Store, start: number, acts: Act[]) {
  const truth = new Truth(start);
  let now = start;
  for (const [n, { what, name, passes, gpuCount, hours }] of acts.entries()) {
    now += passes;
    truth.pass(now);
    if (what === "run") {
      await store.write(run, name, now);
      truth.running.add(name);
    } else if (what === "stop") {
      await store.write(stop, name, now);
      truth.running.delete(name);
    } else if (what === "plan") {
      const newPlan = plan(`plan ${100 + n}`, now, hours, { gpuCount });
      await store.write(addPlan, newPlan);
      truth.plans.push({ ...newPlan });
    } else if (what === "endPlans") await store.write(endPlans, family, now);
    else await chargeAll(store, now, 2);
    truth.settle();
  }
  return { now, truth };
}

const anyAct = fc.record({
  what: fc.constantFrom("run", "run", "stop", "plan", "endPlans", "meter"),
  name: fc.constantFrom(...names),
  passes: fc.oneof(fc.integer({ min: 0, max: 999 }), fc.integer({ min: 0, max: 3 * HOUR_MS })),
  gpuCount: fc.integer({ min: 1, max: 3 }),
  hours: fc.integer({ min: 1, max: 5 }),
});

/** The model: what is owed, computed without any metering. */
class Truth {
  readonly running = new Set<Name>();
  plans: SavingsPlan[] = [];
  #now: number;
  #covered = new Map<string, number>();
  readonly #parts = new Map<Name, bigint>();

  constructor(now: number) {
    this.#now = now;
  }

  /** Advances to `at`, one plan's end after another. */
  pass(at: number): void {
    for (;;) {
      const next = Math.min(at, ...this.plans.map(({ endAt }) => endAt));
      for (const name of this.running) {
        const bare = gpusOf[name] - (this.#covered.get(name) ?? 0);
        const parts = BigInt(bare * PER_GPU + DISKS) * BigInt(next - this.#now);
        this.#parts.set(name, (this.#parts.get(name) ?? 0n) + parts);
      }
      this.#now = next;
      const over = this.plans.some(({ endAt }) => endAt <= next);
      this.plans = this.plans.filter(({ endAt }) => endAt > next);
      if (over) this.settle();
      if (next === at) return;
    }
  }

  settle(): void {
    const there = names.filter((name) => this.running.has(name));
    const pods = there.map((id) => ({ id, gpus: gpusOf[id] }));
    const { covered, podOf } = cover(this.plans, pods);
    for (const each of this.plans) each.podId = podOf.get(each.id) ?? each.podId;
    this.#covered = covered;
  }

  owed(): number {
    const each = [...this.#parts.values()].map((parts) => Number(parts / BigInt(HOUR_MS)));
    return each.reduce((sum, micros) => sum + micros, 0);
  }
}
