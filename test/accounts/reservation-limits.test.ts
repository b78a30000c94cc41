// Tests of what reservations an account and a member may have: how many, how long, how much of the GPUs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { resourceLimits } from "../../src/domain/storage/resource-limits.ts";
import { findReservation, insertReservation } from "../../src/store/reservation/reservation.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
import { until } from "../fixtures/until.ts";
import { simulatedService } from "../pods/fixture.ts";
import { join } from "./join.ts";

const A40 = "NVIDIA A40";
const env = { FREEHOLD_GPUS: '{"NVIDIA A40": 4}' };
const ahead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

test("an account has so many open reservations, and ended ones go after 90 days", async (t) => {
  const service = await simulatedService(t, { env });
  const { store } = service.service;
  const accountId = (await service.call("GET", "/v1/account")).json.id;
  const now = Date.now();
  const stored = (id: string, from: number) => ({
    id,
    accountId,
    projectId: null,
    gpuTypeId: "NVIDIA L4",
    gpuCount: 1,
    note: "",
    labels: {},
    from,
    until: from + 3_600_000,
    createdAt: from,
    changedAt: from,
    sequence: 0,
    cancelledAt: null,
    unusedSince: null,
    warnedAt: null,
    releasedAt: null,
    enlargedBy: null,
  });
  const days = (count: number) => now + count * 86_400_000;
  const { limit } = resourceLimits.reservation;
  await store.write(function* () {
    yield* insertReservation(stored("forgotten", days(-91)));
    yield* insertReservation(stored("ended", days(-89)));
    for (let n = 1; n < limit; n++) yield* insertReservation(stored(`r${n}`, days(9)));
  });
  const reserve = () =>
    service.call("POST", "/v1/reservations", { gpuTypeId: A40, until: ahead(1) });
  const statuses = (await Promise.all([reserve(), reserve()])).map(({ status }) => status);
  assert.deepEqual(statuses.sort(), [201, 400]);
  const { json } = await reserve();
  assert.equal(json.code, "too_many_of_kind");
  assert.match(json.error, /at most 500 open reservations; delete one first/);

  await until(async () => (await store.read(findReservation, "forgotten")) === undefined);
  assert.ok(await store.read(findReservation, "ended"));
});

test("one member does not use up the open reservations of the account", async (t) => {
  const service = await simulatedService(t, { env });
  const ada = await join(service, "dev", "Ada");
  const eve = await join(service, "dev", "Eve", "eve@example.org");
  const { limit } = resourceLimits.memberReservation;
  const reserve = (n: number, by: Pick<typeof ada, "call"> = ada) => {
    const body = { gpuTypeId: A40, from: ahead(2 * n), until: ahead(2 * n + 1) };
    return by.call("POST", "/v1/reservations", body);
  };
  const { json: first } = await reserve(0);
  for (let n = 1; n < limit - 1; n++) assert.equal((await reserve(n)).status, 201);
  const last = await Promise.all([reserve(limit), reserve(limit + 1)]);
  assert.deepEqual(last.map(({ status }) => status).sort(), [201, 400]);
  const { json } = await reserve(limit);
  assert.equal(json.code, "too_many_of_kind");
  assert.match(json.error, /at most 100 open reservations of one member; delete one first/);
  assert.equal((await reserve(limit, eve)).status, 201);
  assert.equal((await reserve(limit, service)).status, 201);
  await ada.call("DELETE", `/v1/reservations/${first.id}`);
  assert.equal((await reserve(limit)).status, 201);
});

test("a repeated request gets its first answer, also once its times would be refused", async (t) => {
  const service = await simulatedService(t, { ...virtual, env: { ...virtual.env, ...env } });
  const now = await advance(service, "1s");
  const body = { gpuTypeId: A40, until: new Date(now + 6 * 60_000).toISOString() };
  const reserve = (key: string) =>
    service.call("POST", "/v1/reservations", body, { "idempotency-key": key });
  const first = await reserve("once");
  assert.equal(first.status, 201, first.text);
  await advance(service, "2m");
  const again = await reserve("once");
  assert.deepEqual([again.status, again.json.id], [201, first.json.id], again.text);
  assert.match((await reserve("other")).text, /at least 5 minutes after now/);
});

