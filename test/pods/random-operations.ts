// Operations of clients in a random order, many at the same time, and always the same ones: Pods on
// demand and spot Pods are rented, moved and deleted. Afterwards nothing may be left that nobody wants.

import assert from "node:assert/strict";
import { rows, type Verb } from "../../src/store/statement.ts";
import type { TestHouse } from "../house.ts";
import { type PodJson, until } from "./stage.ts";

export interface Plan {
  seed: number;
  operations: number;
  atOnce: number;
  /** What every new Pod is. */
  body: object;
}

const MOVES = ["stop", "start", "restart", "reset"];
const ANSWERS = [
  ...["200", "201", "204", "400 pod_not_running", "404 pod_not_found"],
  ...["500 machine_full", "500 no_capacity"],
];

/** Resolves to how often each answer came, in words. */
export async function operateAtRandom(house: TestHouse, plan: Plan): Promise<string> {
  const throwDice = dice(plan.seed);
  const one = <Thing>(things: Thing[]) => things[Math.floor(throwDice() * things.length)];
  const ids: string[] = [];
  const answers = new Map<string, number>();
  const operate = async () => {
    const roll = throwDice();
    const [id, move, interruptible] = [one(ids), one(MOVES), throwDice() < 0.4];
    const answer =
      roll < 0.3 || id === undefined
        ? await house.call("POST", "/v1/pods", { ...plan.body, interruptible })
        : roll < 0.45
          ? await house.call("DELETE", `/v1/pods/${id}`)
          : await house.call("POST", `/v1/pods/${id}/${move}`);
    if (answer.status === 201) ids.push(answer.json.id);
    if (answer.status === 204) ids.splice(ids.indexOf(id!), 1);
    const key = `${answer.status} ${answer.json?.code ?? ""}`.trim();
    assert.ok(ANSWERS.includes(key), answer.text);
    answers.set(key, (answers.get(key) ?? 0) + 1);
  };
  for (let n = 0; n < plan.operations; n += plan.atOnce) {
    await Promise.all(Array.from({ length: plan.atOnce }, operate));
  }
  return [...answers].map(([key, count]) => `${count} x ${key}`).join(", ");
}

/** Always the same numbers, from 0 to 1. */
function dice(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function* held(): Verb<string[]> {
  const found = yield* rows<{ holder: string }>("select holder from held_gpu order by holder");
  return found.map(({ holder }) => holder);
}

/** What is wanted, what was given out and what drivers see run: resolves once they agree. */
export async function agreement(house: TestHouse): Promise<void> {
  const pods = (await house.call("GET", "/v1/pods")).json as PodJson[];
  const wanted = pods.filter(({ desiredStatus }) => desiredStatus === "RUNNING");
  const ids = wanted.map(({ id }) => id).sort();
  assert.deepEqual(await house.house.store.read(held), ids);
  await until(async () => (await running(house)).join() === ids.join() || null, "");
}

async function running(house: TestHouse): Promise<string[]> {
  const seen = await Promise.all(house.replicas.map(({ house }) => house.drivers[0]!.list()));
  const here = seen.flat().filter(({ state }) => state === "running");
  return here.map(({ id }) => id).sort();
}

function* kept(): Verb<number> {
  const [found] = yield* rows<{ n: number }>("select count(*) as n from pod");
  return Number(found!.n);
}

/** Deletes every Pod; resolves once nothing of them is left in the store and on drivers. */
export async function clearAll(house: TestHouse): Promise<void> {
  for (const { id } of (await house.call("GET", "/v1/pods")).json as PodJson[]) {
    assert.equal((await house.call("DELETE", `/v1/pods/${id}`)).status, 204);
  }
  await until(async () => (await house.house.store.read(kept)) === 0 || null, "");
  assert.deepEqual(await house.house.store.read(held), []);
  assert.deepEqual(await running(house), []);
}
