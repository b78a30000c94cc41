// A create that is refused gets one answer with a container engine and without one, word for word, in every interface.

import assert from "node:assert/strict";
import { test } from "node:test";
import { skipReason } from "../fixtures/docker/engine.ts";
import { startService } from "../fixtures/service/service.ts";
import { BAD_CREATES } from "./bad-creates.ts";
import { startContainerService } from "./container-service.ts";

const env = {
  FREEHOLD_MACHINE: JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 }),
  FREEHOLD_GPUS: JSON.stringify({ "NVIDIA A40": 2 }),
};

test("a bad create has one answer with an engine and without one", {
  skip: skipReason,
}, async (t) => {
  const engine = await startContainerService(t, { env });
  const simulated = await startService(t, { drivers: "simulated", env });
  const differing: object[] = [];
  const accepted: string[] = [];
  for (const [path, body] of BAD_CREATES) {
    const answers = [];
    for (const service of [engine, simulated]) {
      const { status, text, json } = await service.call("POST", path, body);
      const isRefusal = path === "/graphql" ? Array.isArray(json?.errors) : status >= 400;
      if (!isRefusal) accepted.push(`${path} ${JSON.stringify(body)}: ${status} ${text}`);
      const { machine } = service.service.replica;
      answers.push(`${status} ${text.replaceAll(machine, "MACHINE")}`);
    }
    if (answers[0] !== answers[1]) differing.push({ path, body, answers });
  }
  assert.deepEqual({ accepted, differing }, { accepted: [], differing: [] });
});
