// Asking why through the whole house: real workers that crash, fake ones that do as they are told,
// and played ones.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type HouseOptions, startHouse, type TestHouse } from "../house.ts";

const protocol = { endingHoldMs: 20, endGraceMs: 200, leaseMs: 600, silentMs: 1_200 };

async function open(
  t: TestContext,
  wanted: Parameters<TestHouse["makeEndpoint"]>[0] = {},
  options: HouseOptions = {},
) {
  const house = await startHouse(t, { protocol, ...options });
  const endpoint = await house.makeEndpoint(wanted);
  const submit = async (body = {}) => {
    const run = await house.call("POST", `/v2/${endpoint}/run`, { input: {}, ...body });
    return run.json.id as string;
  };
  return { house, endpoint, submit };
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
async function why(house: TestHouse, id: string): Promise<any> {
  const answer = await house.call("GET", `/v1/why/${id}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** Asks until the reason is the one that is waited for, or minutes are over. */
async function becomes(house: TestHouse, id: string, code: string) {
  let answer = await why(house, id);
  for (let asked = 0; answer.code !== code && asked < 4_000; asked++) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    answer = await why(house, id);
  }
  assert.equal(answer.code, code, answer.sentence);
  return answer;
}

test("a worker that cannot import is a crash loop, with the line that says so", async (t) => {
  const script =
    'console.error(`Traceback (most recent call last):\n  File "/app/handler.py", line 1\n' +
    "ModuleNotFoundError: No module named 'torch'`); process.exit(1)";
  const template = { driver: "process" as const, dockerStartCmd: [process.execPath, "-e", script] };
  const { house, endpoint, submit } = await open(t, { template }, { drivers: "process" });
  const id = await submit();
  const { sentence, evidence, next } = await becomes(house, id, "crash_loop");
  assert.match(
    sentence,
    /^IN_QUEUE for .* s: the last \d workers ended with exit code 1 \(ModuleNotFoundError: No module named 'torch'\) before they finished a job\. .* This is not a lack of capacity\.$/,
  );
  assert.ok(evidence.ends.length >= 3);
  assert.equal(evidence.ends[0].exitCode, 1);
  assert.ok(evidence.log.lines.includes("ModuleNotFoundError: No module named 'torch'"));
  assert.match(next, /log/);
  const worker = await why(house, evidence.ends[0].workerId);
  assert.deepEqual([worker.kind, worker.code], ["worker", "worker_crashed"]);
  assert.match(
    worker.sentence,
    /ended by itself .* ago with exit code 1, .*No module named 'torch'/,
  );
  const whole = await why(house, endpoint);
  assert.deepEqual([whole.kind, whole.code], ["endpoint", "crash_loop"]);
  assert.match(whole.sentence, /^1 job waits, the oldest for /);
});

test("an image alone cannot be run as a process, and the driver's sentence says so", async (t) => {
  const template = { driver: "process" as const, imageName: "library/worker:1" };
  const { house, submit } = await open(t, { template }, { drivers: "process" });
  const { sentence, evidence } = await becomes(house, await submit(), "start_refused");
  assert.match(sentence, /its workers cannot be started: A process needs a start command: /);
  const worker = await why(house, evidence.ends[0].workerId);
  assert.equal(worker.code, "start_refused");
});

const fake = (...command: string[]) => ({
  template: { driver: "fake" as const, dockerStartCmd: ["fake-worker", ...command] },
  spec: { workersMax: 1 },
});

test("a failed self-test is told as the worker told it, and is braked", async (t) => {
  const { house, submit } = await open(t, fake("--unhealthy"));
  const { sentence, evidence } = await becomes(house, await submit(), "workers_unhealthy");
  assert.match(sentence, /could not serve: .*This is not a lack of capacity\.$/);
  assert.ok(evidence.ends[0].unhealthy.length > 0);
});

test("a job whose workers die is lost twice, with both in evidence", async (t) => {
  const { house, submit } = await open(t, fake("--job-ms", "50", "--crash-during", "1"));
  const { sentence, evidence, story, next } = await becomes(house, await submit(), "lost_twice");
  assert.match(
    sentence,
    /^FAILED: it came back from worker \w+ \(its worker ended .*\), then worker/,
  );
  assert.equal(evidence.attempts.length, 1);
  assert.ok(evidence.attempts[0].takenAt.endsWith("Z"));
  assert.match(
    story,
    /^job \S+ {2}queued .*, back from \w+ after .*, ran .*, FAILED: job timed out/,
  );
  assert.match(next, /retry/);
});

test("a worker that comes up slowly is on its way", async (t) => {
  const { house, endpoint, submit } = await open(t, fake("--start-ms", "60000"));
  const id = await submit();
  assert.match(
    (await becomes(house, id, "worker_starting")).sentence,
    /has not asked for a job yet/,
  );
  const { workers } = (await why(house, endpoint)).evidence;
  assert.deepEqual([workers.starting, workers.workersMax], [1, 1]);
});

test("what nobody can start, may start or is free for are three answers", async (t) => {
  const { house, submit } = await open(t);
  const missing = await becomes(house, await submit(), "driver_missing");
  assert.match(missing.sentence, /needs the driver "process", and this service does not offer it/);

  const closed = await house.makeEndpoint({ spec: { workersMax: 0 } });
  const paused = await house.call("POST", `/v2/${closed}/run`, { input: {} });
  assert.equal((await why(house, paused.json.id)).code, "no_workers_allowed");

  const one = await house.makeEndpoint({ spec: { workersMax: 1 } });
  const worker = await house.makeWorker(one);
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) {
    ids.push((await house.call("POST", `/v2/${one}/run`, { input: {} })).json.id);
  }
  await worker.call("job-take", "?job_in_progress=0");
  const last = await why(house, ids[2]!);
  assert.equal(last.code, "workers_busy");
  assert.match(last.sentence, /no more may be there \(workersMax is 1\)\. 1 job is ahead of it\.$/);
  assert.deepEqual(last.evidence.jobsAhead, 1);
  const running = await why(house, ids[0]!);
  assert.equal(running.code, "running");
  assert.deepEqual((await why(house, worker.id)).evidence.jobs, [ids[0]]);
});

