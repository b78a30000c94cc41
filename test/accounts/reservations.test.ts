// Tests of reservations: who may make them, and that nothing of others takes a reserved GPU.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { simulatedService } from "../pods/fixture.ts";
import { join } from "./join.ts";

const ANY_SHARE = '{"memberPercent": "off"}';
const A40 = "NVIDIA A40";
const POD = { driver: "simulated", imageName: "i", gpuTypeIds: [A40], volumeInGb: 0 };
const env = { FREEHOLD_GPUS: '{"NVIDIA A40": 4}', FREEHOLD_RESERVATION_LIMITS: ANY_SHARE };
/** Each replica has a machine. */
const gpusOf = ({ replicas }: Pick<TestService, "replicas">) => 4 * replicas.length;
const reservedText = (count: number, total: number, rest = "") =>
  new RegExp(`${count} of ${total} NVIDIA A40 are reserved${rest}`);
const ahead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

test("what is reserved goes to its holder alone, in every kind of workload", async (t) => {
  const service = await simulatedService(t, { env });
  const total = gpusOf(service);
  const forAda = reservedText(total - 1, total, " for Ada until ");
  const ada = await join(service, "dev", "Ada");
  const eve = await join(service, "admin", "Eve");
  const body = { gpuTypeId: A40, gpuCount: total - 1, until: ahead(2), note: "training" };
  const { status, text, json: reserved } = await ada.call("POST", "/v1/reservations", body);
  assert.equal(status, 201, text);
  assert.deepEqual(
    [reserved.active, reserved.gpuCount, reserved.createdBy.name, reserved.note],
    [true, total - 1, "Ada", "training"],
  );
  const path = `/v1/reservations/${reserved.id}`;

  // One is free for others.
  assert.equal((await eve.call("POST", "/v1/pods", POD)).status, 201);
  const refused = await eve.call("POST", "/v1/pods", POD);
  assert.match(refused.text, forAda);
  const cluster = await eve.call("POST", "/v2/clusters", {
    name: "c",
    image: "i",
    compute: { gpuTypeId: A40, gpuCountPerPod: 1, podCount: 2 },
  });
  assert.notEqual(cluster.status, 201);
  const { json: quote } = await eve.call("POST", "/v1/quote", { pod: POD });
  assert.match(JSON.stringify(quote), forAda);
  const template = { name: "t", imageName: "i", driver: "simulated", isServerless: true };
  const { json } = await eve.call("POST", "/v1/templates", template);
  const endpoint = { name: "e", templateId: json.id, gpuTypeIds: [A40], workersMin: 1 };
  const { json: served } = await eve.call("POST", "/v1/endpoints", endpoint);
  await until(async () => {
    const why = await eve.call("GET", `/v1/why/${served.id}`);
    return forAda.test(why.text);
  });

  // Its holder gets it, and what runs on it fills it.
  const own = await ada.call("POST", "/v1/pods", POD);
  assert.equal(own.status, 201, own.text);
  assert.match((await eve.call("POST", "/v1/pods", POD)).text, reservedText(total - 2, total));
  // A place that its holder gives back stays reserved.
  await ada.call("DELETE", `/v1/pods/${own.json.id}`);
  assert.match((await eve.call("POST", "/v1/pods", POD)).text, forAda);

  // Once it is cancelled, the endpoint's worker starts.
  assert.equal((await service.call("DELETE", path)).status, 204);
  await until(async () => {
    const { json: workers } = await eve.call("GET", `/v1/endpoints/${served.id}/workers`);
    return workers.length > 0;
  });
  assert.equal((await ada.call("GET", path)).status, 404);
  assert.deepEqual((await ada.call("GET", "/v1/reservations")).json, []);
});

