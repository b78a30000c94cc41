// Tests of the logs of Pods and workers: container and system lines, read and followed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readEvents } from "../fixtures/event-stream.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "./fixture.ts";

interface Line {
  at: string | null;
  type: string;
  text: string;
}

const simulated = { driver: "simulated", imageName: "a" };

async function makePod(service: TestService, body: object = simulated): Promise<string> {
  const { json } = await service.call("POST", "/v1/pods", body);
  await until(podsOf(service).reached, json.id);
  return json.id;
}

const linesOf = async (service: TestService, id: string, query = "") =>
  (await service.call("GET", `/v1/pods/${id}/logs${query}`)).json as Line[];

const follow = (service: TestService, id: string, query = "", headers = {}) =>
  readEvents(`${service.origin}/v1/pods/${id}/logs?follow=true${query}`, {
    authorization: `Bearer ${service.key}`,
    ...headers,
  });

test("the container and system logs are merged by time, or read separately", async (t) => {
  const service = await simulatedService(t);
  const id = await makePod(service);
  const all = await linesOf(service, id);
  const types = new Set(all.map(({ type }) => type));
  assert.deepEqual(types, new Set(["system", "container"]));
  assert.match(all[0]!.text, /^created with the image a: 2 vCPUs, 8 GB of memory, 1 x NVIDIA/);
  const times = all.map(({ at }) => Date.parse(at!));
  assert.deepEqual(times, times.toSorted());
  const container = await linesOf(service, id, "?type=container");
  assert.match(container[0]!.text, /^started with image a/);
  assert.ok(container.every(({ type }) => type === "container"));
  const system = await linesOf(service, id, "?type=system");
  assert.deepEqual(
    system.map(({ text }) => text.replace(/[:;].*/, "")),
    ["created with the image a", "starting a container of the image a", "the container runs"],
  );
  assert.deepEqual(await linesOf(service, id, "?tail=2"), all.slice(-2));
  assert.deepEqual(await linesOf(service, id, "?tail=0"), []);
});

test("since accepts an instant or a span, and rejects anything else", async (t) => {
  const service = await simulatedService(t);
  const id = await makePod(service);
  const all = await linesOf(service, id);
  assert.deepEqual(await linesOf(service, id, "?since=1h"), all);
  assert.deepEqual(await linesOf(service, id, "?since=2100-01-01T00:00:00Z"), []);
  const from = encodeURIComponent(all.at(-1)!.at!);
  const last = await linesOf(service, id, `?since=${from}`);
  assert.deepEqual(last, all.slice(-last.length));
  const wrong: [query: string, sentence: RegExp][] = [
    ["since=yesterday", /"since" must be an instant such as .* it is "yesterday"/],
    ["type=stdout", /"type" must be .*"container".*"system"/],
    ["tail=5001", /"tail" must be a whole number from 0 to 5000/],
    ["follow=maybe", /"follow" must be true or false/],
  ];
  for (const [query, sentence] of wrong) {
    const answer = await service.call("GET", `/v1/pods/${id}/logs?${query}`);
    assert.deepEqual([answer.status, answer.json.code], [400, "invalid_query"], answer.text);
    assert.match(answer.json.message, sentence);
  }
  const headers = { "last-event-id": "nonsense" };
  const answer = await service.call("GET", `/v1/pods/${id}/logs?follow=true`, undefined, headers);
  assert.match(answer.json.message, /The Last-Event-ID header must be/);
});

test("a follower sees stop, start and deletion, and resumes where it disconnected", async (t) => {
  const service = await simulatedService(t);
  const id = await makePod(service);
  const before = await linesOf(service, id);
  const first = await follow(service, id);
  assert.deepEqual([first.status, first.type], [200, "text/event-stream"]);
  const read = await first.until(({ data }) => data.text.startsWith("the container runs"));
  await service.call("POST", `/v1/pods/${id}/stop`);
  read.push(...(await first.until(({ data }) => data.text === "the container is stopped")));
  first.close();
  assert.deepEqual(
    read.slice(0, before.length).map(({ data }) => data),
    before,
  );
  assert.ok(read.some(({ data }) => data.type === "container" && /SIGTERM/.test(data.text)));

  await service.call("POST", `/v1/pods/${id}/start`);
  await until(podsOf(service).reached, id);
  const [middle] = read.slice(before.length);
  const second = await follow(service, id, "", { "last-event-id": middle!.id! });
  // Each log is in order by itself; the order between the two logs is undefined.
  const expectedTexts = new Set(["the container runs", "started with image a"]);
  const missed = await second.until(({ data }) => {
    for (const text of expectedTexts) if (data.text.startsWith(text)) expectedTexts.delete(text);
    return expectedTexts.size === 0;
  });
  const sortedLines = (events: typeof read) =>
    events.map(({ data }) => `${data.at} ${data.text}`).sort();
  const again = sortedLines(read.slice(read.indexOf(middle!) + 1));
  assert.deepEqual(
    sortedLines(missed).filter((line) => again.includes(line)),
    again,
  );
  const known = sortedLines(read.slice(0, read.indexOf(middle!) + 1));
  assert.ok(!sortedLines(missed).some((line) => known.includes(line)));
  const lines = await linesOf(service, id, "?tail=5000");
  assert.equal(lines.filter(({ text }) => text.startsWith("started with image")).length, 2);

  await service.call("DELETE", `/v1/pods/${id}`);
  const rest = await second.until(({ event }) => event === "end");
  assert.ok(rest.some(({ data }) => data.text === "a client deletes it"));
  assert.equal(await second.next(), null);
  assert.equal((await service.call("GET", `/v1/pods/${id}/logs`)).status, 404);
});

