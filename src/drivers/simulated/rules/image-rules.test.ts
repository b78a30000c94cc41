// Tests of the rules of freehold.simulate.json: errors with their lines, patterns, and what workloads do.

import assert from "node:assert/strict";
import { connect } from "node:net";
import { it } from "node:test";
import { freePort } from "../../../../test/fixtures/free-port.ts";
import { processHarness } from "../../../../test/fixtures/process/process-driver-harness.ts";
import { QueueDouble, workerEnv } from "../../../../test/fixtures/simulated-driver/queue-double.ts";
import { addJobs } from "../../../../test/fixtures/simulated-driver/worker-fixture.ts";
import { until } from "../../../../test/fixtures/until.ts";
import { VirtualClock } from "../../../base/clock.ts";
import { StartRefused } from "../../driver.ts";
import { openSimulatedDriver } from "../simulated-driver.ts";
import { ruleFor } from "./image-rules.ts";
import { JobAnswers } from "./job-answers.ts";
import { parseImageRules, type RuleFiles } from "./parse-image-rules.ts";

const ANSWERS = new JobAnswers("shop.jsonl", [
  { input: '{"a":1,"b":[2,{"c":3}]}', result: '{"output":1}' },
  { input: '{"a":1,"b":[2,{"c":3}]}', result: '{"error":"two"}' },
]);
/** Files of these names can be used. */
const files: RuleFiles = {
  handler(file) {
    if (file !== "handler.py") throw new Error(`there is no file /data/${file}`);
    return ["python3", file];
  },
  command: (words) => ["sh", ...words],
  cassette: () => ANSWERS,
};

const rulesOf = (...images: object[]) => {
  const { rules, errors } = parseImageRules(JSON.stringify({ images }), files);
  assert.deepEqual(errors, []);
  return rules;
};

it("names the line and the field of every error", () => {
  const text = `{
  "images": [
    { "image": "a", "output": { "pull": ["x, {", "pull"] },
      "pull": "gone" },
    {
      "delayMs": -1,
      "\\u0062ootMs": 1.5
    },
    7,
    { "image": "b c", "crash": "no", "failureRate": 1.5, "delay": 3 },
    { "image": "d", "openai": { "text": 1,
      "models": [], "rate": 5 } },
    { "image": "e", "openai": true, "output": 1 }
  ],
  "ports": {}
}`;
  const { rules, errors } = parseImageRules(text, files);
  assert.deepEqual(rules, []);
  const fields =
    "image, output, delayMs, failureRate, pullMs, bootMs, pull, crash, handler, command, cassette, openai, ports";
  const ms = "a whole number of milliseconds, from 0 to 86400000";
  assert.deepEqual(errors, [
    "line 15: ports is not a field; the file takes images",
    "line 4: images[0].pull takes one of ok, missing, private, too_large",
    "line 5: images[1] needs the field image",
    `line 6: images[1].delayMs takes ${ms}`,
    `line 7: images[1].bootMs takes ${ms}`,
    "line 9: images[2] takes an object",
    'line 10: images[3].image takes an image name, with "*" for any characters',
    "line 10: images[3].crash takes true or false",
    "line 10: images[3].failureRate takes a number from 0 to 1",
    `line 10: images[3].delay is not a field; a rule takes ${fields}`,
    "line 11: images[4].openai.text takes a text",
    "line 12: images[4].openai.models takes a list of names of models",
    "line 12: images[4].openai.rate is not a field; openai takes text, tokensPerSecond, models, dimensions",
    "line 13: images[5].openai takes an object",
    "line 13: images[5].openai cannot be set beside output",
  ]);
  assert.match(parseImageRules("{", files).errors[0]!, /not valid JSON.*line 1/);
  for (const other of ["[]", "null", "{}", '{"images": {}}']) {
    assert.match(
      parseImageRules(other, files).errors[0]!,
      /^line 1: (the file|images) takes/,
      other,
    );
  }
});

