// Pods that are stopped when they are not used.

import assert from "node:assert/strict";
import { test } from "node:test";
import { join } from "../accounts/join.ts";
import { commandAddress, openCommand } from "../docker/command.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
import { until } from "../fixtures/until.ts";
import { startReceiver } from "../webhook/receiver.ts";
import { podsOf, simulatedService } from "./fixture.ts";

const cpuPod = { driver: "simulated", imageName: "i", computeType: "CPU" };
const busyStart = ["simulate", "--cpu-percent", "150"];
const HOUR_MS = 3_600_000;

test("a Pod is stopped when it was not used for its time, with warnings", async (t) => {
  const service = await simulatedService(t, {
    ...virtual,
    protocol: { notificationGatherMs: 0, notificationIntervalMs: 0 },
  });
  const receiver = await startReceiver(t);
  const channel = { type: "webhook", url: receiver.url };
  const rule = { name: "idle", events: ["pod_idle", "pod_ended"], channel };
  assert.equal((await service.call("POST", "/v1/notification-rules", rule)).status, 201);
  const create = async (more: object) => {
    const answer = await service.call("POST", "/v1/pods", { ...cpuPod, ...more });
    assert.equal(answer.status, 201, answer.text);
    await until(podsOf(service).reached, answer.json.id);
    return answer.json.id as string;
  };
  const stopWhenIdle = { minutes: 60 };
  const start = { dockerStartCmd: ["simulate"] };
  const quiet = await create({ ...start, name: "quiet", stopWhenIdle });
  const busy = await create({ dockerStartCmd: busyStart, stopWhenIdle });
  const free = await create(start);
  const read = async (id: string) => (await service.call("GET", `/v1/pods/${id}`)).json;
  const limits = { gpuPercent: 5, cpuPercent: 25, networkBytesPerSecond: 5_000 };
  assert.deepEqual((await read(quiet)).stopWhenIdle, { minutes: 60, ...limits });
  assert.equal((await read(free)).stopWhenIdle, undefined);

  await advance(service, "40m");
  const { since, stopsAt } = (await read(quiet)).idle;
  assert.equal(Date.parse(stopsAt) - Date.parse(since), HOUR_MS);
  assert.equal((await read(busy)).idle, undefined);
  const why = await service.call("GET", `/v1/why/${quiet}`);
  assert.match(why.json.sentence, /It has been idle for .*, and stops in .* unless it is used\.$/);

  const answer = await service.call("POST", `/v1/pods/${quiet}/keep`, { minutes: 90 });
  assert.equal(answer.status, 200, answer.text);
  await advance(service, "2h");
  assert.equal((await read(quiet)).desiredStatus, "RUNNING");
  // A command in it counts as use.
  const { closed } = await openCommand(commandAddress(service.origin, quiet, "true"), service.key);
  await closed;
  await advance(service, "45m");
  assert.equal((await read(quiet)).desiredStatus, "RUNNING");
  await advance(service, "30m");
  const stopped = await read(quiet);
  assert.equal(stopped.desiredStatus, "EXITED");
  assert.match(
    stopped.lastStatusChange,
    /^Exited by Freehold: .*, it was idle for .*: it used its CPUs at most 0% of one$/,
  );
  assert.equal((await service.call("GET", `/v1/why/${quiet}`)).json.code, "pod_idle");
  const [event] = (await service.call("GET", `/v1/pods/${quiet}/events`)).json.filter(
    ({ event }: { event: string }) => event === "idle",
  );
  assert.partialDeepStrictEqual(event, { from: "RUNNING", to: "EXITED", actor: "service" });
  for (const id of [busy, free]) assert.equal((await read(id)).desiredStatus, "RUNNING");
  const types = (await receiver.sent(3))
    .flatMap(({ body }) => JSON.parse(body).data.events)
    .map(({ type }) => type);
  assert.equal(types.filter((type) => type === "pod_ended").length, 1);
  assert.ok(types.filter((type) => type === "pod_idle").length >= 2, `${types}`);
});

