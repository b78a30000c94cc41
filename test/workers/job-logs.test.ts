// Tests of logs by job: what a worker prints while it has a job can be read with the job.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { readEvents } from "../fixtures/event-stream.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";

const library = pathToFileURL(path.resolve(import.meta.dirname, "../../src/serve/serve.ts"));

/** Prints what its input says, with its own words before and after, and fails if asked to. */
const SCRIPT = `
import { serve } from ${JSON.stringify(library.href)};
console.log("loading");
await serve({
  async handler(job, { log }) {
    log.info("prints " + job.input.lines.length);
    for (const line of job.input.lines) console.log(line);
    if (job.input.waitFor) {
      const { existsSync } = await import("node:fs");
      while (!existsSync(job.input.waitFor)) await new Promise((go) => setTimeout(go, 20));
      console.log("continues");
    }
    if (job.input.crash) process.exit(3);
    if (job.input.error) throw new TypeError(job.input.error);
    return 1;
  },
});
`;

async function startWorkers(t: TestContext, options: { replicas?: number | null } = {}) {
  const service = await startService(t, { drivers: "process", ...options });
  const file = path.join(service.dataFolder, "worker.mjs");
  writeFileSync(file, SCRIPT);
  const { json: template } = await service.call("POST", "/v1/templates", {
    name: "printer",
    imageName: "none",
    driver: "process",
    dockerStartCmd: [process.execPath, file],
  });
  const settings = { templateId: template.id, workersMin: 0, workersMax: 1, idleTimeout: 1 };
  const { json: endpoint } = await service.call("POST", "/v1/endpoints", settings);
  return { service, endpointId: endpoint.id as string };
}

const linesOf = async (service: TestService, jobId: string, query = "") => {
  const { json } = await service.call("GET", `/v1/jobs/${jobId}/logs${query}`);
  return json as { text: string; level?: string; workerId?: string; lost?: number }[];
};

const textsOf = async (service: TestService, jobId: string, query = "") =>
  (await linesOf(service, jobId, query)).map(({ text }) => text);

async function submit(service: TestService, endpointId: string, input: object): Promise<string> {
  const { json } = await service.call("POST", `/v2/${endpointId}/run`, { input });
  return json.id;
}

test("each job has its own lines, also after its worker is gone", async (t) => {
  const { service, endpointId } = await startWorkers(t);
  const jobs: string[] = [];
  for (let n = 0; n < 5; n++) {
    jobs.push(await submit(service, endpointId, { lines: [`job ${n}`, `again ${n}`] }));
  }
  for (const [n, id] of jobs.entries()) {
    await until(async () => (await textsOf(service, id)).includes("Finished."));
    assert.deepEqual(await textsOf(service, id), [
      "Started.",
      "prints 2",
      `job ${n}`,
      `again ${n}`,
      "Finished.",
    ]);
  }
  const [first] = jobs;
  const [line] = await linesOf(service, first!);
  assert.equal(line?.level, "INFO");
  assert.deepEqual(await textsOf(service, first!, "?tail=1"), ["Finished."]);
  assert.deepEqual(await textsOf(service, first!, "?tail=0"), []);
  const worker = `/v1/workers/${line?.workerId}`;
  await until(async () => (await service.call("GET", worker)).json.phase === "ended");
  assert.equal((await linesOf(service, first!)).length, 5);
});

test("two replicas answer with the same lines, each once", async (t) => {
  const { service, endpointId } = await startWorkers(t, { replicas: 2 });
  const id = await submit(service, endpointId, { lines: ["one", "two"] });
  await until(async () => (await textsOf(service, id)).includes("Finished."));
  const expected = ["Started.", "prints 2", "one", "two", "Finished."];
  for (const { origin } of service.replicas) {
    const headers = { authorization: `Bearer ${service.key}` };
    const answer = await fetch(`${origin}/v1/jobs/${id}/logs`, { headers });
    const lines = (await answer.json()) as { text: string }[];
    assert.deepEqual(
      lines.map(({ text }) => text),
      expected,
    );
  }
});

test("a follower gets each line while the job runs, and the end", async (t) => {
  const { service, endpointId } = await startWorkers(t);
  const signal = path.join(service.dataFolder, "go");
  const id = await submit(service, endpointId, { lines: ["first"], waitFor: signal });
  const url = `${service.origin}/v1/jobs/${id}/logs?follow=true`;
  const headers = { authorization: `Bearer ${service.key}` };
  const reader = await readEvents(url, headers);
  const before = await reader.until(({ data }) => data.text === "first");
  assert.equal((await service.call("GET", `/v1/jobs/${id}`)).json.status, "IN_PROGRESS");
  writeFileSync(signal, "");
  const rest = await reader.until(({ event }) => event === "end");
  assert.deepEqual(
    rest.slice(0, -1).map(({ data }) => data.text),
    ["continues", "Finished."],
  );
  const again = await readEvents(url, { ...headers, "last-event-id": before.at(-1)!.id! });
  assert.equal((await again.next())?.data.text, "continues");
  again.close();
});

test("a job that ends its worker has what it printed before", async (t) => {
  const { service, endpointId } = await startWorkers(t);
  const id = await submit(service, endpointId, { lines: ["last words"], crash: true });
  await until(async () => (await textsOf(service, id)).includes("last words"));
});

test("a log over the limits has its newest lines, and says how many are missing", async (t) => {
  const { service, endpointId } = await startWorkers(t);
  const lines = Array.from({ length: 3_000 }, (_, n) => `line ${n}`);
  const id = await submit(service, endpointId, { lines });
  await until(async () => (await textsOf(service, id)).includes("Finished."));
  const [cut, ...rest] = await linesOf(service, id, "?tail=5000");
  assert.ok(rest.length >= 2_000 && rest.length < 3_003, `${rest.length} lines`);
  assert.equal(cut?.lost, 3_003 - rest.length);
  assert.deepEqual(
    rest.slice(-2).map(({ text }) => text),
    ["line 2999", "Finished."],
  );
  const some = await linesOf(service, id, "?tail=10");
  assert.deepEqual([some.length, some[0]?.lost], [10, undefined]);
});

test("bad queries and unknown jobs are refused with a sentence", async (t) => {
  const { service, endpointId } = await startWorkers(t);
  const id = await submit(service, endpointId, { lines: [] });
  const unknown = await service.call("GET", "/v1/jobs/nothere/logs");
  assert.deepEqual([unknown.status, unknown.json.code], [404, "job_not_found"]);
  const wrong = await service.call("GET", `/v1/jobs/${id}/logs?since=yesterday`);
  assert.match(wrong.json.message, /"since" must be an instant/);
  const headers = { "last-event-id": "x" };
  const event = await service.call("GET", `/v1/jobs/${id}/logs?follow=true`, undefined, headers);
  assert.match(event.json.message, /Last-Event-ID/);
});