test("Python clients read both logs apart, of Pods and workers alike", async (t) => {
  const service = await simulatedService(t);
  const id = await makePod(service);
  const read = (path: string) => service.call("GET", `/v1/pod/${path}`);
  const texts = (type: string) => async () =>
    (await linesOf(service, id, `?type=${type}`)).map(({ at, text }) => `${at} ${text}`);
  const [container, system] = [await texts("container")(), await texts("system")()];
  assert.deepEqual((await read(`${id}/logs`)).json, { container, system });
  assert.deepEqual((await read(`${id}/logs?type=container`)).json, { container });
  assert.deepEqual((await read(`${id}/logs?type=system&tail=1`)).json, {
    system: system.slice(-1),
  });
  assert.deepEqual((await read(`${id}/logs?since=2100-01-01T00:00:00%2B00:00`)).json, {
    container: [],
    system: [],
  });
  for (const query of ["type=both", "tail=5001", "since=then", "stream=perhaps"]) {
    assert.equal((await read(`${id}/logs?${query}`)).json.code, "invalid_query");
  }
  assert.equal((await read("nobody/logs")).json.code, "pod_not_found");

  const stream = await readEvents(`${service.origin}/v1/pod/${id}/logs?stream=true&type=all`, {
    authorization: `Bearer ${service.key}`,
  });
  const first = (await stream.next())!;
  assert.deepEqual(Object.keys(first.data), ["source", "line", "ts"]);
  await service.call("DELETE", `/v1/pods/${id}`);
  await stream.until(({ data }) => data.line === "a client deletes it");
  while (await stream.next());

  const endpoint = await service.makeEndpoint({
    template: { driver: "simulated" },
    spec: { workersMin: 1, workersMax: 1 },
  });
  const worker = await until(async () => {
    const { json } = await service.call("GET", `/v1/endpoints/${endpoint}/workers`);
    return json[0];
  });
  const { json } = await read(`${worker.id}/logs`);
  assert.match(json.system[0], /for version 1/);
});

test("one of the logs is followed to the end of a worker", async (t) => {
  const service = await simulatedService(t);
  const endpoint = await service.makeEndpoint({
    template: { driver: "simulated" },
    spec: { workersMin: 1, workersMax: 1 },
  });
  const worker = await until(async (id) => {
    const { json } = await service.call("GET", `/v1/endpoints/${id}/workers`);
    return json[0]?.phase === "idle" ? json[0] : null;
  }, endpoint);
  const path = `${service.origin}/v1/workers/${worker.id}/logs?follow=true`;
  const headers = { authorization: service.key };
  const container = await readEvents(`${path}&type=container`, headers);
  const system = await readEvents(`${path}&type=system&tail=0`, headers);
  assert.match((await container.next())!.data.text, /^started/);
  await service.call("DELETE", `/v1/endpoints/${endpoint}`);
  const printed = await container.until(({ event }) => event === "end");
  assert.match(printed.at(-2)!.data.text, /ended with exit code 0/);
  const texts = (await system.until(({ event }) => event === "end")).map(({ data }) => data.text);
  assert.match(texts[0], /^is to end/);
  assert.match(texts.at(-2), /^ended with exit code 0/);
});

test("a process's output is followed, through a rotation of its log", async (t) => {
  const service = await startService(t, { drivers: "process" });
  const script =
    "let n = 0; const timer = setInterval(() => { console.log('line', n++); if (n === 40) process.exit(0) }, 5)";
  const id = await (async () => {
    const dockerStartCmd = [process.execPath, "-e", script];
    const body = { driver: "process", imageName: "none", dockerStartCmd, volumeInGb: 0 };
    return (await service.call("POST", "/v1/pods", { ...body, computeType: "CPU" })).json.id;
  })();
  const events = await follow(service, id, "&type=container");
  const printed = await events.until(({ data }) => data.text === "line 39");
  assert.deepEqual(
    printed.map(({ data }) => data.text),
    Array.from({ length: 40 }, (_, n) => `line ${n}`),
  );
  const rest = await follow(service, id, "&type=container", { "last-event-id": printed[9]!.id! });
  assert.deepEqual((await rest.next())!.data.text, "line 10");
  events.close();
  rest.close();
});

test("a service that stops closes its followers, which reconnect", async (t) => {
  const service = await simulatedService(t);
  const id = await makePod(service);
  const events = await follow(service, id, "&tail=1");
  assert.ok(await events.next());
  await service.stop();
  for (let last = await events.next(); last !== null; last = await events.next()) {
    assert.notEqual(last.event, "end");
  }
});
