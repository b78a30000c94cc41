// The spans of jobs, as an OpenTelemetry Collector receives them.

import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { type ServiceOptions, startService, type TestWorker } from "../fixtures/service/service.ts";
import { startReceiver } from "../webhook/receiver.ts";
import { type Collector, type ReceivedSpan, startCollector } from "./collector.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const CALLER = "b7ad6b7169203331";
const traceparent = `00-${TRACE}-${CALLER}-01`;

async function setUp(t: TestContext, collector: Collector, options: ServiceOptions = {}) {
  const service = await startService(t, {
    ...options,
    env: { ...collector.env, ...options.env },
    protocol: { webhookBackoffMs: [10, 20], ...options.protocol },
  });
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const submit = async (headers: Record<string, string>, body: object = {}) => {
    const input = { n: 1 };
    const run = await service.call("POST", `/v2/${endpoint}/run`, { input, ...body }, headers);
    assert.equal(run.status, 200, run.text);
    return run.json.id as string;
  };
  return { service, endpoint, worker, submit };
}

async function takes(worker: TestWorker) {
  for (;;) {
    const { status, json } = await worker.call("job-take");
    if (status === 200) return json;
  }
}

async function done(worker: TestWorker, body = '{"output":1}') {
  const job = await takes(worker);
  await worker.call(`job-done/${job.id}`, "", body);
  return job;
}

const named = (spans: ReceivedSpan[], name: string) =>
  spans.filter((span) => span.name.startsWith(`${name} `));
const only = (spans: ReceivedSpan[], name: string) => {
  const found = named(spans, name);
  assert.equal(found.length, 1, `${found.length} spans ${name}`);
  return found[0]!;
};

