// Tests of why through a complete service, with real workers that crash, simulated workers and simulated
// ones.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import {
  type ServiceOptions,
  startService,
  type TestService,
} from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";

const protocol = { endingHoldMs: 20, endGraceMs: 200, leaseMs: 600, silentMs: 1_200 };

async function open(
  t: TestContext,
  wanted: Parameters<TestService["makeEndpoint"]>[0] = {},
  options: ServiceOptions = {},
) {
  const service = await startService(t, { protocol, ...options });
  const endpoint = await service.makeEndpoint(wanted);
  const submit = async (body = {}) => {
    const run = await service.call("POST", `/v2/${endpoint}/run`, { input: {}, ...body });
    return run.json.id as string;
  };
  return { service, endpoint, submit };
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
async function why(service: TestService, id: string): Promise<any> {
  const answer = await service.call("GET", `/v1/why/${id}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** Polls until the expected reason is given. */
function becomes(service: TestService, id: string, code: string) {
  return until(async () => {
    const answer = await why(service, id);
    return answer.code === code ? answer : null;
  });
}

test("a worker that cannot import is a crash loop, reported with the log line of its error", async (t) => {
  const script =
    'console.error(`Traceback (most recent call last):\n  File "/app/handler.py", line 1\n' +
    "ModuleNotFoundError: No module named 'torch'`); process.exit(1)";
  const template = { driver: "process" as const, dockerStartCmd: [process.execPath, "-e", script] };
  const { service, endpoint, submit } = await open(t, { template }, { drivers: "process" });
  const id = await submit();
  const { sentence, evidence, next } = await becomes(service, id, "crash_loop");
  assert.match(
    sentence,
    /^IN_QUEUE for .* s: the last \d workers ended with exit code 1 \(ModuleNotFoundError: No module named 'torch'\) before they finished a job\. .* This is not a lack of capacity\.$/,
  );
  assert.ok(evidence.ends.length >= 3);
  assert.equal(evidence.ends[0].exitCode, 1);
  assert.ok(evidence.log.lines.includes("ModuleNotFoundError: No module named 'torch'"));
  assert.match(next, /log/);
  const worker = await why(service, evidence.ends[0].workerId);
  assert.deepEqual([worker.kind, worker.code], ["worker", "worker_crashed"]);
  assert.match(
    worker.sentence,
    /ended by itself .* ago with exit code 1, .*No module named 'torch'/,
  );
  const whole = await why(service, endpoint);
  assert.deepEqual([whole.kind, whole.code], ["endpoint", "crash_loop"]);
  assert.match(whole.sentence, /^1 job waits, the oldest for /);
});

test("an image without a command cannot run as a process, and why has the driver's error", async (t) => {
  const template = { driver: "process" as const, imageName: "library/worker:1" };
  const { service, submit } = await open(t, { template }, { drivers: "process" });
  const { sentence, evidence } = await becomes(service, await submit(), "start_refused");
  assert.match(sentence, /its workers cannot be started: A process needs a start command: /);
  const worker = await why(service, evidence.ends[0].workerId);
  assert.equal(worker.code, "start_refused");
});

const simulated = (...command: string[]) => ({
  template: { driver: "simulated" as const, dockerStartCmd: ["simulate", ...command] },
  spec: { workersMax: 1 },
});

test("a failed self-test is reported in the worker's words, and delays the next start", async (t) => {
  const { service, submit } = await open(t, simulated("--unhealthy"));
  const { sentence, evidence } = await becomes(service, await submit(), "workers_unhealthy");
  assert.match(sentence, /could not serve: .*This is not a lack of capacity\.$/);
  assert.ok(evidence.ends[0].unhealthy.length > 0);
});

test("a lost job's log is what its worker printed while it had the job", async (t) => {
  const { service, submit } = await open(t, simulated("--job-ms", "50", "--crash-during", "2"));
  const first = await submit();
  await becomes(service, first, "completed");
  const lost = await submit({ policy: { retry: { maxAttempts: 1 } } });
  const { sentence, evidence } = await becomes(service, lost, "workers_lost");
  const log: string = evidence.log.lines.join("\n");
  assert.match(log, new RegExp(`took job ${lost}`));
  assert.ok(!log.includes(first) && !sentence.includes(first), log);
});

test("a job whose workers die twice is lost, with both ends as evidence", async (t) => {
  const { service, submit } = await open(t, simulated("--job-ms", "50", "--crash-during", "1"));
  const { sentence, evidence, story, next } = await becomes(service, await submit(), "lost_twice");
  assert.match(sentence, /^FAILED: worker \w+ lost it \(its worker ended .*\), then worker/);
  assert.equal(evidence.attempts.length, 1);
  assert.ok(evidence.attempts[0].takenAt.endsWith("Z"));
  assert.match(
    story,
    /^job \S+ {2}queued .*, back from \w+ after .*, ran .*, FAILED: job timed out/,
  );
  assert.match(next, /retry/);
});

test("a slowly starting worker is reported as starting", async (t) => {
  const { service, endpoint, submit } = await open(t, simulated("--start-ms", "60000"));
  const id = await submit();
  const { code } = await until(async () => {
    const answer = await why(service, id);
    return /has not asked for a job yet/.test(answer.sentence) ? answer : null;
  });
  assert.equal(code, "worker_starting");
  const { workers } = (await why(service, endpoint)).evidence;
  assert.deepEqual([workers.starting, workers.workersMax], [1, 1]);
});

test("a missing driver, workersMax 0 and busy workers are reported as three reasons", async (t) => {
  const { service, submit } = await open(t);
  const missing = await becomes(service, await submit(), "driver_missing");
  assert.match(missing.sentence, /needs the driver "process", which this service does not offer/);

  const closed = await service.makeEndpoint({ spec: { workersMax: 0 } });
  const paused = await service.call("POST", `/v2/${closed}/run`, { input: {} });
  assert.equal((await why(service, paused.json.id)).code, "no_workers_allowed");

  const one = await service.makeEndpoint({ spec: { workersMax: 1 } });
  const worker = await service.makeWorker(one);
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) {
    ids.push((await service.call("POST", `/v2/${one}/run`, { input: {} })).json.id);
  }
  await worker.call("job-take", "?job_in_progress=0");
  const last = await why(service, ids[2]!);
  assert.equal(last.code, "workers_busy");
  assert.match(last.sentence, /and workersMax is 1\. 1 job is ahead of it\.$/);
  assert.deepEqual(last.evidence.jobsAhead, 1);
  const running = await why(service, ids[0]!);
  assert.equal(running.code, "running");
  assert.deepEqual((await why(service, worker.id)).evidence.jobs, [ids[0]]);
});

