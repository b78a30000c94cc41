// The logs of Pods and workers: what was printed and what was done, read and followed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readEvents } from "../event-stream.ts";
import { startHouse, type TestHouse } from "../house.ts";
import { fakeHouse, podsOf, until } from "./stage.ts";

interface Line {
  at: string | null;
  type: string;
  text: string;
}

const fake = { driver: "fake", imageName: "a" };

async function makePod(house: TestHouse, body: object = fake): Promise<string> {
  const { json } = await house.call("POST", "/v1/pods", body);
  await until(podsOf(house).reached, json.id);
  return json.id;
}

const linesOf = async (house: TestHouse, id: string, query = "") =>
  (await house.call("GET", `/v1/pods/${id}/logs${query}`)).json as Line[];

const follow = (house: TestHouse, id: string, query = "", headers = {}) =>
  readEvents(`${house.origin}/v1/pods/${id}/logs?follow=true${query}`, {
    authorization: `Bearer ${house.key}`,
    ...headers,
  });

test("both logs are one by time, or each by itself", async (t) => {
  const house = await fakeHouse(t);
  const id = await makePod(house);
  const all = await linesOf(house, id);
  const types = new Set(all.map(({ type }) => type));
  assert.deepEqual(types, new Set(["system", "container"]));
  assert.match(all[0]!.text, /^created with the image a: 2 vCPUs, 8 GB of memory, 1 x NVIDIA/);
  const times = all.map(({ at }) => Date.parse(at!));
  assert.deepEqual(times, times.toSorted());
  const container = await linesOf(house, id, "?type=container");
  assert.match(container[0]!.text, /^begun with image a/);
  assert.ok(container.every(({ type }) => type === "container"));
  const system = await linesOf(house, id, "?type=system");
  assert.deepEqual(
    system.map(({ text }) => text.replace(/[:;].*/, "")),
    ["created with the image a", "starting a container of the image a", "the container runs"],
  );
  assert.deepEqual(await linesOf(house, id, "?tail=2"), all.slice(-2));
  assert.deepEqual(await linesOf(house, id, "?tail=0"), []);
});

test("since takes an instant or a span, and refuses all else", async (t) => {
  const house = await fakeHouse(t);
  const id = await makePod(house);
  const all = await linesOf(house, id);
  assert.deepEqual(await linesOf(house, id, "?since=1h"), all);
  assert.deepEqual(await linesOf(house, id, "?since=2100-01-01T00:00:00Z"), []);
  const from = encodeURIComponent(all.at(-1)!.at!);
  const last = await linesOf(house, id, `?since=${from}`);
  assert.deepEqual(last, all.slice(-last.length));
  const wrong: [query: string, sentence: RegExp][] = [
    ["since=yesterday", /"since" must be an instant such as .* it is "yesterday"/],
    ["type=stdout", /"type" must be .*"container".*"system"/],
    ["tail=5001", /"tail" must be a whole number from 0 to 5000/],
    ["follow=maybe", /"follow" must be true or false/],
  ];
  for (const [query, sentence] of wrong) {
    const answer = await house.call("GET", `/v1/pods/${id}/logs?${query}`);
    assert.deepEqual([answer.status, answer.json.code], [400, "invalid_query"], answer.text);
    assert.match(answer.json.message, sentence);
  }
  const headers = { "last-event-id": "nonsense" };
  const answer = await house.call("GET", `/v1/pods/${id}/logs?follow=true`, undefined, headers);
  assert.match(answer.json.message, /The Last-Event-ID header must be/);
});

