// The archive of a Flash build is readable through every replica, whichever received it.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { until } from "../fixtures/until.ts";
import { ask } from "../graphql/ask.ts";
import { ARCHIVE, deploy, FINALIZE, makeApp, prepare, put, SAVE } from "../graphql/flash.ts";
import { missing } from "../postgres/database.ts";
import { startPair } from "./pair.ts";

test("an archive that one replica received is downloaded and run through the other", {
  skip: missing,
}, async (t) => {
  const { a, b, service } = await startPair(t);
  const { appId, environmentId } = await makeApp(b);
  const { uploadUrl, objectKey } = await prepare(b, appId);
  assert.equal((await put(uploadUrl)).status, 200);
  const input = { flashAppId: appId, objectKey, manifest: { resources: { f: {} } } };
  const { id } = (await ask(a, FINALIZE, { input })).finalizeFlashArtifactUpload;

  const { activeArtifact } = await deploy(a, environmentId, id);
  assert.equal(activeArtifact.objectKey, objectKey);
  const download = await fetch(activeArtifact.downloadUrl);
  assert.equal(download.status, 200);
  assert.deepEqual(Buffer.from(await download.arrayBuffer()), ARCHIVE);
  assert.ok(Date.parse(activeArtifact.expiresAt) > Date.now());
  const upload = activeArtifact.downloadUrl.replace("/downloads/", "/uploads/");
  assert.equal((await put(upload)).status, 403, "a URL is signed for one use");

  const [, receiver] = service.replicas;
  await a.call("PATCH", `/v1/machines/${receiver!.service.replica.machine}`, { draining: true });
  const template = { name: "f", imageName: "i", driver: "simulated", dockerArgs: "", env: [] };
  const f = { name: "f", template: { ...template, containerDiskInGb: 5 }, workersMin: 1 };
  await ask(a, SAVE, { input: { ...f, flashEnvironmentId: environmentId } });
  const copy = path.join(service.dataFolder, "flash", `${id}.tar.gz`);
  await until(() => existsSync(copy));
  assert.deepEqual(readFileSync(copy), ARCHIVE);
});
