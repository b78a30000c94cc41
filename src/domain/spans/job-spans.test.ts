// The spans of a job, as a table of what happened to it.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Span } from "../trace/span.ts";
import type { TraceContext } from "../trace/trace-context.ts";
import {
  queueSpan,
  runSpan,
  submitContext,
  submitSpan,
  type Wait,
  webhookSpan,
} from "./job-spans.ts";
import {
  coldStartContext,
  coldStartOf,
  coldStartSpans,
  type StartedWorker,
} from "./worker-spans.ts";

const job = { id: "j1", endpointId: "e1" };
const request: TraceContext = {
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  sampled: true,
  random: true,
  state: "a=1",
};
const submit = submitContext(job.id, request);
const worker = { id: "w1", createdAt: 50, readyAt: 90 };

const wait = (change: Partial<Wait>): Span =>
  queueSpan(job, submit, { queuedAt: 100, endedAt: 160, worker, reason: null, ...change });
const run = (end: Parameters<typeof runSpan>[2]["end"], n = 1): Span =>
  runSpan(job, submit, { n, workerId: "w1", takenAt: 160, endedAt: 200, end });
const call = (status: number | null, error: string | null, tries = 1): Span =>
  webhookSpan(job, submit, {
    message: "msg_j1_1",
    url: "https://u:p@example.org/hook?key=s",
    try: tries,
    startMs: 200,
    endMs: 240,
    status,
    error,
  });

// what happened, and of its span: times, links, error
const spans: [name: string, span: Span, times: [number, number], links: number, error: unknown][] =
  [
    [
      "submitted",
      submitSpan({ ...job, inputBytes: 7 }, request, { startMs: 90, endMs: 100 }),
      [90, 100],
      0,
      null,
    ],
    ["taken by a warm worker", wait({}), [100, 160], 0, null],
    [
      "taken by a worker that became ready meanwhile",
      wait({ worker: { ...worker, readyAt: 150 } }),
      [100, 160],
      1,
      null,
    ],
    [
      "taken before readiness was recorded",
      wait({ worker: { ...worker, readyAt: null } }),
      [100, 160],
      1,
      null,
    ],
    [
      "cancelled in its queue",
      wait({ worker: null, reason: "cancelled" }),
      [100, 160],
      0,
      { type: "not_dispatched", message: "cancelled" },
    ],
    ["taken by a replica whose clock is behind", wait({ endedAt: 99 }), [99, 99], 0, null],
    ["completed", run({ completed: true }), [160, 200], 0, null],
    [
      "failed",
      run({ error: '{"error_type":"<class \'ValueError\'>","error_message":"no\\nluck"}' }),
      [160, 200],
      0,
      { type: "handler_error", message: "ValueError: no" },
    ],
    [
      "lost",
      run({ lost: "its worker ended" }),
      [160, 200],
      0,
      { type: "no_result", message: "its worker ended" },
    ],
    ["delivered", call(200, null), [200, 240], 0, null],
    [
      "refused by its receiver",
      call(500, "it answered 500"),
      [200, 240],
      0,
      { type: "500", message: "it answered 500" },
    ],
    [
      "not reached",
      call(null, "the connection was refused"),
      [200, 240],
      0,
      { type: "no_answer", message: "the connection was refused" },
    ],
  ];

for (const [name, span, times, links, error] of spans) {
  test(`the span of a job that was ${name}`, () => {
    assert.deepEqual([span.startMs, span.endMs], times);
    assert.equal(span.links.length, links);
    assert.deepEqual(span.error, error);
    assert.equal(span.parentSpanId, name === "submitted" ? request.spanId : submit.spanId);
    assert.deepEqual(
      [span.context.traceId, span.context.state, span.context.sampled],
      [request.traceId, "a=1", true],
    );
    assert.equal(span.attributes["messaging.message.id"], "j1");
    assert.match(span.context.spanId, /^[0-9a-f]{16}$/);
  });
}

test("every span of a job has an id of its own, and the same one on any replica", () => {
  const all = () => [
    wait({}),
    wait({ queuedAt: 300, endedAt: 301 }),
    run({ completed: true }),
    run({ completed: true }, 2),
    call(200, null),
    call(200, null, 2),
  ];
  const ids = all().map(({ context }) => context.spanId);
  assert.equal(new Set([...ids, submit.spanId]).size, 7);
  assert.deepEqual(
    all().map(({ context }) => context.spanId),
    ids,
  );
});

test("the span of a webhook holds neither credentials nor the query of its URL", () => {
  const { attributes } = call(200, null, 3);
  assert.equal(attributes["url.full"], "https://example.org/hook");
  assert.equal(attributes["server.port"], 443);
  assert.equal(attributes["http.request.resend_count"], 2);
});

// a worker's start, and the names and times of its spans
const started: StartedWorker = {
  ...job,
  id: "w1",
  machine: "m1",
  driver: "docker",
  createdAt: 10,
  launchedAt: 12,
  modelsAt: null,
  pullingAt: 13,
  imageAt: 30,
  processAt: null,
  loadedAt: null,
  startedAt: 40,
  readyAt: 90,
};
const never = { pullingAt: 13, imageAt: null, startedAt: null, readyAt: null };
const starts: [
  name: string,
  change: Partial<StartedWorker>,
  failure: string | null,
  parts: [string, number, number, boolean][],
][] = [
  [
    "ready",
    {},
    null,
    [
      ["cold start e1", 10, 90, false],
      ["schedule worker", 10, 12, false],
      ["pull image", 12, 30, false],
      ["start container", 30, 40, false],
      ["start worker", 40, 90, false],
    ],
  ],
  [
    "ended before it was ready",
    { readyAt: null },
    "ended",
    [
      ["cold start e1", 10, 90, true],
      ["schedule worker", 10, 12, false],
      ["pull image", 12, 30, false],
      ["start container", 30, 40, false],
      ["start worker", 40, 90, true],
    ],
  ],
  [
    "never started",
    never,
    "no such image",
    [
      ["cold start e1", 10, 90, true],
      ["schedule worker", 10, 12, false],
      ["pull image", 12, 90, true],
    ],
  ],
];

for (const [name, change, failure, parts] of starts) {
  test(`the cold start of a worker that is ${name}`, () => {
    const context = coldStartContext("w1", true);
    const found = coldStartSpans({ ...started, ...change }, context, { endMs: 90, failure });
    assert.deepEqual(
      found.map((span) => [span.name, span.startMs, span.endMs, span.error !== null]),
      parts,
    );
    assert.equal(found[0]!.parentSpanId, null);
    assert.deepEqual(coldStartOf("w1"), { traceId: context.traceId, spanId: context.spanId });
    for (const part of found.slice(1)) assert.equal(part.parentSpanId, context.spanId);
    assert.equal(new Set(found.map((span) => span.context.spanId)).size, found.length);
  });
}
