// Tests of the rules of freehold.simulate.json: errors with their lines, patterns, and what workloads do.

import assert from "node:assert/strict";
import { it } from "node:test";
import { QueueDouble, workerEnv } from "../../../test/fixtures/simulated-driver/queue-double.ts";
import { addJobs } from "../../../test/fixtures/simulated-driver/worker-fixture.ts";
import { VirtualClock } from "../../base/clock.ts";
import { StartRefused } from "../driver.ts";
import { parseImageRules, ruleFor } from "./image-rules.ts";
import { openSimulatedDriver } from "./simulated-driver.ts";

const rulesOf = (...images: object[]) => {
  const { rules, errors } = parseImageRules(JSON.stringify({ images }));
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
    { "image": "b c", "crash": "no", "failureRate": 1.5, "delay": 3 }
  ],
  "ports": {}
}`;
  const { rules, errors } = parseImageRules(text);
  assert.deepEqual(rules, []);
  const fields = "image, output, delayMs, failureRate, pullMs, bootMs, pull, crash";
  const ms = "a whole number of milliseconds, from 0 to 86400000";
  assert.deepEqual(errors, [
    "line 12: ports is not a field; the file takes images",
    "line 4: images[0].pull takes one of ok, missing, private, too_large",
    "line 5: images[1] needs the field image",
    `line 6: images[1].delayMs takes ${ms}`,
    `line 7: images[1].bootMs takes ${ms}`,
    "line 9: images[2] takes an object",
    'line 10: images[3].image takes an image name, with "*" for any characters',
    "line 10: images[3].crash takes true or false",
    "line 10: images[3].failureRate takes a number from 0 to 1",
    `line 10: images[3].delay is not a field; a rule takes ${fields}`,
  ]);
  assert.match(parseImageRules("{").errors[0]!, /not valid JSON.*line 1/);
  for (const other of ["[]", "null", "{}", '{"images": {}}']) {
    assert.match(parseImageRules(other).errors[0]!, /^line 1: (the file|images) takes/, other);
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
