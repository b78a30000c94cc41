// Workers of the released Python SDK in an image: they reach a service that listens on loopback,
// without any setting, and everything that a handler does arrives.

import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import type { EndpointSpec } from "../../src/domain/endpoint/endpoint.ts";
import { missing } from "../../src/drivers/docker/engine.testing.ts";
import { pythonWith } from "../sdk/python-environment.ts";
import { ended, reaches, runAll, type Shape, shortTimes, submit } from "../sdk/python-worker.ts";
import { type ContainerHouse, startContainerHouse } from "./container-house.ts";
import { ensurePythonImage } from "./python-image.ts";

const protocol = { ...shortTimes, leaseMs: 8_000 };

suite("the Python SDK in containers", { skip: missing }, () => {
  const withHouse = (
    name: string,
    body: (
      house: ContainerHouse,
      endpoint: (shape: Shape) => Promise<string>,
      t: TestContext,
    ) => Promise<void>,
  ) =>
    test(name, async (t) => {
      const python = pythonWith(t, "1.12.0");
      if (!python) return;
      const house = await startContainerHouse(t, { protocol });
      const imageName = ensurePythonImage(house.host, python);
      const spec: Partial<EndpointSpec> = { workersMax: 1 };
      // The machine of a test may have no way out, which the SDK would refuse to work without.
      const env = { RUNPOD_SKIP_AUTO_SYSTEM_CHECKS: "true", RUNPOD_SKIP_GPU_CHECK: "true" };
      const make = (shape: Shape) =>
        house.makeEndpoint({ template: { imageName, env: { SHAPE: shape, ...env } }, spec });
      await body(house, make, t);
    });

  withHouse("a handler answers, fails and tells how far it is", async (house, make) => {
    const endpoint = await make("sync");
    const [echo, raised, returned] = await runAll(house, endpoint, [
      { text: "é 😀", nested: { "": [null, true, 1.5] } },
      { do: "raise" },
      { do: "error_and_output" },
    ]);
    assert.deepEqual(echo.output, { text: "é 😀", nested: { "": [null, true, 1.5] } });
    assert.equal(raised.status, "FAILED");
    assert.equal(JSON.parse(raised.error).error_message, "the handler raised: ü");
    assert.deepEqual([returned.status, returned.output], ["FAILED", { half: [1, 2] }]);

    const slow = await submit(house, endpoint, { do: "progress", seconds: 2 });
    for (;;) {
      const { json } = await house.call("GET", `/v2/${endpoint}/status/${slow}`);
      if (json.output?.percent === 50) break;
      assert.notEqual(json.status, "COMPLETED", "its progress was never seen");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.deepEqual((await ended(house, endpoint, slow)).output, { percent: 100 });
    assert.equal(house.containers().length, 1);
  });

  withHouse("a generator streams what it yields", async (house, make) => {
    const endpoint = await make("generator");
    const [job] = await runAll(house, endpoint, [{ count: 3 }]);
    const { json } = await house.call("GET", `/v2/${endpoint}/stream/${job.id}`);
    const numbers = json.stream.map((chunk: { output: { number: number } }) => chunk.output.number);
    assert.deepEqual([json.status, ...numbers], ["COMPLETED", 0, 1, 2]);
  });

  withHouse("a worker that asks to be refreshed is replaced", async (house, make) => {
    const endpoint = await make("sync");
    const [first] = await runAll(house, endpoint, [{ do: "refresh" }]);
    const [second] = await runAll(house, endpoint, [{ do: "pid" }]);
    assert.deepEqual([first.status, second.status], ["COMPLETED", "COMPLETED"]);
    assert.notEqual(first.workerId, second.workerId);
  });

  withHouse("workers live on while the service is away", async (house, make, t) => {
    const endpoint = await make("async");
    const id = await submit(house, endpoint, { do: "await", file: "/tmp/go" });
    const { workerId } = await reaches(house, endpoint, id, "IN_PROGRESS");
    const before = house.containers();
    await house.stop();
    assert.deepEqual(house.containers(), before);

    const again = await startContainerHouse(t, { protocol, dataFolder: house.dataFolder });
    house.docker("exec", before[0]!, "sh", "-c", ": > /tmp/go");
    const job = await ended(again, endpoint, id);
    assert.deepEqual([job.status, job.output, job.workerId], ["COMPLETED", "there", workerId]);
    assert.ok(!("retries" in job));
    const next = await ended(again, endpoint, await submit(again, endpoint, { n: 1 }));
    assert.equal(next.workerId, workerId);
    assert.deepEqual(again.containers(), before);
  });
});
