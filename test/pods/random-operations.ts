// Concurrent client operations in a reproducible random order: on-demand and spot Pods are rented,
// moved and deleted. Afterwards nothing unused may be left.

import assert from "node:assert/strict";
import { rows, type Tx } from "../../src/store/engine/statement.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import type { PodJson } from "./fixture.ts";

export interface Plan {
  seed: number;
  operations: number;
  atOnce: number;
  /** The settings of every new Pod. */
  body: object;
}

const MOVES = ["stop", "start", "restart", "reset"];
const ANSWERS = [
  "200",
  "201",
  "204",
  "400 pod_not_running",
  "404 pod_not_found",
  "500 machine_full",
  "500 no_capacity",
];

/** Resolves to the number of each response, as text. */
export async function operateAtRandom(service: TestService, plan: Plan): Promise<string> {
  const throwDice = dice(plan.seed);
  const one = <Thing>(things: Thing[]) => things[Math.floor(throwDice() * things.length)];
  const ids: string[] = [];
  const answers = new Map<string, number>();
  const operate = async () => {
    const roll = throwDice();
    const [id, move, interruptible] = [one(ids), one(MOVES), throwDice() < 0.4];
    const answer =
      roll < 0.3 || id === undefined
        ? await service.call("POST", "/v1/pods", { ...plan.body, interruptible })
        : roll < 0.45
          ? await service.call("DELETE", `/v1/pods/${id}`)
          : await service.call("POST", `/v1/pods/${id}/${move}`);
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

/** A reproducible sequence of numbers from 0 to 1. */
function dice(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function* gpuHolders(): Tx<string[]> {
  const found = yield* rows<{ holder: string }>("select holder from held_gpu order by holder");
  return found.map(({ holder }) => holder);
}

/** Resolves once desired Pods, held GPUs and the containers that drivers list agree. */
export async function agreement(service: TestService): Promise<void> {
  const pods = (await service.call("GET", "/v1/pods")).json as PodJson[];
  const desired = pods.filter(({ desiredStatus }) => desiredStatus === "RUNNING");
  const ids = desired.map(({ id }) => id).sort();
  assert.deepEqual(await service.service.store.read(gpuHolders), ids);
  await until(async () => (await running(service)).join() === ids.join() || null, "");
}

async function running(service: TestService): Promise<string[]> {
  const containers = await Promise.all(
    service.replicas.map(({ service }) => service.drivers[0]!.list()),
  );
  const runningContainers = containers.flat().filter(({ state }) => state === "running");
  return runningContainers.map(({ id }) => id).sort();
}

function* countPods(): Tx<number> {
  const [found] = yield* rows<{ n: number }>("select count(*) as n from pod");
  return Number(found!.n);
}

/** Deletes every Pod; resolves once the store and the drivers have none left. */
export async function clearAll(service: TestService): Promise<void> {
  for (const { id } of (await service.call("GET", "/v1/pods")).json as PodJson[]) {
    assert.equal((await service.call("DELETE", `/v1/pods/${id}`)).status, 204);
  }
  await until(async () => (await service.service.store.read(countPods)) === 0 || null, "");
  assert.deepEqual(await service.service.store.read(gpuHolders), []);
  assert.deepEqual(await running(service), []);
}
