// Tests of guaranteed GPUs with two replicas on one store: creators at once never take one on demand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { join } from "../accounts/join.ts";
import { missing } from "../postgres/database.ts";
import { startPair } from "./pair.ts";

const A40 = "NVIDIA A40";
const POD = { driver: "simulated", imageName: "i", gpuTypeIds: [A40], volumeInGb: 0 };

test("creators on two replicas never take a guaranteed GPU on demand", {
  skip: missing,
}, async (t) => {
  // Each replica has a machine.
  const env = { FREEHOLD_GPUS: '{"NVIDIA A40": 4}' };
  const { service, a, b } = await startPair(t, { drivers: "simulated", env });
  const on = (n: number) => (n % 2 === 0 ? a : b);
  const ada = await join(service, "dev", "Ada");
  const asAda = { authorization: `Bearer ${ada.key}` };
  const memberIds = [ada.member.id];
  const body = { name: "vision", memberIds, guaranteedGpus: { [A40]: 5 } };
  const { status, text, json } = await a.call("POST", "/v1/projects", body);
  assert.equal(status, 201, text);

  // Spot Pods may have all eight, and every third creator is one.
  const create = (n: number) =>
    on(n).call("POST", "/v1/pods", { ...POD, name: `${n}`, interruptible: n % 3 === 0 });
  const pods = await Promise.all(Array.from({ length: 24 }, (_, n) => create(n)));
  const onDemand = pods.filter(({ status: created }, n) => created === 201 && n % 3 !== 0);
  assert.equal(onDemand.length, 3, pods.map((each) => each.text).join());
  const refused = pods.find(({ status: created }, n) => created !== 201 && n % 3 !== 0);
  assert.match(refused!.text, /A40 are guaranteed to project vision/);

  // The project gets all that is guaranteed, whatever spot Pods hold, while others try further.
  const own = (n: number) => on(n).call("POST", "/v1/pods", { ...POD, name: `own${n}` }, asAda);
  const further = Array.from({ length: 10 }, (_, n) => create(n));
  const taken = await Promise.all(Array.from({ length: 5 }, (_, n) => own(n)));
  const late = await Promise.all(further);
  assert.deepEqual(
    taken.map((each) => each.status),
    [201, 201, 201, 201, 201],
    taken.map((each) => each.text).join(),
  );
  assert.equal(late.filter(({ status: created }, n) => created === 201 && n % 3 !== 0).length, 0);
  const { json: project } = await b.call("GET", `/v1/projects/${json.id}`);
  assert.deepEqual(project.guaranteedGpus[A40], { count: 5, used: 5, free: 0, lent: 0, short: 0 });

  // What a request in line says of its owner and project is the same on both.
  const { json: queued } = await a.call("POST", "/v1/pods", { ...POD, queue: true }, asAda);
  assert.equal(queued.status, "QUEUED");
  const held = { gpuTypeId: A40, held: 5, limit: null };
  for (const replica of [a, b]) {
    const { json: why } = await replica.call("GET", `/v1/why/${queued.id}`, undefined, asAda);
    assert.match(
      why.sentence,
      /: you hold 5 NVIDIA A40, the project "vision" is guaranteed 5, next/,
    );
    const standing = { ...held, project: { ...held, name: "vision", guaranteed: 5, borrowed: 0 } };
    assert.deepEqual(why.evidence.standing, standing);
  }
});
