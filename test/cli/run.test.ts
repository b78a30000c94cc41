// Tests of `freehold run` and `freehold wait` with real handlers.

import assert from "node:assert/strict";
import { once } from "node:events";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { freehold, type Shell, start } from "./command.ts";

const worker = path.join(import.meta.dirname, "handlers.ts");

/** A service with an endpoint whose handler does what its input says. */
async function startHandler(t: TestContext) {
  const service = await startService(t, { drivers: "process" });
  const endpoint = await service.makeEndpoint({
    template: { driver: "process", dockerStartCmd: [process.execPath, worker] },
    spec: { workersMax: 1 },
  });
  await service.call("PATCH", `/v1/endpoints/${endpoint}`, { name: "handler" });
  return { service, run: runner(service) };
}

const runner =
  ({ dataFolder }: TestService) =>
  (args: string[], shell: Shell = {}) =>
    freehold([...args, "--data", dataFolder], shell);

test("jobs get prints the numbers of an input as they were sent", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const run = (...args: string[]) => freehold([...args, "--data", service.dataFolder]);
  const input = '{"big":9007199254740993,"one":1.0,"huge":1e400}';
  const id = (await run("run", endpoint, input, "--async", "-q")).stdout.trim();
  const { stdout } = await run("jobs", "get", id, "--json");
  assert.ok(stdout.replaceAll(/\s/g, "").includes(`"input":${input}`), stdout);
  assert.match(
    (await run("jobs", "get", id)).stdout,
    /big: 9007199254740993\n +one: 1\.0\n +huge: 1e400\n/,
  );
});

test("an input and an output keep every digit", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const exact = '{"n":12345678901234567890,"e":1E400}';
  const sent = await runner(service)(["run", endpoint, exact, "--async"]);
  const id = sent.stdout.trim();
  assert.ok((await worker.call("job-take")).text.includes(`"input":${exact}`));
  await worker.call(`job-done/${id}`, "", `{"output":${exact}}`);
  const { stdout } = await runner(service)(["wait", id]);
  assert.equal(stdout, '{\n  "n": 12345678901234567890,\n  "e": 1E400\n}\n');
});

test("a job's output is printed, and its failure is exit code 6", async (t) => {
  const { service, run } = await startHandler(t);
  const value = await run(["run", "handler", '{"echo":{"text":"é"}}']);
  assert.equal(value.stdout, '{\n  "text": "é"\n}\n', value.stderr);
  const fromInput = await run(["run", "handler", "-"], { input: '{"echo":"as text"}' });
  assert.equal(fromInput.stdout, "as text\n");

  const whole = JSON.parse((await run(["run", "handler", '{"echo":1}', "--json"])).stdout);
  assert.equal(whole.status, "COMPLETED");
  assert.equal(whole.output, 1);

  const failed = await run(["run", "handler", '{"fail":"no such model"}']);
  assert.equal(failed.code, 6);
  assert.equal(failed.stdout, "");
  assert.match(failed.stderr, /^freehold: job \S+ ended as FAILED: .*no such model/);

  const streamed = await run(["run", "handler", '{"parts":["to","kens",{"n":1}]}', "--stream"]);
  assert.equal(streamed.stdout, 'tokens\n{"n":1}\n');
  const lines = await run(["run", "handler", '{"parts":["to",2]}', "--stream", "--json"]);
  assert.equal(lines.stdout, '"to"\n2\n');

  const sent = await run(["run", "handler", '{"echo":"later"}', "--async"]);
  const id = sent.stdout.trim();
  assert.equal((await run(["wait", id])).stdout, "later\n");
  assert.match((await run(["wait", "handler"])).stdout, /^endpoint \w+ has a ready worker\n$/);
  assert.equal((await service.call("GET", `/v1/jobs/${id}`)).json.status, "COMPLETED");
});

