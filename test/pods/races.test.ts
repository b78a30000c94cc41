// Hundreds of random operations at the same time: in the end what is wanted, what was given out and
// what runs agree.

import assert from "node:assert/strict";
import { test } from "node:test";
import { rows, type Verb } from "../../src/store/statement.ts";
import { fakeHouse, type PodJson, until } from "./stage.ts";

const GPUS = 6;
const OPERATIONS = 300;
const AT_ONCE = 12;

function* given(): Verb<{ gpu: number; holder: string }[]> {
  return yield* rows("select gpu, holder from held_gpu order by gpu");
}

/** Always the same numbers, from 0 to 1. */
function dice(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test("random operations leak no GPU and leave no container behind", async (t) => {
  const env = { FREEHOLD_VIRTUAL_GPUS: `{"NVIDIA A40": ${GPUS}}` };
  const house = await fakeHouse(t, { env });
  const throwDice = dice(7);
  const ids: string[] = [];
  const statuses = new Map<string, number>();
  const operate = async () => {
    const roll = throwDice();
    const id = ids[Math.floor(throwDice() * ids.length)];
    const move = ["stop", "start", "restart", "reset"][Math.floor(throwDice() * 4)]!;
    const answer =
      roll < 0.3 || id === undefined
        ? await house.call("POST", "/v1/pods", { driver: "fake", imageName: "i" })
        : roll < 0.45
          ? await house.call("DELETE", `/v1/pods/${id}`)
          : await house.call("POST", `/v1/pods/${id}/${move}`);
    if (answer.status === 201) ids.push(answer.json.id);
    if (answer.status === 204) ids.splice(ids.indexOf(id!), 1);
    const key = `${answer.status} ${answer.json?.code ?? ""}`.trim();
    statuses.set(key, (statuses.get(key) ?? 0) + 1);
  };
  for (let n = 0; n < OPERATIONS; n += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, operate));
  }
  const expected = ["200", "201", "204", "400 pod_not_running", "404 pod_not_found"];
  const capacity = ["500 machine_full", "500 no_capacity"];
  for (const key of statuses.keys()) assert.ok([...expected, ...capacity].includes(key), key);
  t.diagnostic([...statuses].map(([key, count]) => `${count} x ${key}`).join(", "));

  const pods = (await house.call("GET", "/v1/pods")).json as PodJson[];
  const wanted = pods.filter(({ desiredStatus }) => desiredStatus === "RUNNING");
  const held = (await house.house.store.read(given)).map(({ holder }) => holder);
  assert.deepEqual(held.sort(), wanted.map(({ id }) => id).sort());
  const running = async () => {
    const seen = await Promise.all(house.replicas.map(({ house }) => house.drivers[0]!.list()));
    return seen
      .flat()
      .filter(({ state }) => state === "running")
      .map(({ id }) => id)
      .sort();
  };
  await until(async () => {
    return (await running()).join() ===
      wanted
        .map(({ id }) => id)
        .sort()
        .join()
      ? true
      : null;
  }, "");
});
