// Tests of the line between projects with two replicas on one store: places go by their weights, whichever replica was asked.

import assert from "node:assert/strict";
import { test } from "node:test";
import { join } from "../accounts/join.ts";
import { until } from "../fixtures/until.ts";
import { missing } from "../postgres/database.ts";
import { startPair } from "./pair.ts";

const POD = { driver: "simulated", imageName: "i", gpuTypeIds: ["NVIDIA A40"], volumeInGb: 0 };

test("two projects of weights 1 and 3 get 2 and 6 places, on two replicas", {
  skip: missing,
}, async (t) => {
  const env = { FREEHOLD_GPUS: '{"NVIDIA A40": 8}' };
  const { service, a, b } = await startPair(t, { drivers: "simulated", env });
  const people = [
    await join(service, "dev", "Ada"),
    await join(service, "dev", "Bob", "bob@example.org"),
  ];
  for (const [n, { member }] of people.entries()) {
    const body = { name: member.name, memberIds: [member.id], weight: n === 0 ? 1 : 3 };
    assert.equal((await a.call("POST", "/v1/projects", body)).status, 201);
  }
  // A limit of the account keeps all in line until it rises.
  const { id } = (await a.call("GET", "/v1/account")).json;
  const allow = (gpus: number) => a.call("PATCH", `/v1/accounts/${id}/quota`, { gpus });
  await allow(1);
  assert.equal((await a.call("POST", "/v1/pods", POD)).status, 201);
  const queued = await Promise.all(
    Array.from({ length: 16 }, (_, n) => {
      const as = { authorization: `Bearer ${people[n % 2]!.key}` };
      return (n % 3 === 0 ? a : b).call("POST", "/v1/pods", { ...POD, queue: true }, as);
    }),
  );
  for (const { json, text } of queued) assert.equal(json.status, "QUEUED", text);
  await allow(9);
  const createdBy = async () => {
    const pods: { machineId: string; createdBy?: { name: string } }[] = (
      await b.call("GET", "/v1/pods")
    ).json;
    const created = pods.filter(({ machineId, createdBy: by }) => machineId !== "" && by);
    return Object.groupBy(created, (pod) => pod.createdBy!.name);
  };
  await until(async () => Object.values(await createdBy()).flat().length === 8);
  const { Ada = [], Bob = [] } = await createdBy();
  assert.deepEqual([Ada.length, Bob.length], [2, 6]);
});
