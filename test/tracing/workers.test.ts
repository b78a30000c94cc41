// The trace context in workers: with the public Python SDK, with the TypeScript library, in the environment, and
// through a load-balancing endpoint.

import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { pythonWith } from "../sdk/python-environment.ts";
import { makePythonEndpoint, shortTimes } from "../sdk/python-worker.ts";
import { startCollector } from "./collector.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const headers = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01`, tracestate: "a=1" };

for (const sdk of ["1.6.2", "2.0.0rc2"] as const) {
  test(`a handler of runpod ${sdk} reads the context of its run from the job`, async (t) => {
    const python = pythonWith(t, sdk);
    const collector = python && (await startCollector(t));
    if (!python || !collector) return;
    const { env } = collector;
    const service = await startService(t, { drivers: "process", protocol: shortTimes, env });
    const endpoint = await makePythonEndpoint(service, python, "sync");
    const input = { do: "whole_job" };
    const run = await service.call(
      "POST",
      `/v2/${endpoint}/runsync?wait=60000`,
      { input },
      headers,
    );
    const spans = await collector.trace(TRACE, 4);
    const span = spans.find(({ name }) => name === `run ${endpoint}`)!;
    const { traceparent, tracestate } = run.json.output;
    assert.equal(traceparent, `00-${TRACE}-${span.spanId}-01`, run.text);
    assert.equal(tracestate, "a=1");
  });
}

test("a handler of the TypeScript library has it in its context, and the worker that of its start", async (t) => {
  const collector = await startCollector(t);
  if (!collector) return;
  const { env } = collector;
  const service = await startService(t, { drivers: "process", protocol: shortTimes, env });
  const worker = path.join(import.meta.dirname, "trace-worker.ts");
  const template = { driver: "process" as const, dockerStartCmd: [process.execPath, worker] };
  const endpoint = await service.makeEndpoint({ template });
  const run = await service.call("POST", `/v2/${endpoint}/runsync`, { input: {} }, headers);
  const spans = await collector.trace(TRACE, 4);
  const named = (name: string) => spans.find((span) => span.name === `${name} ${endpoint}`)!;
  const { trace, start } = run.json.output;
  const traceparent = `00-${TRACE}-${named("run").spanId}-01`;
  assert.deepEqual(trace, { traceparent, tracestate: "a=1" });
  const [link] = named("queue").links;
  assert.equal(start, `00-${link!.traceId}-${link!.spanId}-01`);
});

test("while tracing is off a worker has the client's context, and none of its start", async (t) => {
  const service = await startService(t, { drivers: "process", protocol: shortTimes });
  const worker = path.join(import.meta.dirname, "trace-worker.ts");
  const template = { driver: "process" as const, dockerStartCmd: [process.execPath, worker] };
  const endpoint = await service.makeEndpoint({ template });
  const run = await service.call("POST", `/v2/${endpoint}/runsync`, { input: {} }, headers);
  assert.deepEqual(run.json.output, { trace: headers, start: null });
});