test("the operator limits how long, how far ahead, and how much one member reserves", async (t) => {
  const limits = '{"hours": 48, "aheadDays": 10}';
  const options = { env: { ...env, FREEHOLD_RESERVATION_LIMITS: limits } };
  const service = await simulatedService(t, options);
  const total = 4 * service.replicas.length;
  const ada = await join(service, "dev", "Ada");
  const bob = await join(service, "dev", "Bob", "bob@example.org");
  const eve = await join(service, "admin", "Eve");
  const project = { name: "vision", memberIds: [ada.member.id] };
  const { json: vision } = await service.call("POST", "/v1/projects", project);
  const reserve = (changes: object, by: Pick<typeof ada, "call"> = ada) =>
    by.call("POST", "/v1/reservations", {
      gpuTypeId: A40,
      gpuCount: 1,
      from: ahead(24),
      until: ahead(30),
      ...changes,
    });
  assert.match((await reserve({ until: ahead(24 * 11) })).text, /more than 10 days ahead/);
  const long = /is more than 48 hours after \\"from\\", the longest that the operator allows/;
  assert.match((await reserve({ until: ahead(24 + 49) })).text, long);
  const first = await reserve({ gpuCount: total / 2 - 1, until: ahead(24 + 47) });
  assert.equal(first.status, 201, first.text);
  const path = `/v1/reservations/${first.json.id}`;
  const change = (changes: object) => ada.call("PATCH", path, changes);
  assert.match((await change({ until: ahead(24 + 49) })).text, long);

  // At one time, for itself and for its project together; also by a change, and by requests at the same time.
  const share = new RegExp(
    `at most ${total / 2} of ${total} NVIDIA A40 at one time, 50% of them\\. You have reserved ${total / 2 - 1}, and this adds 2`,
  );
  const refused = await reserve({ gpuCount: 2, projectId: vision.id });
  assert.equal(refused.json.code, "reservation_share");
  assert.match(refused.text, share);
  assert.equal((await change({ gpuCount: total / 2 + 1 })).json.code, "reservation_share");
  const others = await bob.call("PATCH", path, { gpuCount: total / 2 + 1 });
  assert.match(others.text, /Ada has reserved 0, and this adds/);
  const both = await Promise.all([reserve({}), reserve({ projectId: vision.id })]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409]);
  assert.equal((await reserve({ from: ahead(80), until: ahead(81), gpuCount: 2 })).status, 201);
  const admins = await reserve({ gpuCount: total / 2, projectId: vision.id }, eve);
  assert.equal(admins.status, 201, admins.text);
});

test("what a member adds to reservations of the account counts for the member's share", async (t) => {
  const service = await simulatedService(t, { env });
  const total = 4 * service.replicas.length;
  const ada = await join(service, "dev", "Ada");
  const bob = await join(service, "dev", "Bob", "bob@example.org");
  const reserve = async (gpuCount: number, more: object = {}) => {
    const body = { gpuTypeId: A40, gpuCount, from: ahead(24), until: ahead(30), ...more };
    const { json, status, text } = await service.call("POST", "/v1/reservations", body);
    assert.equal(status, 201, text);
    return `/v1/reservations/${json.id}`;
  };
  const whole = await reserve(1);
  const other = await reserve(1);
  const enlarge = async (path: string, gpuCount: number, by: Pick<typeof ada, "call"> = ada) => {
    const { status, json, text } = await by.call("PATCH", path, { gpuCount });
    return status === 200 ? "done" : `${json.code} ${text}`;
  };
  const limit = total / 2;
  assert.match(
    await enlarge(whole, limit + 1),
    /^reservation_share .*You have reserved 0, and this/,
  );
  assert.equal(await enlarge(whole, limit), "done");
  // It counts as the member's own from then on, for others as well.
  assert.match(await enlarge(other, 2), new RegExp(`You have reserved ${limit}, and this adds 2`));
  const own = { gpuTypeId: A40, gpuCount: 1, from: ahead(25), until: ahead(26) };
  assert.equal((await ada.call("POST", "/v1/reservations", own)).json.code, "reservation_share");
  assert.equal(await enlarge(other, 2, bob), "done");
  const smaller = await ada.call("PATCH", whole, { gpuCount: 1 });
  assert.equal(smaller.status, 200, smaller.text);
  const { json: hers } = await ada.call("POST", "/v1/reservations", own);
  assert.equal((await service.call("DELETE", `/v1/reservations/${hers.id}`)).status, 204);

  // It counts for no member once a caller has enlarged it who may exceed the share.
  const eve = await join(service, "admin", "Eve");
  assert.equal((await eve.call("PATCH", other, { gpuCount: 1 })).status, 200);
  assert.equal(await enlarge(whole, limit + 1, eve), "done");
  const longer = await ada.call("PATCH", whole, { until: ahead(31) });
  assert.equal(longer.json.code, "reservation_share", longer.text);

  // The quota of the member counts it too.
  await service.call("PATCH", "/v1/quota/member-default", { reservedGpus: 1 });
  const later = await reserve(1, { from: ahead(48), until: ahead(50) });
  assert.match(await enlarge(later, 2, bob), /^quota_exceeded .*You hold 0 of 1 reserved GPUs/);
});
