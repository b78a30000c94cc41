// Models of endpoints in containers: read-only, at the path that worker images expect.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { skipReason } from "../fixtures/docker/engine.ts";
import { ensureNodeImage } from "../fixtures/docker/node-image.ts";
import { commitOf, startModelHub } from "../fixtures/model-hub.ts";
import { MODEL_READER, makeModelEndpoint, readFileOf } from "../models/worker.ts";
import { startContainerService } from "./container-service.ts";

test("a container reads its endpoint's models and cannot change them", {
  skip: skipReason,
}, async (t) => {
  const files = { "config.json": "the config", "sub/w": randomBytes(50_000) };
  const other = { files: { "config.json": "another config" } };
  const hub = await startModelHub(t, { "o/n": { files }, "o/other": other, "o/third": other });
  const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
  const service = await startContainerService(t, {
    replicas: null,
    env: { FREEHOLD_MACHINE: machine, FREEHOLD_MODEL_SOURCE: hub.origin },
  });
  const imageName = ensureNodeImage(service.host);
  const template = {
    imageName,
    dockerEntrypoint: ["node", "-e"],
    dockerStartCmd: [MODEL_READER],
  };
  const third = await makeModelEndpoint(service, template, ["o/third"]);
  // The cache is below the path of the endpoint's network volume.
  const volume = { name: "v", size: 1, dataCenterId: "EU-RO-1" };
  const { json } = await service.call("POST", "/v1/networkvolumes", volume);
  const id = await makeModelEndpoint(service, template, ["o/n", "o/other"], {
    networkVolumeIds: [json.id],
  });
  assert.equal((await readFileOf(service, third, "o/third", "config.json")).text, "another config");
  const found = await readFileOf(service, id, "o/n", "config.json");
  assert.deepEqual(found, { commit: commitOf("o/n"), text: "the config", written: "EROFS" });
  assert.equal((await readFileOf(service, id, "o/other", "config.json")).text, "another config");
  assert.equal((await readFileOf(service, id, "o/n", "sub/w")).written, "EROFS");
  // A model of another endpoint is not there.
  assert.match((await readFileOf(service, id, "o/third", "config.json")).error!, /ENOENT/);
});