it("names the line and the field of a program or a cassette that cannot be used", () => {
  const text = `{ "images": [
  { "image": "a", "handler": "handler.py", "output": 1 },
  { "image": "b", "command": [],
    "bootMs": 1 },
  { "image": "c", "command": ["x"], "crash": true },
  { "image": "c", "ports": { "8000": 3000,
    "0": 1 } },
  { "image": "d", "cassette": "", "handler": "a\\u0000" }
] }`;
  assert.deepEqual(parseImageRules(text, files).errors, [
    "line 2: images[0].handler cannot be set beside output",
    "line 3: images[1].command takes a list of a program and its arguments",
    "line 4: images[1].bootMs cannot be set beside command",
    "line 5: images[2].crash cannot be set beside command",
    'line 6: images[3].ports takes an object of ports, such as {"8000": 3000}',
    "line 8: images[4].cassette takes the path of a file",
    "line 8: images[4].handler takes the path of a file",
    "line 8: images[4].cassette cannot be set beside handler",
  ]);
  const unusable = '{ "images": [\n{ "image": "a", "handler": "gone.py" }] }';
  assert.deepEqual(parseImageRules(unusable, files).errors, [
    "line 2: images[0].handler cannot be used: there is no file /data/gone.py",
  ]);
  const programs = rulesOf({ image: "a", handler: "handler.py" }, { image: "b", command: ["x"] });
  assert.deepEqual(
    programs.map(({ program }) => program),
    [
      ["python3", "handler.py"],
      ["sh", "x"],
    ],
  );
});

it("recorded answers come by their input, in their order", async () => {
  const clock = new VirtualClock();
  const queue = new QueueDouble(clock);
  const imageRules = rulesOf({ image: "acme/shop", cassette: "shop.jsonl", delayMs: 10 });
  const driver = openSimulatedDriver({ clock, transport: queue.transport, imageRules });
  const input = { a: 1, b: [2, { c: 3 }] };
  queue.jobs.push({ id: "j1", input: { b: [2, { c: 3 }], a: 1 } }, { id: "j2", input });
  queue.jobs.push({ id: "j3", input }, { id: "j4", input: { a: 2 } });
  await driver.start({
    id: "w1",
    image: "acme/shop",
    entrypoint: [],
    command: [],
    env: workerEnv("w1"),
  });
  await clock.advance(5_000);
  const { j1, j2, j3, j4 } = queue.results();
  assert.deepEqual([j1, j2, j3], [[{ output: 1 }], [{ error: "two" }], [{ error: "two" }]]);
  assert.match(JSON.stringify(j4), /the input is not in shop\.jsonl/);
  await driver.close();
});

it("a text is streamed a token at a time, at its rate, until its job is stopped", async () => {
  const clock = new VirtualClock();
  const queue = new QueueDouble(clock);
  const openai = { text: "one two three four", tokensPerSecond: 4 };
  const imageRules = rulesOf({ image: "a", delayMs: 100, openai });
  const driver = openSimulatedDriver({ clock, transport: queue.transport, imageRules });
  const openai_input = { model: "m", prompt: "x", stream: true };
  const input = { openai_route: "/v1/completions", openai_input };
  queue.jobs.push({ id: "j1", input }, { id: "j2", input });
  const startedAt = clock.now();
  await driver.start({
    id: "w1",
    image: "a",
    entrypoint: [],
    command: [],
    env: workerEnv("w1"),
  });
  await clock.advance(500);
  queue.toStop.push("j2");
  await clock.advance(60_000);
  const posts = queue.calls("job-stream", "j1");
  assert.deepEqual(
    posts.map(({ at }) => at - startedAt),
    [350, 600, 850, 1_100],
  );
  const [{ output }] = queue.results().j1 as [{ output: string[] }];
  assert.match(output[1]!, /^data: [^\n]*"text":" two"[^\n]*\n\n$/);
  assert.match(output[3]!, /"text":" four".*"finish_reason":"stop".*\[DONE\]\n\n$/s);
  // Polls for jobs to stop are held, so the second job was stopped at the first one after half a second.
  assert.equal(queue.results().j2, undefined);
  assert.ok(queue.calls("job-stream", "j2").length < 4);
  await driver.close();
});

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