test("a rule changes in place, and what cannot be kept is refused", async (t) => {
  const service = await simulatedService(t);
  const { json: free } = await service.call("POST", "/v1/pods", cpuPod);
  const route = `/v1/pods/${free.id}`;
  const refused = await service.call("POST", `${route}/keep`, {});
  assert.equal(refused.status, 400);
  assert.match(refused.text, /has no \\"stopWhenIdle\\"/);
  const change = (stopWhenIdle: object | null) => service.call("PATCH", route, { stopWhenIdle });
  const wrongs: [rule: object | string, sentence: string][] = [
    [{}, '"stopWhenIdle.minutes" is missing; it must be a whole number from 1 to 43200'],
    [{ minutes: 0 }, '"stopWhenIdle.minutes" must be a whole number from 1 to 43200; it is 0'],
    [{ minutes: 5, gpuPercent: 101 }, '"stopWhenIdle.gpuPercent" must be a number from 0 to 100'],
    [{ never: false }, '"stopWhenIdle.never" must be true; it is false'],
    [{ minutes: 5, cpu: 1 }, '"stopWhenIdle.cpu"'],
    ["x", '"stopWhenIdle" must be an object with minutes, from 1 to 43200, or with never, or null'],
  ];
  for (const [wrong, sentence] of wrongs) {
    const answer = await change(wrong as object);
    assert.equal(answer.status, 400);
    assert.ok(JSON.stringify(answer.json).replaceAll('\\"', '"').includes(sentence), answer.text);
  }
  assert.equal((await change({ minutes: 5 })).json.stopWhenIdle.minutes, 5);
  assert.equal((await service.call("POST", `${route}/keep`)).status, 200);
  assert.equal((await change(null)).json.stopWhenIdle, undefined);
  await service.call("POST", `${route}/stop`);
  assert.equal((await service.call("POST", `${route}/keep`, {})).status, 400);
});

test("another rule and a new container begin again, and a Pod that is kept stays so", async (t) => {
  const service = await simulatedService(t, virtual);
  const body = { ...cpuPod, dockerStartCmd: ["simulate"], stopWhenIdle: { minutes: 120 } };
  const { json: pod } = await service.call("POST", "/v1/pods", body);
  await until(podsOf(service).reached, pod.id);
  const route = `/v1/pods/${pod.id}`;
  const state = async () => (await service.call("GET", route)).json.desiredStatus;
  await advance(service, "90m");
  await service.call("PATCH", route, { stopWhenIdle: { minutes: 60 } });
  await advance(service, "50m");
  assert.equal(await state(), "RUNNING");
  await service.call("POST", `${route}/restart`);
  await until(podsOf(service).reached, pod.id);
  await advance(service, "50m");
  assert.equal(await state(), "RUNNING");
  await service.call("POST", `${route}/keep`, { minutes: 300 });
  await service.call("PATCH", route, { stopWhenIdle: { minutes: 60 } });
  await advance(service, "5h");
  assert.equal(await state(), "RUNNING");
  await advance(service, "70m");
  assert.equal(await state(), "EXITED");
});

