// Pods that are exempt from stops for being idle and from maximum lifetimes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { join } from "../accounts/join.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "./fixture.ts";

const cpuPod = { driver: "simulated", imageName: "i", computeType: "CPU" };
const idlePod = { ...cpuPod, dockerStartCmd: ["simulate"] };

test("an exempt Pod does not stop, and gets its time and a warning when the exemption ends", async (t) => {
  const service = await simulatedService(t, virtual);
  const ada = await join(service, "dev", "Ada");
  const rules = { stopWhenIdle: { minutes: 60 }, maxLifetime: { minutes: 120 } };
  const start = async (more: object) => {
    const { json, text } = await ada.call("POST", "/v1/pods", { ...idlePod, ...more });
    assert.ok(json.id, text);
    await until(podsOf(service).reached, json.id);
    return json.id as string;
  };
  const labels = { run: "final" };
  const idle = await start({ ...rules, maxLifetime: null, labels });
  const old = await start({ ...rules, stopWhenIdle: null, labels });
  const other = await start({ ...rules, labels: { run: "first" } });
  const read = async (id: string) => (await ada.call("GET", `/v1/pods/${id}`)).json;
  await advance(service, "40m");
  assert.ok((await read(idle)).idle);

  const now = Date.parse((await service.call("GET", "/v1/clock")).json.now);
  const end = new Date(now + 4 * 3_600_000).toISOString();
  const about = { label: "run=final", until: end, reason: "a deadline" };
  assert.equal((await ada.call("POST", "/v1/exemptions", about)).status, 403);
  const created = await service.call("POST", "/v1/exemptions", about);
  assert.partialDeepStrictEqual(created.json, { label: "run=final", until: end, byOperator: true });
  assert.deepEqual((await ada.call("GET", "/v1/exemptions")).json, [created.json]);
  const exempt = await read(idle);
  assert.partialDeepStrictEqual(exempt.exemption, { label: "run=final", reason: "a deadline" });
  assert.deepEqual([exempt.idle, exempt.idlePolicy], [undefined, undefined]);
  const why = await ada.call("GET", `/v1/why/${old}`);
  assert.match(
    why.json.sentence,
    /It is exempt from stops for being idle and from maximum lifetimes, by its label run=final, until .*Z: a deadline\.$/,
  );
  const refused = await ada.call("POST", `/v1/pods/${idle}/keep`, {});
  assert.match(refused.json.message, /is exempt from .* Nothing stops it\./);
  await advance(service, "3h");
  const state = async (id: string) => (await read(id)).desiredStatus;
  assert.deepEqual(
    [await state(idle), await state(old), await state(other)],
    ["RUNNING", "RUNNING", "EXITED"],
  );
  await advance(service, "63m");
  assert.deepEqual((await ada.call("GET", "/v1/exemptions")).json, []);
  assert.deepEqual([await state(idle), await state(old)], ["RUNNING", "RUNNING"]);
  await advance(service, "10m");
  assert.deepEqual([await state(idle), await state(old)], ["RUNNING", "EXITED"]);
  await advance(service, "60m");
  assert.equal(await state(idle), "EXITED");
  const audit = (await service.call("GET", "/v1/audit")).json.filter(
    ({ operation }: { operation: string }) => operation.endsWith("Exemption"),
  );
  assert.deepEqual(
    audit.map(({ operation, actor }: { operation: string; actor: string }) => [operation, actor]),
    [
      ["deleteExemption", "system"],
      ["createExemption", "key"],
      ["createExemption", "member"], // refused
    ],
  );
});