it("the public ports of a program are open until it ends by itself", async () => {
  const { driver: programs, dispose } = await processHarness();
  const ports = { "9000": 1 };
  const imageRules = rulesOf(
    { image: "acme/runs", command: ["-c", "exec sleep 600"], ports },
    { image: "acme/ends", command: ["-c", "exit 3"], ports },
  );
  const driver = openSimulatedDriver({ clock: new VirtualClock(), imageRules, programs });
  const start = async (id: string, image: string) => {
    const hostPort = await freePort();
    const port = { container: 9_000, protocol: "tcp" as const, hostPort };
    await driver.start({ id, image, entrypoint: [], command: [], env: {}, ports: [port] });
    return hostPort;
  };
  try {
    const open = await start("w1", "acme/runs");
    assert.ok(await isOpen(open));
    const closed = await start("w2", "acme/ends");
    await until(async () => !(await isOpen(closed)));
    assert.ok(await isOpen(open), "the other program runs on");
    await programs.stop("w1", 0); // its driver is not asked
    await until(async () => !(await isOpen(open)));
  } finally {
    await dispose();
    await driver.close();
  }
});

it("the first pattern that matches the complete name applies", () => {
  const patterns = ["acme/a", "acme/*:1", "*/b*b:*", "ab*ba"];
  const rules = rulesOf(...patterns.map((image) => ({ image })));
  const match = (image: string) => ruleFor(rules, image)?.image ?? null;
  assert.deepEqual(
    ["acme/a", "acme/ab", "acme/a:1", "x.io/bob:2", "x/b:2", "aba", "abba"].map(match),
    ["acme/a", null, "acme/*:1", "*/b*b:*", null, null, "ab*ba"],
  );
});

it("refuses a pull in an engine's words, after the time that it takes", async () => {
  const clock = new VirtualClock();
  const imageRules = rulesOf(
    { image: "acme/none", pull: "missing" },
    { image: "acme/mine", pull: "private" },
    { image: "acme/huge", pull: "too_large", pullMs: 1_000 },
  );
  const driver = openSimulatedDriver({ clock, imageRules });
  const start = (image: string, more = {}) =>
    driver.start({ id: "w1", image, entrypoint: [], command: [], env: {}, ...more });
  const refused = (why: string, message: RegExp) => (error: unknown) =>
    error instanceof StartRefused && error.why === why && message.test(error.message);
  await assert.rejects(start("acme/none"), refused("image_not_found", /acme\/none does not exist/));
  await assert.rejects(start("acme/mine"), refused("image_unauthorised", /with these credentials/));
  const huge = assert.rejects(start("acme/huge"), refused("disk_full", /the disk is full/));
  await clock.advance(1_000);
  await huge;
  assert.deepEqual(await driver.list(), []);
  await start("acme/mine", { auth: { username: "u", password: "p" } });
  assert.equal((await driver.list())[0]?.state, "running");
  await driver.close();
});

it("jobs get the output, the delay and the failures of the rule; a crash ends the worker", async () => {
  const clock = new VirtualClock();
  const queue = new QueueDouble(clock);
  addJobs(queue, 1, 40);
  const imageRules = rulesOf(
    { image: "acme/llm", output: { text: "hi" }, delayMs: 10, failureRate: 0.5, bootMs: 2_000 },
    { image: "acme/bad", crash: true },
  );
  const driver = openSimulatedDriver({ clock, transport: queue.transport, imageRules });
  const start = (id: string, image: string, command: string[] = []) =>
    driver.start({ id, image, entrypoint: [], command, env: workerEnv(id) });
  await start("w1", "acme/llm");
  await clock.advance(1_900);
  assert.deepEqual(queue.results(), {});
  await clock.advance(5_000);
  const results = Object.values(queue.results()).map(([result]) => result);
  const outputs = results.filter((result) => result && Object.hasOwn(Object(result), "output"));
  assert.equal(results.length, 40);
  assert.deepEqual(new Set(outputs.map((one) => JSON.stringify(one))).size, 1);
  assert.deepEqual(outputs[0], { output: { text: "hi" } });
  assert.ok(outputs.length > 5 && outputs.length < 35, `${outputs.length} of 40 succeeded`);
  await start("w2", "acme/bad");
  await start("w3", "acme/bad", ["simulate"]);
  await clock.advance(10);
  const states = (await driver.list()).map(({ id, state, exitCode }) => [id, state, exitCode]);
  assert.deepEqual(states.slice(1), [
    ["w2", "ended", 1],
    ["w3", "running", null],
  ]);
  await driver.close();
});
