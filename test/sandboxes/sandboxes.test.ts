// Sandboxes over REST v2: their life, their limits, their bill, and that no other interface shows them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readEvents } from "../fixtures/event-stream.ts";
import { createOtherAccount } from "../fixtures/service/other-account.ts";
import { until } from "../fixtures/until.ts";
import { simulatedService } from "../pods/fixture.ts";
import { sandboxService } from "./fixture.ts";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const time = (text: string) => Date.parse(text);

test("a sandbox starts, is found by its labels, and is readable after its end", async (t) => {
  const { ask, running, service, inState, templateId } = await sandboxService(t);
  const labels = { team: "search", run: "a=b" };
  const sandbox = await running({ name: "agent", labels, env: { A: "1" }, vcpuCount: 4 });
  assert.equal(sandbox.name, "agent");
  assert.deepEqual(sandbox.labels, labels);
  assert.deepEqual([sandbox.templateId, sandbox.imageName], [templateId, "image"]);
  const { costPerHr, ...compute } = sandbox.compute;
  assert.deepEqual(compute, { vcpuCount: 4, memoryInGb: 8, containerDiskInGb: 5 });
  assert.equal(time(sandbox.expiresAt) - time(sandbox.createdAt), HOUR);
  assert.equal(time(sandbox.idleExpiresAt) - time(sandbox.lastActivityAt), 600 * SECOND);
  const { spendPerHr } = await ask("GET", "/v1/balance");
  assert.equal(Math.round(costPerHr * 1e6), Math.round(spendPerHr * 1e6));

  const ids = async (query: string) =>
    (await ask("GET", `/v2/sandboxes${query}`)).sandboxes.map(({ id }: { id: string }) => id);
  assert.deepEqual(await ids("?labels=team%3Dsearch&labels=run%3Da%3Db"), [sandbox.id]);
  assert.deepEqual(await ids("?labels=team%3Dsearch&labels=run%3Da"), []);
  assert.deepEqual(await ids("?state=RUNNING"), [sandbox.id]);
  await ask("GET", "/v2/sandboxes?labels=team", undefined, 422);

  const logs = await readEvents(`${service.origin}/v2/sandboxes/${sandbox.id}/logs`, {
    authorization: `Bearer ${service.key}`,
  });
  await logs.until(({ data }) => data.line.startsWith("the container runs"));
  logs.close();

  for (let n = 0; n < 2; n++) await ask("DELETE", `/v2/sandboxes/${sandbox.id}`, undefined, 204);
  const ended = await inState(sandbox.id, "TERMINATED");
  assert.deepEqual([ended.terminationReason, ended.compute], ["DELETED", null]);
  assert.ok(ended.terminatedAt);
  assert.deepEqual(await ids(""), []);
  assert.deepEqual(await ids("?state=TERMINATED"), [sandbox.id]);
  // It is billed until its container has ended.
  await until(async () => (await ask("GET", "/v1/balance")).spendPerHr === 0);
  const path = `/v2/sandboxes/${sandbox.id}`;
  for (const [method, tail, body] of [
    ["POST", "/exec", { command: ["ls"] }],
    ["POST", "/extend", { maxLifetimeSeconds: 9_000 }],
    ["PATCH", "", { idleTimeoutSeconds: 9 }],
    ["GET", "/logs", undefined],
  ] as const) {
    assert.equal((await ask(method, path + tail, body, 409)).code, "sandbox_ended");
  }
});

test("a command ends with the access of the key that began it, which gets no output", async (t) => {
  const { running, service } = await sandboxService(t);
  const sandbox = await running();
  const path = `/v2/sandboxes/${sandbox.id}/exec`;
  const { json: another } = await service.call("POST", "/v1/keys", { name: "another" });
  const slow = { command: ["sh", "-c", "touch /tmp/begun; sleep 600"], timeoutSeconds: 50 };
  const headers = { authorization: `Bearer ${another.key}` };
  const refusal = service.call("POST", path, slow, headers);
  const look = { command: ["cat", "/tmp/begun"] };
  await until(async () => (await service.call("POST", path, look)).json.exitCode === 0 || null);
  await service.call("DELETE", `/v1/keys/${another.id}`);
  const { status, json } = await refusal;
  assert.deepEqual([status, json.code], [403, "forbidden"]);
});