test("a Pod follows its project's rule unless it has one of its own", async (t) => {
  const service = await simulatedService(t, virtual);
  const ada = await join(service, "dev", "Ada");
  const project = { name: "vision", memberIds: [ada.member.id] };
  const created = await service.call("POST", "/v1/projects", project);
  const path = `/v1/projects/${created.json.id}`;
  const start = async (call: typeof ada.call, more: object = {}) => {
    const body = { ...cpuPod, dockerStartCmd: ["simulate"], ...more };
    const { json, text } = await call("POST", "/v1/pods", body);
    assert.ok(json.id, text);
    await until(podsOf(service).reached, json.id);
    return json.id as string;
  };
  const follows = await start(ada.call);
  const own = await start(ada.call, { stopWhenIdle: { minutes: 600 } });
  const busy = await start(ada.call, { dockerStartCmd: busyStart });
  const outside = await start(service.call);
  const read = async (id: string) => (await service.call("GET", `/v1/pods/${id}`)).json;
  assert.equal((await read(follows)).idlePolicy, undefined);

  const wrong = await service.call("PATCH", path, { stopWhenIdle: { minutes: 0 } });
  assert.equal(wrong.status, 400);
  const set = await service.call("PATCH", path, { stopWhenIdle: { minutes: 60 } });
  assert.equal(set.json.stopWhenIdle.minutes, 60, set.text);
  const limits = { gpuPercent: 5, cpuPercent: 25, networkBytesPerSecond: 5_000 };
  const policy = { minutes: 60, ...limits, from: "project", project: "vision" };
  assert.deepEqual((await read(follows)).idlePolicy, policy);
  assert.equal((await read(follows)).stopWhenIdle, undefined);
  assert.deepEqual((await read(own)).idlePolicy, { minutes: 600, ...limits, from: "pod" });
  assert.equal((await read(outside)).idlePolicy, undefined);
  const why = async () => (await ada.call("GET", `/v1/why/${follows}`)).json.sentence;
  assert.match(
    await why(),
    /It stops once it was idle for 60 min, by the rule of its project "vision"\.$/,
  );

  await advance(service, "40m");
  assert.ok((await read(follows)).idle);
  // Without the rule the time ends, and begins again with the next one.
  assert.equal(
    (await service.call("PATCH", path, { stopWhenIdle: null })).json.stopWhenIdle,
    undefined,
  );
  assert.equal((await read(follows)).idle, undefined);
  await advance(service, "2h");
  assert.equal((await read(follows)).desiredStatus, "RUNNING");
  await service.call("PATCH", path, { stopWhenIdle: { minutes: 60 } });
  await advance(service, "40m");
  assert.equal((await read(follows)).desiredStatus, "RUNNING");
  assert.equal((await ada.call("POST", `/v1/pods/${follows}/keep`, { minutes: 60 })).status, 200);
  await advance(service, "90m");
  assert.equal((await read(follows)).desiredStatus, "RUNNING");
  await advance(service, "45m");
  const stopped = await read(follows);
  assert.equal(stopped.desiredStatus, "EXITED");
  assert.match(
    stopped.lastStatusChange,
    /idle for .*, by the rule of its project "vision": it used/,
  );
  for (const id of [own, busy, outside]) assert.equal((await read(id)).desiredStatus, "RUNNING");
});

test("a Pod opts out of its project's rule, unless the project lets none", async (t) => {
  const service = await simulatedService(t, virtual);
  const ada = await join(service, "dev", "Ada");
  const project = { name: "vision", memberIds: [ada.member.id], stopWhenIdle: { minutes: 60 } };
  const created = await service.call("POST", "/v1/projects", project);
  assert.equal(created.json.stopWhenIdle.mayOptOut, true, created.text);
  const never = { ...cpuPod, dockerStartCmd: ["simulate"], stopWhenIdle: { never: true } };
  const { json: pod, text } = await ada.call("POST", "/v1/pods", never);
  assert.deepEqual(pod.stopWhenIdle, { never: true }, text);
  await until(podsOf(service).reached, pod.id);
  const path = `/v1/pods/${pod.id}`;
  const read = async () => (await ada.call("GET", path)).json;
  assert.equal((await read()).idlePolicy, undefined);
  const why = await ada.call("GET", `/v1/why/${pod.id}`);
  assert.match(why.json.sentence, /It is never stopped for being idle\.$/);
  const keepAnswer = await ada.call("POST", `${path}/keep`, {});
  assert.match(keepAnswer.text, /says never: it is not stopped for being idle/);
  await advance(service, "3h");
  assert.equal((await read()).desiredStatus, "RUNNING");

  const strict = { stopWhenIdle: { minutes: 60, mayOptOut: false } };
  await service.call("PATCH", `/v1/projects/${created.json.id}`, strict);
  assert.partialDeepStrictEqual(await read(), {
    stopWhenIdle: { never: true },
    idlePolicy: { minutes: 60, from: "project", project: "vision" },
  });
  for (const stopWhenIdle of [{ never: true }, { minutes: 61 }, { minutes: 60, gpuPercent: 1 }]) {
    const refused = await ada.call("POST", "/v1/pods", { ...never, stopWhenIdle });
    assert.equal(refused.status, 400);
    assert.match(refused.json.message, /"vision" lets no Pod opt out .* minutes of at most 60, /);
  }
  // What it has may be repeated.
  const repeated = await ada.call("PATCH", path, { name: "n", stopWhenIdle: { never: true } });
  assert.equal(repeated.status, 200, repeated.text);
  assert.equal((await ada.call("PATCH", path, { stopWhenIdle: { minutes: 90 } })).status, 400);
  const own = await ada.call("PATCH", path, { stopWhenIdle: { minutes: 30 } });
  assert.partialDeepStrictEqual(own.json.idlePolicy, { minutes: 30, from: "pod" });
  await ada.call("PATCH", path, { stopWhenIdle: null });
  await advance(service, "70m");
  assert.equal((await read()).desiredStatus, "EXITED");
});