test("who follows sees stop, start and deletion, and goes on where it broke off", async (t) => {
  const house = await fakeHouse(t);
  const id = await makePod(house);
  const before = await linesOf(house, id);
  const first = await follow(house, id);
  assert.deepEqual([first.status, first.type], [200, "text/event-stream"]);
  const read = await first.until(({ data }) => data.text.startsWith("the container runs"));
  await house.call("POST", `/v1/pods/${id}/stop`);
  read.push(...(await first.until(({ data }) => data.text === "the container is stopped")));
  first.close();
  assert.deepEqual(
    read.slice(0, before.length).map(({ data }) => data),
    before,
  );
  assert.ok(read.some(({ data }) => data.type === "container" && /SIGTERM/.test(data.text)));

  await house.call("POST", `/v1/pods/${id}/start`);
  await until(podsOf(house).reached, id);
  const [middle] = read.slice(before.length);
  const second = await follow(house, id, "", { "last-event-id": middle!.id! });
  // Each log by itself is in order; which of them is ahead is nobody's promise.
  const wanted = new Set(["the container runs", "begun with image a"]);
  const missed = await second.until(({ data }) => {
    for (const text of wanted) if (data.text.startsWith(text)) wanted.delete(text);
    return wanted.size === 0;
  });
  const told = (events: typeof read) => events.map(({ data }) => `${data.at} ${data.text}`).sort();
  const again = told(read.slice(read.indexOf(middle!) + 1));
  assert.deepEqual(
    told(missed).filter((line) => again.includes(line)),
    again,
  );
  const known = told(read.slice(0, read.indexOf(middle!) + 1));
  assert.ok(!told(missed).some((line) => known.includes(line)));
  const kept = await linesOf(house, id, "?tail=5000");
  assert.equal(kept.filter(({ text }) => text.startsWith("begun with image")).length, 2);

  await house.call("DELETE", `/v1/pods/${id}`);
  const rest = await second.until(({ event }) => event === "end");
  assert.ok(rest.some(({ data }) => data.text === "a client deletes it"));
  assert.equal(await second.next(), null);
  assert.equal((await house.call("GET", `/v1/pods/${id}/logs`)).status, 404);
});

test("one log alone is followed to the end of a worker", async (t) => {
  const house = await fakeHouse(t);
  const endpoint = await house.makeEndpoint({
    template: { driver: "fake" },
    spec: { workersMin: 1, workersMax: 1 },
  });
  const worker = await until(async (id) => {
    const { json } = await house.call("GET", `/v1/endpoints/${id}/workers`);
    return json[0]?.phase === "idle" ? json[0] : null;
  }, endpoint);
  const path = `${house.origin}/v1/workers/${worker.id}/logs?follow=true`;
  const headers = { authorization: house.key };
  const container = await readEvents(`${path}&type=container`, headers);
  const system = await readEvents(`${path}&type=system&tail=0`, headers);
  assert.match((await container.next())!.data.text, /^begun/);
  await house.call("DELETE", `/v1/endpoints/${endpoint}`);
  const printed = await container.until(({ event }) => event === "end");
  assert.match(printed.at(-2)!.data.text, /ended with exit code 0/);
  const told = (await system.until(({ event }) => event === "end")).map(({ data }) => data.text);
  assert.match(told[0], /^is to end/);
  assert.match(told.at(-2), /^ended with exit code 0/);
});

test("what a process prints is followed, and its rotated log too", async (t) => {
  const house = await startHouse(t, { drivers: "process" });
  const script =
    "let n = 0; const timer = setInterval(() => { console.log('line', n++); if (n === 40) process.exit(0) }, 5)";
  const id = await (async () => {
    const dockerStartCmd = [process.execPath, "-e", script];
    const body = { driver: "process", imageName: "none", dockerStartCmd, volumeInGb: 0 };
    return (await house.call("POST", "/v1/pods", { ...body, computeType: "CPU" })).json.id;
  })();
  const events = await follow(house, id, "&type=container");
  const seen = await events.until(({ data }) => data.text === "line 39");
  assert.deepEqual(
    seen.map(({ data }) => data.text),
    Array.from({ length: 40 }, (_, n) => `line ${n}`),
  );
  const rest = await follow(house, id, "&type=container", { "last-event-id": seen[9]!.id! });
  assert.deepEqual((await rest.next())!.data.text, "line 10");
  events.close();
  rest.close();
});

test("a service that stops lets its followers go, to come again", async (t) => {
  const house = await fakeHouse(t);
  const id = await makePod(house);
  const events = await follow(house, id, "&tail=1");
  assert.ok(await events.next());
  await house.stop();
  for (let last = await events.next(); last !== null; last = await events.next()) {
    assert.notEqual(last.event, "end");
  }
});