test("an account does not exempt from the operator's maximum, and names what is its own", async (t) => {
  const service = await simulatedService(t, virtual);
  const lab = await service.call("POST", "/v1/accounts", { name: "lab", limited: false });
  const account = `/v1/accounts/${lab.json.id}`;
  const set = await service.call("PATCH", account, { maxLifetime: { minutes: 60 } });
  assert.equal(set.status, 200, set.text);
  const headers = { authorization: `Bearer ${lab.json.key}`, "content-type": "application/json" };
  const call = async (method: string, path: string, body?: object) => {
    const sent = body ? { body: JSON.stringify(body) } : {};
    const answer = await fetch(`${service.origin}${path}`, { method, headers, ...sent });
    const text = await answer.text();
    return { status: answer.status, json: text ? JSON.parse(text) : null };
  };
  const pod = await call("POST", "/v1/pods", { ...idlePod, maxLifetime: { minutes: 30 } });
  const { id } = pod.json;
  await until(async () => (await call("GET", `/v1/pods/${id}`)).json.publicIp !== null);
  const own = await call("POST", "/v1/exemptions", { podId: id, reason: "ours" });
  assert.partialDeepStrictEqual(own.json, { podId: id, byOperator: false });
  const read = async () => (await call("GET", `/v1/pods/${id}`)).json;
  assert.partialDeepStrictEqual((await read()).lifetime, { minutes: 60, from: "account" });

  for (const [about, status] of [
    [{ podId: "missing" }, 404],
    [{ memberId: "missing" }, 404],
    [{ projectId: "missing" }, 404],
    [{ podId: id, label: "a=b" }, 400],
    [{}, 400],
    [{ label: "team" }, 400],
    [{ podId: id, until: "2001-01-01T00:00:00Z" }, 400],
    [{ podId: id, accountId: "missing" }, 403],
  ] as const)
    assert.equal((await call("POST", "/v1/exemptions", { ...about, reason: "r" })).status, status);
  const elsewhere = await service.call("POST", "/v1/exemptions", { podId: id, reason: "r" });
  assert.equal(elsewhere.status, 404, elsewhere.text);

  const accountId = lab.json.id;
  const grace = await join(service, "admin", "Grace");
  const operators = await grace.call("POST", "/v1/exemptions", {
    podId: id,
    reason: "the operator says so",
    accountId,
  });
  assert.equal(operators.json.createdBy, undefined);
  assert.equal(operators.json.byOperator, true, operators.text);
  assert.equal((await read()).lifetime, undefined);
  await advance(service, "2h");
  assert.equal((await read()).desiredStatus, "RUNNING");
  const path = `/v1/exemptions/${operators.json.id}`;
  assert.equal((await service.call("DELETE", path)).status, 404);
  assert.equal((await service.call("DELETE", `${path}?accountId=${accountId}`)).status, 204);
  await advance(service, "10m");
  assert.equal((await read()).desiredStatus, "EXITED");
});

test("exemptions of Pods that are gone give their places to others", async (t) => {
  const service = await simulatedService(t, virtual);
  const { json: pod } = await service.call("POST", "/v1/pods", idlePod);
  const exempt = (about: object) =>
    service.call("POST", "/v1/exemptions", { ...about, reason: "r" });
  const ofPod = await exempt({ podId: pod.id });
  assert.equal(ofPod.status, 201, ofPod.text);
  const labels = Array.from({ length: 99 }, (_, n) => ({ label: `n=${n}` }));
  await Promise.all(labels.map(exempt));
  const full = await exempt({ label: "n=99" });
  assert.deepEqual([full.status, full.json.code], [400, "too_many_of_kind"], full.text);
  assert.match(full.text, /has at most 100 exemptions; delete one first/);
  assert.equal((await service.call("DELETE", `/v1/pods/${pod.id}`)).status, 204);
  const last = await exempt({ label: "n=99" });
  assert.equal(last.status, 201, last.text);
  const { json: all } = await service.call("GET", "/v1/exemptions");
  assert.deepEqual([all.length, all.at(-1)], [100, last.json]);
  const audit: { operation: string; resourceId: string }[] = (
    await service.call("GET", "/v1/audit")
  ).json;
  const ends = audit.filter(({ operation }) => operation === "deleteExemption");
  assert.deepEqual(
    ends.map(({ resourceId }) => resourceId),
    [ofPod.json.id],
  );
});

test("a repeated request for an exemption gets its first answer, also once its end has passed", async (t) => {
  const service = await simulatedService(t, virtual);
  const now = await advance(service, "1s");
  const body = { label: "run=final", until: new Date(now + 60_000).toISOString(), reason: "r" };
  const exempt = (key: string) =>
    service.call("POST", "/v1/exemptions", body, { "idempotency-key": key });
  const first = await exempt("once");
  assert.equal(first.status, 201, first.text);
  await advance(service, "2m");
  const again = await exempt("once");
  assert.deepEqual([again.status, again.json.id], [201, first.json.id], again.text);
  assert.match((await exempt("other")).text, /\\"until\\" is in the past/);
});
