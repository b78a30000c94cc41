// Flash builds: archives uploaded to a signed URL, manifests, deployments, and calls by names.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { createOtherAccount } from "../fixtures/service/other-account.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { SkewedClock } from "../fixtures/time/skewed-clock.ts";
import { ask, post, refusal } from "./ask.ts";
import {
  ARCHIVE,
  alone,
  BUILD,
  build,
  DEPLOY,
  deploy,
  FINALIZE,
  MANIFEST,
  makeApp,
  PREPARE,
  prepare,
  put,
  SAVE,
} from "./flash.ts";

const HOUR_MS = 3_600_000;
const archivesOf = (service: TestService) => readdirSync(path.join(service.dataFolder, "flash"));

test("an archive is uploaded, finalized with a manifest, and removed with its app", async (t) => {
  const service = await startService(t, alone);
  const { appId } = await makeApp(service);
  const id = await build(service, appId);
  assert.deepEqual(archivesOf(service), [`${id}.tar.gz`]);
  const { flashBuild } = await ask(service, BUILD, { input: id });
  assert.deepEqual(flashBuild, { id, manifest: { resources: { f: {} } } });
  const manifest = { resources: {}, resources_endpoints: { f: "http://x" } };
  await ask(service, MANIFEST, { input: { flashBuildId: id, manifest } });
  assert.deepEqual((await ask(service, BUILD, { input: id })).flashBuild.manifest, manifest);
  const list = `{ flashApp(flashAppId: "${appId}") { flashBuilds { id objectKey } } }`;
  assert.deepEqual((await ask(service, list)).flashApp.flashBuilds, [
    { id, objectKey: `flash/${appId}/${id}.tar.gz` },
  ]);
  await ask(service, `mutation { deleteFlashApp(flashAppId: "${appId}") }`);
  assert.deepEqual(archivesOf(service), []);
  assert.equal((await ask(service, BUILD, { input: id })).flashBuild, null);
});

test("an upload that is forged, of another size, finalized or too large is refused", async (t) => {
  const service = await startService(t, alone);
  const { appId } = await makeApp(service);
  const { uploadUrl, objectKey } = await prepare(service, appId);
  const url = new URL(uploadUrl);
  for (const [name, value] of [
    ["signature", "0".repeat(64)],
    ["size", "5"],
    ["expires", "99999999999999"],
  ]) {
    const forged = new URL(url);
    forged.searchParams.set(name!, value!);
    const body = name === "size" ? ARCHIVE.subarray(0, 5) : ARCHIVE;
    assert.equal((await put(forged.href, body)).status, 403, name);
  }
  assert.equal((await put(uploadUrl, ARCHIVE.subarray(1))).status, 400);
  const streamed = new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(ARCHIVE));
      controller.enqueue(new Uint8Array(1));
      controller.close();
    },
  });
  const init = { method: "PUT", body: streamed, duplex: "half" } as RequestInit;
  assert.equal((await fetch(uploadUrl, init)).status, 400, "a body that lies about its size");
  assert.deepEqual(archivesOf(service), [], "nothing of a refused upload is left");

  const input = { flashAppId: appId, objectKey, manifest: {} };
  assert.equal((await refusal(service, FINALIZE, { input })).extensions.code, "invalid_body");
  assert.equal((await put(uploadUrl)).status, 200);
  assert.equal((await put(uploadUrl)).status, 200, "a client may repeat an upload");
  await ask(service, FINALIZE, { input });
  assert.equal((await put(uploadUrl)).status, 403, "a finalized build does not change");
  for (const tarballSize of [0, -1, 1_500 * 1_048_576 + 1]) {
    const refused = await refusal(service, PREPARE, { input: { flashAppId: appId, tarballSize } });
    assert.equal(refused.extensions.code, "invalid_body");
  }
});

test("an upload URL expires after an hour", async (t) => {
  const clock = new SkewedClock("2027-03-10T10:00:00Z");
  const service = await startService(t, { ...alone, clock });
  const { appId } = await makeApp(service);
  const { uploadUrl } = await prepare(service, appId);
  clock.jump(HOUR_MS - 60_000);
  assert.equal((await put(uploadUrl)).status, 200);
  clock.jump(61_000);
  assert.equal((await put(uploadUrl)).status, 403);
});