test("a Pod has the rule of its template from its creation on", async (t) => {
  const service = await simulatedService(t, virtual);
  const settings = { name: "notebook", imageName: "i", dockerStartCmd: ["simulate"] };
  const create = (more: object) =>
    service.call("POST", "/v1/templates", { ...settings, volumeInGb: 0, ...more });
  for (const wrong of [
    { stopWhenIdle: { minutes: 0 } },
    { stopWhenIdle: { minutes: 5 }, isServerless: true },
  ]) {
    const refused = await create(wrong);
    assert.equal(refused.status, 400, refused.text);
    assert.match(refused.text, /stopWhenIdle/);
  }
  const { json: template, text } = await create({ stopWhenIdle: { minutes: 60 } });
  assert.partialDeepStrictEqual(template.stopWhenIdle, { minutes: 60, gpuPercent: 5 }, text);
  const body = { ...cpuPod, templateId: template.id };
  const { json: pod } = await service.call("POST", "/v1/pods", body);
  const own = await service.call("POST", "/v1/pods", { ...body, stopWhenIdle: { minutes: 600 } });
  assert.equal(own.json.idlePolicy.from, "pod", own.text);
  await until(podsOf(service).reached, pod.id);
  const path = `/v1/templates/${template.id}`;
  const changed = await service.call("PATCH", path, { stopWhenIdle: null });
  assert.equal(changed.json.stopWhenIdle, undefined, changed.text);
  const read = async () => (await service.call("GET", `/v1/pods/${pod.id}`)).json;
  const { idlePolicy, stopWhenIdle } = await read();
  assert.partialDeepStrictEqual(idlePolicy, { minutes: 60, from: "template" });
  assert.equal(stopWhenIdle, undefined);
  await advance(service, "80m");
  const { desiredStatus, lastStatusChange } = await read();
  assert.equal(desiredStatus, "EXITED");
  assert.match(lastStatusChange, /idle for .*, by the rule of its template: it used/);
});

test("open terminals show the warnings, and commands without one do not", async (t) => {
  const service = await simulatedService(t, virtual);
  const body = { ...cpuPod, dockerStartCmd: ["simulate"], stopWhenIdle: { minutes: 60 } };
  const { json: pod } = await service.call("POST", "/v1/pods", { ...body, name: "a\u001b[2Jb" });
  await until(podsOf(service).reached, pod.id);
  const address = commandAddress(service.origin, pod.id, "sh");
  const terminal = await openCommand(`${address}&tty=true`, service.key);
  const pipe = await openCommand(address, service.key);
  await advance(service, "40m");
  const warnings = () => terminal.texts[1]!.match(/stops in .* unless it is used or kept\./g) ?? [];
  await until(() => warnings().length === 1);
  await advance(service, "17m");
  await until(() => warnings().length === 2);
  assert.ok(!terminal.texts[1]!.includes("\u001b[2J"));
  // The terminal goes on: what is typed comes back, and counts as use.
  terminal.send(0, "echo still-$((40 + 2))\r");
  await until(() => terminal.texts[1]!.includes("still-42"));
  await advance(service, "30m");
  assert.equal((await service.call("GET", `/v1/pods/${pod.id}`)).json.desiredStatus, "RUNNING");
  assert.deepEqual([pipe.texts[1], pipe.texts[2]], ["", ""]);
  terminal.send(0, "exit\r");
  await terminal.closed;
  pipe.socket.close();
});
