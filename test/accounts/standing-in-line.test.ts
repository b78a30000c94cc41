// Tests of the explanation of a Pod in line: who holds what of the GPUs that it waits for.

import assert from "node:assert/strict";
import { test } from "node:test";
import { simulatedService } from "../pods/fixture.ts";
import { join } from "./join.ts";

const A40 = "NVIDIA A40";
const POD = { driver: "simulated", imageName: "i", gpuTypeIds: [A40], volumeInGb: 0 };
const env = { FREEHOLD_GPUS: '{"NVIDIA A40": 4}' };

test("why of a Pod in line says what its owner and the project hold", async (t) => {
  const service = await simulatedService(t, { env });
  const ada = await join(service, "dev", "Ada");
  const bob = await join(service, "dev", "Bob", "bob@example.org");
  const eve = await join(service, "dev", "Eve", "eve@example.org");
  const memberIds = [ada.member.id, bob.member.id];
  const project = { name: "vision", memberIds, guaranteedGpus: { [A40]: 2 } };
  assert.equal((await service.call("POST", "/v1/projects", project)).status, 201);
  const limits = { gpuTypes: { [A40]: 4 } };
  await service.call("PATCH", `/v1/quota/members/${ada.member.id}`, limits);
  for (const { call } of [ada, ada, bob, eve]) {
    const { status, text } = await call("POST", "/v1/pods", POD);
    assert.equal(status, 201, text);
  }

  const enqueue = async ({ call }: Pick<typeof ada, "call">, body: object = POD) => {
    const { json, text } = await call("POST", "/v1/pods", { ...body, queue: true });
    assert.equal(json.status, "QUEUED", text);
    return json.id as string;
  };
  const first = await enqueue(eve);
  const second = await enqueue(ada);
  const why = async ({ call }: Pick<typeof ada, "call">, id: string) =>
    (await call("GET", `/v1/why/${id}`)).json;
  const { sentence, evidence } = await why(ada, second);
  assert.match(
    sentence,
    /in line for [^:]+: you hold 2 of 4 NVIDIA A40, the project "vision" borrows 1, next in line behind 1 other\. All machines/,
  );
  assert.deepEqual(evidence.standing, {
    gpuTypeId: A40,
    held: 2,
    limit: 4,
    project: {
      gpuTypeId: A40,
      held: 3,
      limit: null,
      name: "vision",
      guaranteed: 2,
      borrowed: 1,
    },
  });
  assert.match((await why(bob, second)).sentence, /: Ada holds 2 of 4 NVIDIA A40, the project/);
  assert.match((await why(eve, first)).sentence, /: you hold 1 NVIDIA A40, next in line\. All/);
  const third = await enqueue(service);
  assert.match((await why(eve, third)).sentence, /: the account holds 4 NVIDIA A40, next in line/);
});