test("a sandbox is no Pod to any interface, nor to another account", async (t) => {
  const { ask, running, service } = await sandboxService(t);
  const { id } = await running();
  assert.deepEqual(await ask("GET", "/v1/pods"), []);
  assert.deepEqual((await ask("GET", "/v2/pods")).pods, []);
  const query = `{ myself { pods { id } } pod(input: {podId: "${id}"}) { id } }`;
  const { json } = await service.call("POST", "/graphql", { query });
  assert.deepEqual(json.data, { myself: { pods: [] }, pod: null });
  for (const method of ["GET", "DELETE"]) await ask(method, `/v1/pods/${id}`, undefined, 404);
  await ask("POST", `/v2/pods/${id}/action`, { action: "stop" }, 404);
  await ask("POST", `/v1/pods/${id}/stop`, undefined, 404);
  const other = await createOtherAccount(service);
  const asOther = (method: string, path: string) => service.call(method, path, undefined, other);
  const foreign = await asOther("GET", `/v2/sandboxes/${id}`);
  assert.deepEqual([foreign.status, foreign.json.code], [404, "sandbox_not_found"]);
  assert.equal((await asOther("DELETE", `/v2/sandboxes/${id}`)).status, 404);
  assert.deepEqual((await asOther("GET", "/v2/sandboxes")).json.sandboxes, []);
});

test("the idle limit and the lifetime end a sandbox, which is billed to the limit", async (t) => {
  const { ask, running, inState, clock } = await sandboxService(t);
  const idle = await running({ idleTimeoutSeconds: 60, maxLifetimeSeconds: 100_000 });
  const lasting = await running({ idleTimeoutSeconds: 100_000, maxLifetimeSeconds: 1_800 });
  assert.equal(idle.maxLifetimeSeconds, 86_400);
  assert.equal(lasting.idleTimeoutSeconds, 7_200);
  clock.jump(600 * SECOND);
  const first = await inState(idle.id, "TERMINATED");
  assert.equal(first.terminationReason, "IDLE_TIMEOUT");
  assert.equal(first.terminatedAt, idle.idleExpiresAt);
  const longer = await ask("POST", `/v2/sandboxes/${lasting.id}/extend`, {
    maxLifetimeSeconds: 3_600,
  });
  assert.equal(time(longer.expiresAt) - time(longer.createdAt), HOUR);
  await ask("POST", `/v2/sandboxes/${lasting.id}/extend`, { maxLifetimeSeconds: 10 }, 400);
  clock.jump(1_500 * SECOND);
  assert.equal((await ask("GET", `/v2/sandboxes/${lasting.id}`)).state, "RUNNING");
  clock.jump(2 * HOUR);
  const second = await inState(lasting.id, "TERMINATED");
  assert.equal(second.terminationReason, "MAX_LIFETIME");
  assert.equal(time(second.terminatedAt) - time(second.createdAt), HOUR);

  const { records, metadata } = await ask("GET", "/v2/billing/sandboxes");
  assert.equal(metadata.uniqueSandboxCount, 2);
  const cost = ({ compute: { costPerHr }, startedAt }: typeof idle, end: string) =>
    (costPerHr * (time(end) - time(startedAt))) / HOUR;
  const expected = cost(idle, first.terminatedAt) + cost(lasting, second.terminatedAt);
  assert.ok(Math.abs(metadata.totals.totalAmount - expected) < 1e-4);
  assert.equal(records.length, 2);
  const everything = (await ask("GET", "/v2/billing")).metadata.totals;
  assert.equal(everything.sandboxAmount, metadata.totals.totalAmount);
  assert.equal(everything.podCpuAmount, 0);
});