test("another account cannot use a build or an upload", async (t) => {
  const service = await startService(t, alone);
  const { appId, environmentId } = await makeApp(service);
  const id = await build(service, appId);
  const { objectKey } = await prepare(service, appId);
  const other = await createOtherAccount(service);
  const codeOf = async (query: string, input: object) =>
    (await post(service, query, { input }, other)).json.errors[0].extensions.code;
  assert.equal(await codeOf(PREPARE, { flashAppId: appId, tarballSize: 1 }), "flash_app_not_found");
  const finalize = { flashAppId: appId, objectKey, manifest: {} };
  assert.equal(await codeOf(FINALIZE, finalize), "flash_app_not_found");
  assert.equal(await codeOf(MANIFEST, { flashBuildId: id, manifest: {} }), "flash_build_not_found");
  const deployment = { flashEnvironmentId: environmentId, flashBuildId: id };
  assert.equal(await codeOf(DEPLOY, deployment), "flash_environment_not_found");
  assert.equal((await post(service, BUILD, { input: id }, other)).json.data.flashBuild, null);
});

test("a deployment releases the endpoints of its environment, which are called by their names", async (t) => {
  const service = await startService(t, alone);
  const { appId, environmentId } = await makeApp(service);
  const first = await build(service, appId);
  assert.equal(
    (await deploy(service, environmentId, first)).activeArtifact.objectKey,
    `flash/${appId}/${first}.tar.gz`,
  );
  // Without an engine nothing runs it, so that the job waits.
  const image = { imageName: "i", driver: "docker" };
  const template = { name: "f", ...image, containerDiskInGb: 5, dockerArgs: "", env: [] };
  const input = { name: "live-f", flashEnvironmentId: environmentId, template, workersMax: 1 };
  const { saveEndpoint: endpoint } = await ask(service, SAVE, { input });
  const { id } = endpoint;
  assert.deepEqual(endpoint, {
    id,
    flashEnvironmentId: environmentId,
    activeBuildid: first,
    version: 1,
  });
  await deploy(service, environmentId, await build(service, appId));
  await deploy(service, environmentId, first);
  const read = `{ myself { endpoint(id: "${id}") { activeBuildid version } } }`;
  assert.deepEqual((await ask(service, read)).myself.endpoint, {
    activeBuildid: first,
    version: 3,
  });

  const headers = { "x-flash-app": "a", "x-flash-environment": "dev", "x-flash-endpoint": "f" };
  const called = await service.call("POST", "/v2/flash/run", { input: { a: 1 } }, headers);
  assert.equal(called.status, 200, called.text);
  const job = called.json.id;
  const direct = await service.call("GET", `/v2/${id}/status/${job}`);
  const named = await service.call("GET", `/v2/flash/status/${job}`, undefined, headers);
  assert.deepEqual(named.json, direct.json);
  const stream = await service.call("GET", `/v2/flash/stream/${job}?wait=1`, undefined, headers);
  assert.equal(stream.status, 200, stream.text);
  const cancelled = await service.call("POST", `/v2/flash/cancel/${job}`, undefined, headers);
  assert.equal(cancelled.json.status, "CANCELLED");
  const retried = await service.call("POST", `/v2/flash/retry/${job}`, undefined, headers);
  assert.deepEqual(retried.json, (await service.call("POST", `/v2/${id}/retry/${job}`)).json);
  const nameless = await service.call("POST", "/v2/flash/run", { input: {} });
  assert.equal(nameless.status, 400);
  assert.match(nameless.json.error, /X-Flash-App is missing/);
  const missing = { ...headers, "x-flash-endpoint": "g" };
  const body = { input: { a: 1 } };
  assert.equal((await service.call("POST", "/v2/flash/runsync", body, missing)).status, 404);
  const other = await createOtherAccount(service);
  const foreign = { ...headers, ...other };
  assert.equal((await service.call("POST", "/v2/flash/runsync", body, foreign)).status, 404);
  const ofOther = await service.call("GET", `/v2/flash/status/${job}`, undefined, foreign);
  assert.equal(ofOther.status, 404);
  assert.equal((await service.call("GET", `/v2/flash/status/${job}`)).status, 400);

  const used = await refusal(service, `mutation { deleteFlashApp(flashAppId: "${appId}") }`);
  assert.equal(used.extensions.code, "flash_environment_in_use");
  await ask(service, `mutation { deleteEndpoint(id: "${id}") }`);
  await ask(service, `mutation { deleteFlashApp(flashAppId: "${appId}") }`);
});