test("an ended job is explained, with late posts", async (t) => {
  const { service, endpoint, submit } = await open(t);
  const worker = await service.makeWorker(endpoint);
  const done = await submit();
  await worker.call("job-take", "?job_in_progress=0");
  await worker.call(`job-done/${done}`, "", '{"output":1}');
  const completed = await why(service, done);
  assert.equal(completed.code, "completed");
  assert.equal(completed.next, null);
  assert.match(completed.story, /^job \S+ {2}queued \d+ ms, ran \d+ ms, COMPLETED$/);

  const failing = await submit();
  await worker.call("job-take");
  const error = { error_type: "<class 'KeyError'>", error_message: "'seed'" };
  await worker.call(`job-done/${failing}`, "", JSON.stringify({ error: JSON.stringify(error) }));
  const failed = await why(service, failing);
  assert.deepEqual(
    [failed.code, failed.sentence],
    ["handler_failed", `FAILED: worker ${worker.id} posted an error: KeyError: 'seed'`],
  );

  const cancelled = await submit();
  await worker.call("job-take");
  await service.call("POST", `/v2/${endpoint}/cancel/${cancelled}`);
  await worker.call(`job-done/${cancelled}`, "", '{"output":"too late"}');
  const late = await why(service, cancelled);
  assert.equal(late.code, "cancelled");
  assert.match(late.sentence, /posted a result .* later; it was discarded\.$/);
  assert.equal(late.evidence.latePosts[0].kind, "job-done");
});

test("an idle endpoint is explained, and an unknown id is 404", async (t) => {
  const { service, endpoint } = await open(t);
  assert.equal(
    (await why(service, (await service.makeWorker(endpoint)).id)).code,
    "driver_missing",
  );
  const quiet = await service.makeEndpoint(simulated());
  assert.equal((await why(service, quiet)).code, "idle");
  const nothing = await service.call("GET", "/v1/why/nothing");
  assert.deepEqual([nothing.status, nothing.json.code], [404, "subject_not_found"]);
  assert.equal((await service.call("GET", "/v1/why/not%20an%20id")).status, 400);
});