test("reservations are refused beyond what there is, and by whose they are not", async (t) => {
  const service = await simulatedService(t, { env });
  const total = gpusOf(service);
  const grace = await join(service, "member", "Grace");
  const ada = await join(service, "dev", "Ada");
  const reserve = (changes: object, by: Pick<typeof ada, "call"> = ada) =>
    by.call("POST", "/v1/reservations", {
      gpuTypeId: A40,
      gpuCount: total - 1,
      from: ahead(10),
      until: ahead(12),
      ...changes,
    });
  const first = await reserve({});
  assert.equal(first.status, 201, first.text);
  const full = await reserve({ gpuCount: 2, from: ahead(11), until: ahead(14) }, grace);
  assert.equal(full.status, 409);
  const rest = " from .* until .*, and 2 more are asked";
  assert.match(full.text, reservedText(total - 1, total, rest));
  const after = await reserve({ gpuCount: 2, from: ahead(12.1), until: ahead(14) }, grace);
  assert.equal(after.status, 201, after.text);
  assert.match((await reserve({ until: ahead(9) })).text, /\\"until\\" must be after \\"from\\"/);
  assert.match((await reserve({ from: ahead(-3), until: ahead(-2) })).text, /is in the past/);
  assert.match((await reserve({ until: ahead(24 * 91) })).text, /more than 90 days ahead/);
  assert.match(
    (await reserve({ from: ahead(-9), until: ahead(0.05) })).text,
    /\\"until\\" must be at least 5 minutes after now/,
  );
  assert.match(
    (await reserve({ until: ahead(10.08) })).text,
    /\\"until\\" must be at least 5 minutes after \\"from\\"/,
  );
  assert.match((await reserve({ gpuTypeId: "NVIDIA A4" })).text, /NVIDIA A40/);
  assert.equal((await reserve({ projectId: "none" })).status, 404);

  // One that would have begun begins now, however long ago that is.
  const begun = await reserve({ from: "0000-01-01T00:00:00+14:00", until: ahead(1), gpuCount: 1 });
  assert.equal(begun.status, 201, begun.text);
  const { id, from, createdAt } = begun.json;
  assert.equal(from, createdAt);
  assert.equal((await ada.call("DELETE", `/v1/reservations/${id}`)).status, 204);

  // One that has not begun keeps nothing free.
  const four = { ...POD, gpuCount: 4 };
  assert.equal((await service.call("POST", "/v1/pods", four)).status, 201);

  const list = (query = "") => grace.call("GET", `/v1/reservations${query}`);
  assert.equal((await list()).json.length, 2);
  assert.equal((await list("?createdBy=me")).json.length, 1);
  assert.equal((await list(`?from=${ahead(13)}`)).json.length, 1);
  assert.equal((await list(`?until=${ahead(9)}`)).json.length, 0);
  assert.equal((await grace.call("DELETE", `/v1/reservations/${first.json.id}`)).status, 403);
  assert.equal((await grace.call("DELETE", `/v1/reservations/${after.json.id}`)).status, 204);
});

test("a quota limits how many GPUs are reserved at one time", async (t) => {
  const service = await simulatedService(t, { env: { FREEHOLD_GPUS: '{"NVIDIA A40": 16}' } });
  const ada = await join(service, "dev", "Ada");
  const eve = await join(service, "member", "Eve");
  const grace = await join(service, "admin", "Grace");
  const reserve = (by: Pick<typeof ada, "call">, changes: object = {}) =>
    by.call("POST", "/v1/reservations", {
      gpuTypeId: A40,
      gpuCount: 2,
      from: ahead(10),
      until: ahead(12),
      ...changes,
    });
  const limit = async (path: string, limits: object) => {
    const answer = await service.call("PATCH", path, limits);
    assert.equal(answer.status, 200, answer.text);
  };
  const refuses = async (answer: ReturnType<typeof reserve>, sentence: RegExp) => {
    const { status, json, text } = await answer;
    assert.deepEqual([status, json.code], [400, "quota_exceeded"], text);
    assert.match(text, sentence);
  };
  const accepts = async (answer: ReturnType<typeof reserve>) => {
    const { status, json, text } = await answer;
    assert.equal(status, 201, text);
    return json;
  };

  await limit("/v1/quota/member-default", { reservedGpus: 3 });
  const first = await accepts(reserve(ada));
  await refuses(
    reserve(ada, { from: ahead(11), until: ahead(13) }),
    /You hold 2 of 3 reserved GPUs, and this adds 2. Cancel a reservation, choose another time, or ask an admin of the account to raise/,
  );
  await refuses(reserve(ada, { gpuCount: 4 }), /Request at most 3 reserved GPUs, or ask an admin/);
  await accepts(reserve(ada, { from: ahead(12.1), until: ahead(13) }));

  // For a project its members reserve, and admins; it counts for both.
  const body = { name: "vision", memberIds: [eve.member.id], limits: { reservedGpus: 3 } };
  const { id: projectId } = (await grace.call("POST", "/v1/projects", body)).json;
  const foreign = await reserve(ada, { projectId });
  assert.equal(foreign.status, 403);
  assert.match(
    foreign.text,
    /You are not a member of the project \\"vision\\". Reserve for yourself/,
  );
  await accepts(reserve(eve, { projectId }));
  await refuses(
    reserve(grace, { projectId }),
    /The project \\"vision\\" holds 2 of 3 reserved GPUs/,
  );
  await refuses(reserve(eve), /You hold 2 of 3 reserved GPUs/);
  await accepts(reserve(grace, { projectId, gpuCount: 1 }));

  const { json: quota } = await ada.call("GET", "/v1/quota");
  const reserved = (all: { name: string; used: { reservedGpus: number } }[]) =>
    Object.fromEntries(all.map(({ name, used }) => [name, used.reservedGpus]));
  assert.deepEqual(reserved(quota.members), { Ada: 2, Eve: 2, Grace: 1 });
  assert.deepEqual([reserved(quota.projects), quota.account.used.reservedGpus], [{ vision: 3 }, 5]);
  assert.equal(quota.unowned.reservedGpus, 0);

  // A lower limit cancels nothing.
  await limit(`/v1/quota/members/${ada.member.id}`, { reservedGpus: 1 });
  const { json: lowered } = await ada.call("GET", "/v1/quota");
  assert.deepEqual(lowered.members[0].over, ["2 of 1 reserved GPUs"]);
  assert.equal((await ada.call("GET", `/v1/reservations/${first.id}`)).status, 200);
});