suite("spans", { concurrency: 4 }, () => {
  test("a job continues the trace of its caller, up to its worker", async (t) => {
    const collector = await startCollector(t);
    if (!collector) return;
    const { service, endpoint, worker, submit } = await setUp(t, collector);
    const tracestate = "congo=t61rcWkgMzE,rojo=00f067aa0ba902b7";
    const id = await submit({ traceparent, tracestate });
    const job = await done(worker);
    const spans = await collector.trace(TRACE, 4);
    const [request, sent] = [only(spans, "POST"), only(spans, "submit")];
    const [wait, run] = [only(spans, "queue"), only(spans, "run")];
    assert.deepEqual(
      [request, sent, wait, run].map(({ kind, parentSpanId }) => [kind, parentSpanId]),
      [
        [2, CALLER],
        [4, request.spanId],
        [1, sent.spanId],
        [5, sent.spanId],
      ],
    );
    assert.equal(job.traceparent, `00-${TRACE}-${run.spanId}-01`);
    assert.equal(job.tracestate, tracestate);
    assert.equal((await service.call("GET", `/v1/jobs/${id}`)).json.traceId, TRACE);
    for (const span of spans) assert.equal(span.traceState, tracestate);
    assert.equal(request.attributes["http.route"], "/v2/:endpointId/run");
    assert.equal(request.attributes["http.response.status_code"], 200);
    assert.deepEqual(sent.attributes, {
      "messaging.system": "freehold",
      "messaging.destination.name": endpoint,
      "messaging.message.id": id,
      "messaging.operation.name": "submit",
      "messaging.operation.type": "send",
      "messaging.message.body.size": 7,
    });
    assert.equal(run.attributes["freehold.worker.id"], worker.id);
    assert.equal(run.attributes["freehold.job.attempt"], 1);
    assert.equal(run.attributes["freehold.job.outcome"], "completed");
    assert.deepEqual(run.status, {});
    assert.equal(run.resource["service.name"], "freehold");
    assert.ok(wait.endMs <= run.startMs && run.startMs <= run.endMs);
  });

  test("every attempt has a span, and a failed one says why", async (t) => {
    const collector = await startCollector(t);
    if (!collector) return;
    const { worker, submit } = await setUp(t, collector);
    await submit({ traceparent }, { policy: { retry: { maxAttempts: 2, delay: 0 } } });
    await done(worker, '{"error":"no luck"}');
    const second = await done(worker);
    const spans = await collector.trace(TRACE, 6);
    const runs = named(spans, "run").sort((a, b) => a.startMs - b.startMs);
    assert.deepEqual(
      runs.map(({ status, attributes }) => [
        status.code,
        status.message,
        attributes["error.type"],
        attributes["freehold.job.attempt"],
      ]),
      [
        [2, "no luck", "handler_error", 1],
        [undefined, undefined, undefined, 2],
      ],
    );
    assert.match(second.traceparent, new RegExp(runs[1]!.spanId));
    assert.equal(named(spans, "queue").length, 2);
  });

  test("a job that is cancelled in its queue or on its worker ends its span with an error", async (t) => {
    const collector = await startCollector(t);
    if (!collector) return;
    const { service, endpoint, worker, submit } = await setUp(t, collector);
    const waiting = await submit({ traceparent });
    await service.call("POST", `/v2/${endpoint}/cancel/${waiting}`);
    const running = await submit({ traceparent });
    await takes(worker);
    await service.call("POST", `/v2/${endpoint}/cancel/${running}`);
    const spans = await collector.trace(TRACE, 7);
    const [first, second] = named(spans, "queue").sort((a, b) => a.startMs - b.startMs);
    assert.deepEqual([first!.status.code, second!.status.code], [2, undefined]);
    assert.equal(first!.attributes["error.type"], "not_dispatched");
    assert.equal(only(spans, "run").attributes["error.type"], "no_result");
  });

  test("each call of a webhook has a span, whose context its receiver gets", async (t) => {
    const collector = await startCollector(t);
    if (!collector) return;
    const { worker, submit } = await setUp(t, collector);
    const receiver = await startReceiver(t, [500, 200]);
    await submit({ traceparent }, { webhook: `${receiver.url}?token=secret` });
    await done(worker);
    const received = await receiver.sent(2);
    const calls = named(await collector.trace(TRACE, 6), "webhook");
    calls.sort((a, b) => a.startMs - b.startMs);
    assert.deepEqual(
      calls.map(({ attributes: { "http.response.status_code": status }, status: { code } }) => [
        status,
        code,
      ]),
      [
        [500, 2],
        [200, undefined],
      ],
    );
    assert.deepEqual(
      received.map(({ headers }) => headers.traceparent),
      calls.map(({ spanId }) => `00-${TRACE}-${spanId}-01`),
    );
    assert.doesNotMatch(JSON.stringify(collector.spans()), /secret/);
  });

  test("a trace outlives the service that its job was submitted to", async (t) => {
    const collector = await startCollector(t);
    if (!collector) return;
    const first = await setUp(t, collector, { replicas: null });
    const id = await first.submit({ traceparent });
    await first.service.stop();
    const { dataFolder } = first.service;
    const again = await startService(t, { dataFolder, replicas: null, env: collector.env });
    const worker = await again.makeWorker(first.endpoint);
    await done(worker);
    const spans = await collector.trace(TRACE, 4);
    assert.equal(only(spans, "run").parentSpanId, only(spans, "submit").spanId);
    assert.equal(only(spans, "run").attributes["messaging.message.id"], id);
  });

  test("a worker that becomes ready ends the span of its cold start, which the wait links to", async (t) => {
    const collector = await startCollector(t);
    if (!collector) return;
    const { service, submit } = await setUp(t, collector, { drivers: "simulated" });
    const dockerStartCmd = ["simulate", "--pull-ms", "20"];
    const cold = await service.makeEndpoint({ template: { driver: "simulated", dockerStartCmd } });
    await submit({});
    const run = await service.call(
      "POST",
      `/v2/${cold}/runsync`,
      { input: { output: 1 } },
      { traceparent },
    );
    assert.equal(run.json.status, "COMPLETED", run.text);
    const wait = only(await collector.trace(TRACE, 4), "queue");
    assert.equal(wait.attributes["freehold.worker.cold_start"], true);
    const [link] = wait.links;
    const start = await collector.trace(link!.traceId, 5);
    const whole = only(start, "cold start");
    assert.equal(whole.spanId, link!.spanId);
    assert.equal(whole.attributes["freehold.worker.id"], run.json.workerId);
    const parts = ["schedule worker", "pull image", "start container", "start worker"].map(
      (name) => start.find((span) => span.name === name)!,
    );
    for (const part of parts) assert.equal(part.parentSpanId, whole.spanId);
    const ends = parts.map(({ endMs }) => endMs);
    assert.deepEqual(
      [...parts.map(({ startMs }) => startMs), whole.endMs],
      [whole.startMs, ...ends],
    );
  });

  test("the caller decides whether its trace is recorded, and the sampler about others", async (t) => {
    const collector = await startCollector(t);
    if (!collector) return;
    const env = { OTEL_TRACES_SAMPLER: "parentbased_always_off" };
    const { worker, submit } = await setUp(t, collector, { env });
    await submit({ traceparent: `00-${"c".repeat(32)}-${CALLER}-00` });
    const passedOn = await done(worker);
    assert.match(passedOn.traceparent, /^00-c{32}-[0-9a-f]{16}-00$/);
    await submit({});
    assert.match((await done(worker)).traceparent, /^00-[0-9a-f]{32}-[0-9a-f]{16}-02$/);
    await submit({ traceparent });
    await done(worker);
    await collector.trace(TRACE, 4);
    assert.deepEqual(new Set(collector.spans().map(({ traceId }) => traceId)), new Set([TRACE]));
  });

  test("spans are sent as JSON as well, and carry the operator's attributes", async (t) => {
    const collector = await startCollector(t);
    if (!collector) return;
    const env = { OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" };
    const { worker, submit } = await setUp(t, collector, { env });
    await submit({ traceparent });
    await done(worker);
    assert.equal(only(await collector.trace(TRACE, 4), "run").endMs > 0, true);
  });

  test("on PostgreSQL a replica ends the spans of a job that another one accepted", async (t) => {
    const collector = await startCollector(t);
    if (!collector) return;
    const { service, worker, submit } = await setUp(t, collector, { replicas: 2 });
    await submit({ traceparent });
    await done(worker);
    const spans = await collector.trace(TRACE, 4);
    assert.equal(only(spans, "run").parentSpanId, only(spans, "submit").spanId);
    assert.equal(service.replicas.length, 2);
  });
});

suite("tracing never affects a job", { concurrency: 4 }, () => {
  const unreachable = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };

  test("without a reachable collector jobs run, and a stop does not wait for it", async (t) => {
    const env = { ...unreachable, OTEL_BSP_SCHEDULE_DELAY: "10" };
    const service = await startService(t, { env, replicas: null });
    const endpoint = await service.makeEndpoint();
    const worker = await service.makeWorker(endpoint);
    const run = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
    await done(worker);
    const { json } = await service.call("GET", `/v2/${endpoint}/status/${run.json.id}`);
    assert.equal(json.status, "COMPLETED");
    await service.stop();
  });

  // what is sent, and what the worker gets while tracing is off
  const members = (count: number) =>
    Array.from({ length: count }, (_, n) => `k${n}=${"v".repeat(30)}`).join(",");
  const cases: [name: string, sent: Record<string, string>, gets: (string | undefined)[]][] = [
    ["nothing", {}, [undefined, undefined]],
    ["a context", { traceparent }, [traceparent, undefined]],
    ["a state", { traceparent, tracestate: "a=1" }, [traceparent, "a=1"]],
    [
      "a malformed traceparent",
      { traceparent: "00-abc", tracestate: "a=1" },
      [undefined, undefined],
    ],
    ["a malformed tracestate", { traceparent, tracestate: "A=1" }, [traceparent, undefined]],
    ["a long tracestate", { traceparent, tracestate: members(20) }, [traceparent, members(14)]],
  ];
  for (const [name, sent, gets] of cases) {
    test(`with ${name} a job is accepted`, async (t) => {
      const service = await startService(t);
      const endpoint = await service.makeEndpoint();
      const worker = await service.makeWorker(endpoint);
      await service.call("POST", `/v2/${endpoint}/run`, { input: {} }, sent);
      const job = await takes(worker);
      assert.deepEqual([job.traceparent, job.tracestate], gets);
    });
  }
});
