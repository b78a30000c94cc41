// Tests of changing a reservation: what it takes beyond what it has is checked as for a new one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { freehold } from "../cli/command.ts";
import { simulatedService } from "../pods/fixture.ts";
import { join } from "./join.ts";

const ANY_SHARE = '{"memberPercent": "off"}';
const A40 = "NVIDIA A40";
const env = { FREEHOLD_GPUS: '{"NVIDIA A40": 4}', FREEHOLD_RESERVATION_LIMITS: ANY_SHARE };
const ahead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

test("a reservation changes its time, its GPUs, its note and its labels, within what there is", async (t) => {
  const service = await simulatedService(t, { env });
  const total = 4 * service.replicas.length;
  const ada = await join(service, "member", "Ada");
  const eve = await join(service, "member", "Eve", "eve@example.org");
  const [from, until] = [ahead(10), ahead(12)];
  const body = { gpuTypeId: A40, gpuCount: total - 1, from, until };
  const { json: own } = await ada.call("POST", "/v1/reservations", body);
  const path = `/v1/reservations/${own.id}`;
  const change = (changes: object, by: Pick<typeof ada, "call"> = ada) =>
    by.call("PATCH", path, changes);

  // Its own GPUs are no obstacle, those of others are.
  const later = await change({ from: ahead(11), until: ahead(13), gpuCount: total });
  assert.deepEqual([later.status, later.json.gpuCount], [200, total], later.text);
  assert.equal((await change({ from, until, gpuCount: total - 1 })).status, 200);
  const theirs = { gpuTypeId: A40, gpuCount: 1, from: ahead(9), until: ahead(14) };
  assert.equal((await eve.call("POST", "/v1/reservations", theirs)).status, 201);
  const full = await change({ gpuCount: total });
  assert.deepEqual([full.status, full.json.code], [409, "reservation_full"], full.text);

  const labels = { team: "search" };
  const noted = await change({ note: "paper", labels });
  assert.partialDeepStrictEqual(noted.json, { note: "paper", labels, from, until });
  assert.deepEqual((await ada.call("GET", path)).json, noted.json);
  const cleared = await change({ note: "", labels: {} });
  assert.deepEqual([cleared.json.note, cleared.json.labels], [undefined, undefined]);

  for (const [wrong, sentence] of [
    [{ until: ahead(9) }, /"until" must be after "from"/],
    [{ until: ahead(24 * 91) }, /more than 90 days ahead/],
    [{ until: ahead(-1) }, /"until" is in the past/],
    [{ gpuTypeId: "NVIDIA L4" }, /gpuTypeId/],
  ] as const) {
    const { status, text } = await change(wrong);
    assert.equal(status, 400, text);
    assert.match(text.replaceAll("\\", ""), sentence);
  }
  assert.equal((await change({ note: "x" }, eve)).status, 403);
  const cli = { env: { FREEHOLD_URL: service.origin, FREEHOLD_KEY: ada.key } };
  const { code, stderr } = await freehold(["reservations", "update", own.id, "--note", "b"], cli);
  assert.equal(code, 0, stderr);
  assert.equal((await ada.call("GET", path)).json.note, "b");
});

test("a change stays within quotas and projects, and one that takes less is never refused", async (t) => {
  const service = await simulatedService(t, { env });
  const ada = await join(service, "dev", "Ada");
  const eve = await join(service, "dev", "Eve", "eve@example.org");
  const project = { name: "vision", memberIds: [ada.member.id] };
  const { id: projectId } = (await service.call("POST", "/v1/projects", project)).json;
  const times = { gpuTypeId: A40, gpuCount: 2, from: ahead(10), until: ahead(12) };
  const reserve = async (more: object) => {
    const { json, text } = await ada.call("POST", "/v1/reservations", { ...times, ...more });
    assert.ok(json.id, text);
    return `/v1/reservations/${json.id}`;
  };
  const ofProject = await reserve({ projectId });
  const outsider = await eve.call("PATCH", ofProject, { gpuCount: 3 });
  assert.match(outsider.text, /not a member of the project/);
  await service.call("PATCH", `/v1/quota/members/${ada.member.id}`, { reservedGpus: 2 });
  const beyond = await ada.call("PATCH", ofProject, { gpuCount: 3 });
  assert.deepEqual([beyond.status, beyond.json.code], [400, "quota_exceeded"], beyond.text);
  assert.match(beyond.json.error, /^You hold 0 of 2 reserved GPUs, and this adds 3/);
  await service.call("PATCH", `/v1/quota/members/${ada.member.id}`, { reservedGpus: 0 });
  const less = await ada.call("PATCH", ofProject, { gpuCount: 1, until: ahead(11) });
  assert.deepEqual([less.status, less.json.gpuCount], [200, 1], less.text);
  const unknown = await ada.call("PATCH", "/v1/reservations/none", { note: "" });
  assert.equal(unknown.status, 404);
});

test("a reservation that has begun keeps its start if it is sent again", async (t) => {
  const { call } = await simulatedService(t, { env });
  const body = { gpuTypeId: A40, until: ahead(2) };
  const { json: own } = await call("POST", "/v1/reservations", body);
  const again = { from: own.from, until: own.until, note: "paper" };
  const { json, text } = await call("PATCH", `/v1/reservations/${own.id}`, again);
  assert.deepEqual([json.from, json.until, json.note], [own.from, own.until, "paper"], text);
});

test("changes at the same time never reserve more than there is", async (t) => {
  const service = await simulatedService(t, { env });
  const total = 4 * service.replicas.length;
  const times = { gpuTypeId: A40, gpuCount: 1, from: ahead(10), until: ahead(12) };
  const ids: string[] = [];
  for (let n = 0; n < 2; n++)
    ids.push((await service.call("POST", "/v1/reservations", times)).json.id);
  const answers = await Promise.all(
    ids.map((id) => service.call("PATCH", `/v1/reservations/${id}`, { gpuCount: total - 1 })),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409]);
});
