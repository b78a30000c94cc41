// Locking and unlocking a Pod over GraphQL, in the forms that public programs use.

import assert from "node:assert/strict";
import { test } from "node:test";
import { simulatedService } from "../pods/fixture.ts";
import { ask, refusal } from "./ask.ts";

test("podLock locks a Pod, and podUnlock unlocks it, without locked", async (t) => {
  const service = await simulatedService(t);
  const { json: pod } = await service.call("POST", "/v1/pods", {
    driver: "simulated",
    imageName: "i",
    computeType: "CPU",
  });
  const lockWith = (mutation: string, input: string) =>
    `mutation { ${mutation}(input: {podId: "${pod.id}"${input}}) { locked } }`;
  for (const [mutation, input, locked] of [
    ["podLock", "", true],
    ["podUnlock", "", false],
    ["podLock", ", locked: true", true],
    ["podLock", ", locked: false", false],
  ] as const) {
    assert.deepEqual(await ask(service, lockWith(mutation, input)), { [mutation]: { locked } });
  }
  const error = await refusal(service, lockWith("podUnlock", ", locked: true"));
  assert.equal(error.extensions.code, "invalid_body");
});