test("a wait that is over leaves the job alone and is exit code 124", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint({ spec: { workersMax: 0 } });
  const run = runner(service);
  const ended = await run(["run", endpoint, "--timeout", "0"]);
  assert.equal(ended.code, 124);
  const [, id] = /freehold wait (\S+)`/.exec(ended.stderr)!;
  assert.equal((await run(["wait", id!, "--timeout", "0"])).code, 124);
  const { json } = await service.call("GET", `/v1/jobs/${id}`);
  assert.equal(json.status, "IN_QUEUE");
  const stopped = await run(["wait", endpoint]);
  assert.equal(stopped.code, 6);
  assert.match(stopped.stderr, /workersMax is 0/);
});

test("Ctrl-C stops the command with exit code 130, and not the job", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint({ spec: { workersMax: 0 } });
  const command = start(["run", endpoint, "--data", service.dataFolder]);
  let stderr = "";
  command.stderr!.on("data", (piece) => (stderr += piece));
  const jobs = async () => (await service.call("GET", `/v1/jobs?endpointId=${endpoint}`)).json;
  await until(async () => (await jobs()).length > 0);
  command.kill("SIGINT");
  const [code] = await once(command, "close");
  assert.equal(code, 130);
  const [{ id, status }] = await jobs();
  assert.equal(status, "IN_QUEUE");
  // Unless the answer with the id was still on its way.
  if (stderr !== "") assert.match(stderr, new RegExp(`^job ${id} continues; .freehold wait ${id}`));
});

test("a Pod is waited for until it runs, and a stopped one is exit code 6", async (t) => {
  const service = await startService(t);
  const run = runner(service);
  const flags = ["--name", "box", "--image-name", "example/box", "--driver", "simulated"];
  const created = await run(["pods", "create", ...flags, "-q"]);
  assert.equal(created.code, 0, created.stderr);
  const id = created.stdout.trim();
  assert.equal((await run(["wait", "box", "--timeout", "60"])).stdout, `Pod ${id} runs\n`);
  assert.equal((await run(["pods", "stop", "box"])).stdout, `Pod ${id} stops\n`);
  const stopped = await run(["wait", "box"]);
  assert.equal(stopped.code, 6);
  assert.match(stopped.stderr, /is EXITED/);
});

const refusals: [args: string[], code: number, sentence: RegExp][] = [
  [["run"], 2, /missing required argument 'endpoint'/],
  [["run", "none"], 3, /there is no endpoint "none"/],
  [["run", "none", "{bad"], 2, /the input is not valid JSON/],
  [["run", "none", "{}", "--policy", "x"], 2, /--policy is not valid JSON/],
  [["run", "none", "{}", "--async", "--stream"], 2, /--async does not wait/],
  [["run", "none", "--timeout", "soon"], 2, /--timeout is "soon"; it takes a number of seconds/],
  [["wait"], 2, /missing required argument 'id'/],
  [["wait", "none"], 3, /there is no job, Pod or endpoint "none"/],
];
for (const [args, exitCode, sentence] of refusals) {
  test(`freehold ${args.join(" ")}: exit code ${exitCode} and one sentence`, async (t) => {
    const { code, stdout, stderr } = await runner(await startService(t))(args);
    assert.match(stderr, sentence);
    assert.equal(code, exitCode);
    assert.equal(stdout, "");
  });
}

test("a batch is read from lines, followed to its end, listed and cancelled", async (t) => {
  const { run } = await startHandler(t);
  const good = '{"input":{"echo":12345678901234567890}}\n\n{"input":{"echo":2}}\n';
  const done = await run(["batch", "create", "handler", "-", "--wait"], { input: good });
  assert.match(done.stdout, /^batch \w+ COMPLETED: 2 of 2 jobs completed\n$/, done.stderr);
  const id = /batch (\w+)/.exec(done.stdout)![1]!;
  const { stdout } = await run(["jobs", "export", "--batch-id", id]);
  assert.match(stdout, /"input":\{"echo":12345678901234567890\}/);

  const mixed = '{"input":{"fail":"no"}}\n{"input":{"echo":1}}';
  const failed = await run(["batch", "create", "handler", "-", "--wait"], { input: mixed });
  assert.equal(failed.code, 6);
  assert.match(failed.stderr, /^freehold: 1 job did not complete; `freehold jobs list --batch-id/);

  const delayed = '{"input":{},"policy":{"delay":3600}}';
  const later = await run(["batch", "create", "handler", "-", "--quiet"], { input: delayed });
  const waiting = later.stdout.trim();
  const over = await run(["batch", "wait", waiting, "--timeout", "0"]);
  assert.equal(over.code, 124, over.stderr);
  assert.match((await run(["batch", "cancel", waiting])).stdout, /^batch \w+ is cancelled\n$/);
  const ended = await run(["batch", "wait", waiting, "--json"]);
  assert.equal(JSON.parse(ended.stdout).status, "CANCELLED");
  const list = (await run(["batch"])).stdout;
  assert.match(list, /ID +ENDPOINT +STATUS +JOBS/);
  assert.equal(list.trim().split("\n").length, 4);

  const wrong = await run(["batch", "create", "handler", "-"], { input: '{"input":{}}\n{"input"' });
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /line 2 is not valid JSON/);
  const empty = await run(["batch", "create", "handler", "-"], { input: "" });
  assert.equal(empty.code, 1, empty.stderr);
  assert.match(empty.stderr, /items/);
});