test("how a job ended, and what came too late", async (t) => {
  const { house, endpoint, submit } = await open(t);
  const worker = await house.makeWorker(endpoint);
  const done = await submit();
  await worker.call("job-take", "?job_in_progress=0");
  await worker.call(`job-done/${done}`, "", '{"output":1}');
  const completed = await why(house, done);
  assert.equal(completed.code, "completed");
  assert.equal(completed.next, null);
  assert.match(completed.story, /^job \S+ {2}queued \d+ ms, ran \d+ ms, COMPLETED$/);

  const failing = await submit();
  await worker.call("job-take");
  const error = { error_type: "<class 'KeyError'>", error_message: "'seed'" };
  await worker.call(`job-done/${failing}`, "", JSON.stringify({ error: JSON.stringify(error) }));
  const failed = await why(house, failing);
  assert.deepEqual(
    [failed.code, failed.sentence],
    ["handler_failed", `FAILED: worker ${worker.id} posted an error: KeyError: 'seed'`],
  );

  const cancelled = await submit();
  await worker.call("job-take");
  await house.call("POST", `/v2/${endpoint}/cancel/${cancelled}`);
  await worker.call(`job-done/${cancelled}`, "", '{"output":"too late"}');
  const late = await why(house, cancelled);
  assert.equal(late.code, "cancelled");
  assert.match(late.sentence, /posted a result .* after that: too late to count\.$/);
  assert.equal(late.evidence.latePosts[0].kind, "job-done");
});

test("an endpoint at rest, and what is not there", async (t) => {
  const { house, endpoint } = await open(t);
  assert.equal((await why(house, (await house.makeWorker(endpoint)).id)).code, "driver_missing");
  const quiet = await house.makeEndpoint(fake());
  assert.equal((await why(house, quiet)).code, "idle");
  const nothing = await house.call("GET", "/v1/why/nothing");
  assert.deepEqual([nothing.status, nothing.json.code], [404, "subject_not_found"]);
  assert.equal((await house.call("GET", "/v1/why/not%20an%20id")).status, 400);
});