test("a command keeps its sandbox in use as long as it runs, whatever its timeout", async (t) => {
  const { ask, running } = await sandboxService(t);
  const { id } = await running({ idleTimeoutSeconds: 20 });
  const exec = (...command: string[]) =>
    ask("POST", `/v2/sandboxes/${id}/exec`, { command, timeoutSeconds: 50 });
  const idleMs = async () => {
    const { idleExpiresAt, lastActivityAt } = await ask("GET", `/v2/sandboxes/${id}`);
    return time(idleExpiresAt) - time(lastActivityAt);
  };
  await exec("true");
  assert.equal(await idleMs(), 20 * SECOND);
  const long = exec("sh", "-c", "touch /tmp/begun; until test -e /tmp/end; do sleep 0.1; done");
  await until(async () => (await exec("cat", "/tmp/begun")).exitCode === 0 || null);
  assert.ok((await idleMs()) > 20 * SECOND);
  await exec("touch", "/tmp/end");
  assert.equal((await long).exitCode, 0);
});

test("a limit that passed while the service was down ends the sandbox at the limit", async (t) => {
  const { running, service, clock } = await sandboxService(t);
  const { id, expiresAt } = await running({ idleTimeoutSeconds: 7_200 });
  await service.stop();
  clock.jump(5 * HOUR);
  const again = await simulatedService(t, {
    dataFolder: service.dataFolder,
    clock,
    protocol: { heartbeatMs: 50 },
  });
  const ended = await until(async () => {
    const { json } = await again.call("GET", `/v2/sandboxes/${id}`);
    return json.state === "TERMINATED" ? json : null;
  });
  assert.deepEqual([ended.terminationReason, ended.terminatedAt], ["MAX_LIFETIME", expiresAt]);
  assert.equal((await again.call("GET", "/v1/balance")).json.spendPerHr, 0);
});

test("what cannot be a sandbox is refused with the field or the reason", async (t) => {
  const { ask, templateId, create } = await sandboxService(t);
  const refused = async (body: object, status: number) =>
    (await ask("POST", "/v2/sandboxes", body, status)).detail as string;
  assert.match(await refused({}, 400), /exactly one of imageName and templateId/);
  assert.match(await refused({ templateId, imageName: "a" }, 400), /exactly one/);
  assert.match(await refused({ templateId, gpu: { id: "A" } }, 422), /\$\.gpu/);
  assert.match(await refused({ templateId, idleTimeoutSeconds: 0 }, 422), /idleTimeoutSeconds/);
  assert.match(await refused({ templateId, labels: { "a=b": "c" } }, 422), /labels/);
  assert.match(await refused({ templateId, egressMode: "DENY_ALL" }, 400), /egressMode/);
  assert.match(await refused({ templateId, memoryInGb: 100_000 }, 400), /memory/);
  assert.match(await refused({ templateId, cpuFlavorId: "none" }, 400), /flavor none/);
  for (let n = 0; n < 2; n++) await create({ vcpuCount: 32 });
  assert.match(await refused({ templateId, vcpuCount: 32 }, 503), /insufficient capacity/);
});

test("a repeated Idempotency-Key creates one sandbox, and without credits there is none", async (t) => {
  const { service, ask, templateId } = await sandboxService(t);
  const headers = { "idempotency-key": "once" };
  const post = () => service.call("POST", "/v2/sandboxes", { templateId }, headers);
  const [one, two] = [(await post()).json, (await post()).json];
  assert.equal(one.id, two.id);
  assert.equal((await ask("GET", "/v2/sandboxes")).sandboxes.length, 1);
  await ask("POST", "/v1/balance/credits", { amount: 0.001, note: "test" }, 201);
  assert.equal((await ask("POST", "/v2/sandboxes", { templateId }, 402)).code, "no_credits");
});
