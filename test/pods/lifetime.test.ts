// Pods that are stopped at their maximum lifetime.

import assert from "node:assert/strict";
import { test } from "node:test";
import { join } from "../accounts/join.ts";
import { commandAddress, openCommand } from "../docker/command.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
import { until } from "../fixtures/until.ts";
import { startReceiver } from "../webhook/receiver.ts";
import { podsOf, simulatedService } from "./fixture.ts";

const cpuPod = { driver: "simulated", imageName: "i", computeType: "CPU" };
const busyPod = { ...cpuPod, dockerStartCmd: ["simulate", "--cpu-percent", "150"] };

test("a Pod is stopped once it has run for its time, with warnings, and a restart does not begin again", async (t) => {
  const service = await simulatedService(t, {
    ...virtual,
    protocol: { notificationGatherMs: 0, notificationIntervalMs: 0 },
  });
  const receiver = await startReceiver(t);
  const channel = { type: "webhook", url: receiver.url };
  const rule = { name: "ends", events: ["pod_lifetime", "pod_ended"], channel };
  assert.equal((await service.call("POST", "/v1/notification-rules", rule)).status, 201);
  const body = { ...busyPod, name: "train", maxLifetime: { minutes: 120 } };
  const { json: pod, text } = await service.call("POST", "/v1/pods", body);
  assert.deepEqual(pod.maxLifetime, { minutes: 120, extendable: true }, text);
  const path = `/v1/pods/${pod.id}`;
  const read = async () => (await service.call("GET", path)).json;
  await until(podsOf(service).reached, pod.id);
  const { since, stopsAt, from } = (await read()).lifetime;
  assert.deepEqual([from, Date.parse(stopsAt) - Date.parse(since)], ["pod", 7_200_000]);
  await advance(service, "60m");
  assert.equal((await service.call("POST", `${path}/restart`)).status, 200);
  await until(podsOf(service).reached, pod.id);
  assert.equal((await read()).lifetime.stopsAt, stopsAt);
  const why = async () => (await service.call("GET", `/v1/why/${pod.id}`)).json;
  assert.match(
    (await why()).sentence,
    /It may run for 2 h after its start, and stops in .* unless it is kept\.$/,
  );

  const address = commandAddress(service.origin, pod.id, "sh");
  const terminal = await openCommand(`${address}&tty=true`, service.key);
  await advance(service, "40m");
  const warnings = () => terminal.texts[1]!.match(/and stops in .* unless it is kept\./g) ?? [];
  await until(() => warnings().length === 1);
  await advance(service, "16m");
  await until(() => warnings().length === 2);
  await advance(service, "10m");
  const stopped = await read();
  assert.equal(stopped.desiredStatus, "EXITED");
  assert.match(
    stopped.lastStatusChange,
    /^Exited by Freehold: .*, at its maximum lifetime of 2 h(?:, after .*)?$/,
  );
  assert.equal((await why()).code, "pod_max_lifetime");
  const events = (await service.call("GET", `${path}/events`)).json;
  const ends = events.filter(({ event }: { event: string }) => event === "max_lifetime");
  assert.equal(ends.length, 1);
  assert.partialDeepStrictEqual(ends[0], { from: "RUNNING", to: "EXITED", actor: "deadline" });
  const types = (await receiver.sent(3))
    .flatMap(({ body: sent }) => JSON.parse(sent).data.events)
    .map(({ type }) => type);
  assert.deepEqual(types.toSorted(), ["pod_ended", "pod_lifetime", "pod_lifetime"]);

  assert.equal((await service.call("POST", `${path}/start`)).status, 200);
  const again = (await read()).lifetime;
  assert.equal(Date.parse(again.stopsAt) - Date.parse(again.since), 7_200_000);
  assert.ok(Date.parse(again.since) > Date.parse(stopsAt));
});

