// The outcome of everything that a handler can return, yield or raise: the same for every SDK
// version, except where the versions differ.

import assert from "node:assert/strict";
import type { SdkVersion } from "./python-environment.ts";
import { ended, makePythonEndpoint, runAll, testWithSdk } from "./python-worker.ts";

export function testHandlerOutcomes(sdk: SdkVersion): void {
  oneJobAtATime(sdk);
  sixJobsAtATime(sdk);
  generators(sdk);
  refreshes(sdk);
}

function oneJobAtATime(sdk: SdkVersion): void {
  testWithSdk(sdk, "a handler, one job at a time", async (service, python) => {
    const endpoint = await makePythonEndpoint(service, python, "sync");
    const text = "a=b&c=%41 é 😀";
    const [echo, empty, raised, lost] = await runAll(service, endpoint, [
      { text, nested: { "": [null, true, 1.5] } },
      {},
      { do: "raise" },
      { do: "unserialisable" },
    ]);

    assert.equal(echo.status, "COMPLETED");
    assert.deepEqual(echo.output, { text, nested: { "": [null, true, 1.5] } });
    assert.ok(Number.isInteger(echo.delayTime) && Number.isInteger(echo.executionTime));

    // The worker received {} and returned it, and the SDK omits an empty dictionary.
    assert.equal(empty.status, "COMPLETED");
    assert.ok(!("output" in empty));

    assert.equal(raised.status, "FAILED");
    assert.equal(typeof raised.error, "string");
    const outcome = JSON.parse(raised.error);
    assert.equal(outcome.error_message, "the handler raised: ü");
    assert.equal(outcome.worker_id, raised.workerId);

    // No SDK posts such a result, so only the missing post shows it.
    assert.equal(lost.status, "FAILED");
    assert.equal(lost.error, "job timed out after 1 retries");
    assert.equal(lost.retries, 1);
  });
}

function sixJobsAtATime(sdk: SdkVersion): void {
  testWithSdk(sdk, "a handler, six jobs at a time", async (service, python) => {
    const endpoint = await makePythonEndpoint(service, python, "concurrent");
    const names = ["error", "error_object", "error_and_output", "nan", "none", "nothing", "scalar"];
    const inputs = [...names.map((name) => ({ do: name })), { do: "progress", seconds: 0.2 }];
    const jobs = await runAll(service, endpoint, inputs);
    const outcomes = jobs.map(({ status, output, error }) => [status, output, error]);
    assert.deepEqual(outcomes, [
      ["FAILED", undefined, "a returned error"],
      ["FAILED", undefined, '{"code": 1}'],
      ["FAILED", { half: [1, 2] }, "half done"],
      ["COMPLETED", { nan: null, inf: [null, 1.5] }, undefined],
      ["COMPLETED", undefined, undefined],
      ["COMPLETED", undefined, undefined],
      ["COMPLETED", "just text", undefined],
      ["COMPLETED", { percent: 100 }, undefined],
    ]);

    const s3Config = { accessId: "a", accessSecret: "s", bucketName: "b", endpointUrl: "u" };
    const extras = { s3Config, webhook: "http://127.0.0.1:1/hook" };
    const body = { input: { do: "whole_job" }, ...extras, policy: { lowPriority: false } };
    const { json } = await service.call("POST", `/v2/${endpoint}/run`, body);
    const { output } = await ended(service, endpoint, json.id);
    assert.deepEqual(output, { id: json.id, input: body.input, ...extras });

    assert.equal(new Set(jobs.map(({ workerId }) => workerId)).size, 1);
    assert.ok(jobs.every((job) => !("retries" in job)));
  });
}

function generators(sdk: SdkVersion): void {
  testWithSdk(sdk, "generators", async (service, python) => {
    const inputs = [{ count: 3 }, { count: 2, do: "yield_error" }, { count: 1, do: "raise" }];
    const shapes = ["generator", "async_generator", "aggregate"] as const;
    const outcomes = shapes.map(async (shape) => {
      const endpoint = await makePythonEndpoint(service, python, shape);
      const jobs = await runAll(service, endpoint, inputs);
      return { shape, endpoint, jobs };
    });
    for (const { shape, endpoint, jobs } of await Promise.all(outcomes)) {
      const [plain, error, raised] = jobs;
      const streamed = async (job: { id: string }) => {
        const { json } = await service.call("GET", `/v2/${endpoint}/stream/${job.id}`);
        const outputs = json.stream.map((chunk: { output: unknown }) => chunk.output);
        return [json.status, ...outputs];
      };
      assert.deepEqual(await streamed(plain), ["COMPLETED", chunk(0), chunk(1), chunk(2)]);
      assert.deepEqual(await streamed(plain), ["COMPLETED"]);
      const whole = shape === "aggregate" ? [chunk(0), chunk(1), chunk(2)] : [];
      assert.deepEqual(plain.output, whole);

      // Before 1.7.7 the SDK streams a yielded error as if it were output.
      const wanted = sdk === "1.6.2" ? ["COMPLETED", { error: "yielded" }] : ["FAILED"];
      const [status, ...more] = wanted;
      assert.deepEqual(await streamed(error), [status, chunk(0), chunk(1), ...more]);
      assert.equal(error.error, sdk === "1.6.2" ? undefined : "yielded");

      assert.deepEqual(await streamed(raised), ["FAILED", chunk(0)]);
      assert.match(raised.error, /raised between yields/);
    }
  });
}

function refreshes(sdk: SdkVersion): void {
  testWithSdk(sdk, "a worker that asks to be refreshed is replaced", async (service, python) => {
    const refreshed = async (shape: "sync" | "refresh", request: string) => {
      const endpoint = await makePythonEndpoint(service, python, shape);
      const [first] = await runAll(service, endpoint, [{ do: request }]);
      const [second] = await runAll(service, endpoint, [{ do: "pid" }]);
      assert.equal(first.status, "COMPLETED");
      assert.equal(second.status, "COMPLETED");
      assert.notEqual(first.output.pid, second.output.pid);
      assert.notEqual(first.workerId, second.workerId);
      assert.ok(!("retries" in second));
    };
    const byReturn = refreshed("sync", "refresh");
    const byConfiguration = refreshed("refresh", "pid");
    await Promise.all([byReturn, byConfiguration]);
  });
}

/** The `number`th value that the generators yield. */
function chunk(number: number) {
  return { number, text: "é😀" };
}