test("reservations are listed in pages, in the order in which they begin", async (t) => {
  const service = await simulatedService(t, { env });
  const ada = await join(service, "dev", "Ada");
  const reserve = async (from: number, by: Pick<typeof ada, "call"> = ada) => {
    const body = { gpuTypeId: A40, from: ahead(from), until: ahead(from + 2) };
    return (await by.call("POST", "/v1/reservations", body)).json.id as string;
  };
  const positionOf = async (id: string) => {
    const { json } = await ada.call("GET", `/v1/reservations/${id}`);
    return `${json.from}/${json.id}`;
  };
  const [third, first, second] = [await reserve(9), await reserve(1, service), await reserve(5)];
  const ids = async (query: string) => {
    const { json, text } = await ada.call("GET", `/v1/reservations?${query}`);
    assert.ok(Array.isArray(json), text);
    return json.map(({ id }: { id: string }) => id);
  };
  assert.deepEqual(await ids("limit=2"), [first, second]);
  const position = await positionOf(second);
  assert.deepEqual(await ids(`limit=2&after=${position}`), [third]);
  assert.deepEqual(await ids(`after=${await positionOf(third)}`), []);
  assert.deepEqual(await ids("limit=1&createdBy=me"), [second]);
  assert.deepEqual(await ids("gpuTypeId=NVIDIA+L4"), []);
  assert.equal((await ada.call("GET", "/v1/reservations?limit=0")).status, 400);
  for (const after of ["none", "2027-99-99T09:00:00.000Z/x", second]) {
    const refused = await ada.call("GET", `/v1/reservations?after=${after}`);
    assert.deepEqual([refused.status, refused.json.code], [400, "invalid_query"], refused.text);
    assert.match(refused.json.error, /"after" must/);
  }
  // A page goes on where the one before it ended, also where its last reservation is cancelled meanwhile.
  await ada.call("DELETE", `/v1/reservations/${second}`);
  assert.deepEqual(await ids(`limit=2&after=${position}`), [third]);
});

test("an account that is not the operator's reserves what the operator allows", async (t) => {
  const service = await simulatedService(t, { env });
  const { id } = (await service.call("POST", "/v1/accounts", { name: "customer" })).json;
  const { key } = (await service.call("POST", `/v1/accounts/${id}/keys`, { name: "k" })).json;
  const reserve = (gpuCount: number) => {
    const body = { gpuTypeId: A40, gpuCount, until: ahead(1) };
    return service.call("POST", "/v1/reservations", body, { authorization: `Bearer ${key}` });
  };
  const limit = async (reservedGpus: number | null) => {
    const path = `/v1/accounts/${id}/quota`;
    const { json, text } = await service.call("PATCH", path, { reservedGpus });
    assert.ok(json.account, text);
    return json.account.limits.reservedGpus;
  };
  assert.match(
    (await reserve(1)).text,
    /The account holds 0 of 0 reserved GPUs, and this adds 1. Ask the operator to raise the limit/,
  );
  const { json } = await service.call("GET", `/v1/accounts/${id}/quota`);
  assert.equal(json.account.limits.reservedGpus, 0);
  assert.equal(await limit(2), 2);
  assert.equal((await reserve(2)).status, 201);
  assert.match((await reserve(1)).text, /The account holds 2 of 2 reserved GPUs/);
  // Null lifts it, also there.
  assert.equal(await limit(null), undefined);
  assert.equal((await reserve(1)).status, 201);
});