test("a Pod is kept for two hours more, unless its maximum cannot be extended", async (t) => {
  const service = await simulatedService(t, virtual);
  const create = async (maxLifetime: object, more: object = {}) => {
    const { json, text } = await service.call("POST", "/v1/pods", {
      ...busyPod,
      ...more,
      maxLifetime,
    });
    assert.ok(json.id, text);
    await until(podsOf(service).reached, json.id);
    return json.id as string;
  };
  const extended = await create({ minutes: 60 });
  const fixed = await create({ minutes: 60, extendable: false });
  const both = await create({ minutes: 60, extendable: false }, { stopWhenIdle: { minutes: 30 } });
  const read = async (id: string) => (await service.call("GET", `/v1/pods/${id}`)).json;
  await advance(service, "50m");
  const keep = (id: string) => service.call("POST", `/v1/pods/${id}/keep`, {});
  const answer = await keep(extended);
  const before = Date.parse(answer.json.lifetime.since);
  assert.ok(Date.parse(answer.json.lifetime.stopsAt) - before >= 170 * 60_000, answer.text);
  const refused = await keep(fixed);
  assert.equal(refused.status, 400);
  assert.match(
    refused.json.message,
    /may run for 60 min after its start, which cannot be extended/,
  );
  const partly = await keep(both);
  assert.equal(
    Date.parse(partly.json.lifetime.stopsAt) - Date.parse(partly.json.lifetime.since),
    3_600_000,
  );
  await advance(service, "20m");
  assert.equal((await read(extended)).desiredStatus, "RUNNING");
  for (const id of [fixed, both]) assert.equal((await read(id)).desiredStatus, "EXITED");
  await advance(service, "2h");
  assert.equal((await read(extended)).desiredStatus, "EXITED");
});

test("no Pod loosens the maximum of its project, its template or the operator", async (t) => {
  const service = await simulatedService(t, virtual);
  const ada = await join(service, "dev", "Ada");
  const project = {
    name: "vision",
    memberIds: [ada.member.id],
    maxLifetime: { minutes: 600, extendable: false },
  };
  const created = await service.call("POST", "/v1/projects", project);
  assert.deepEqual(created.json.maxLifetime, project.maxLifetime, created.text);
  const template = await service.call("POST", "/v1/templates", {
    name: "notebook",
    imageName: "i",
    maxLifetime: { minutes: 300 },
    volumeInGb: 0,
  });
  assert.deepEqual(template.json.maxLifetime, { minutes: 300, extendable: true }, template.text);
  const start = async (more: object) => {
    const { json, text } = await ada.call("POST", "/v1/pods", { ...busyPod, ...more });
    assert.ok(json.id, text);
    await until(podsOf(service).reached, json.id);
    return json.id as string;
  };
  const long = await start({ maxLifetime: { minutes: 6_000 } });
  const short = await start({ maxLifetime: { minutes: 60 } });
  const templated = await start({ templateId: template.json.id, maxLifetime: { minutes: 6_000 } });
  const lifetime = async (id: string) => (await ada.call("GET", `/v1/pods/${id}`)).json.lifetime;
  assert.partialDeepStrictEqual(await lifetime(long), { from: "project", project: "vision" });
  assert.partialDeepStrictEqual(await lifetime(short), { from: "pod", minutes: 60 });
  assert.partialDeepStrictEqual(await lifetime(templated), { from: "template", minutes: 300 });

  const [own] = (await service.call("GET", "/v1/accounts")).json;
  const account = `/v1/accounts/${own.id}`;
  const wrong = await service.call("PATCH", account, { maxLifetime: { minutes: 5 } });
  assert.match(wrong.text, /from 10 to 525600/);
  const denied = await ada.call("PATCH", account, { maxLifetime: null });
  assert.equal(denied.status, 403, denied.text);
  await advance(service, "50m");
  const set = await service.call("PATCH", account, { maxLifetime: { minutes: 30 } });
  assert.deepEqual(set.json.maxLifetime, { minutes: 30, extendable: true }, set.text);
  assert.partialDeepStrictEqual(await lifetime(short), { from: "account", minutes: 30 });
  const state = async () => (await ada.call("GET", `/v1/pods/${short}`)).json.desiredStatus;
  // It is past the new maximum, and has five minutes.
  await advance(service, "3m");
  assert.equal(await state(), "RUNNING");
  await advance(service, "3m");
  assert.equal(await state(), "EXITED");
});
