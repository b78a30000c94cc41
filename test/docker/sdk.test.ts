// Workers of the released Python SDK in an image: they reach a service that listens on loopback,
// without any setting, and everything that a handler does arrives.

import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import type { EndpointSpec } from "../../src/domain/endpoint/endpoint.ts";
import { skipReason } from "../fixtures/docker/engine.ts";
import { until } from "../fixtures/until.ts";
import { pythonWith } from "../sdk/python-environment.ts";
import { ended, reaches, runAll, type Shape, shortTimes, submit } from "../sdk/python-worker.ts";
import { type ContainerService, startContainerService } from "./container-service.ts";
import { ensurePythonImage } from "./python-image.ts";

const protocol = { ...shortTimes, leaseMs: 8_000 };

suite("the Python SDK in containers", { skip: skipReason }, () => {
  const withService = (
    name: string,
    body: (
      service: ContainerService,
      endpoint: (shape: Shape) => Promise<string>,
      t: TestContext,
    ) => Promise<void>,
  ) =>
    test(name, async (t) => {
      const python = pythonWith(t, "1.12.0");
      if (!python) return;
      const service = await startContainerService(t, { protocol });
      const imageName = ensurePythonImage(service.host, python);
      const spec: Partial<EndpointSpec> = { workersMax: 1 };
      // The machine of a test may have no way out, which the SDK would refuse to work without.
      const env = { RUNPOD_SKIP_AUTO_SYSTEM_CHECKS: "true", RUNPOD_SKIP_GPU_CHECK: "true" };
      const make = (shape: Shape) =>
        service.makeEndpoint({ template: { imageName, env: { SHAPE: shape, ...env } }, spec });
      await body(service, make, t);
    });

  withService("a handler answers, fails and tells how far it is", async (service, make) => {
    const endpoint = await make("sync");
    const [echo, raised, returned] = await runAll(service, endpoint, [
      { text: "é 😀", nested: { "": [null, true, 1.5] } },
      { do: "raise" },
      { do: "error_and_output" },
    ]);
    assert.deepEqual(echo.output, { text: "é 😀", nested: { "": [null, true, 1.5] } });
    assert.equal(raised.status, "FAILED");
    assert.equal(JSON.parse(raised.error).error_message, "the handler raised: ü");
    assert.deepEqual([returned.status, returned.output], ["FAILED", { half: [1, 2] }]);

    const slow = await submit(service, endpoint, { do: "progress", seconds: 2 });
    await until(async () => {
      const { json } = await service.call("GET", `/v2/${endpoint}/status/${slow}`);
      if (json.output?.percent === 50) return true;
      assert.notEqual(json.status, "COMPLETED", "its progress was never seen");
      return false;
    });
    assert.deepEqual((await ended(service, endpoint, slow)).output, { percent: 100 });
    assert.equal(service.containers().length, 1);
  });

  withService("a generator streams what it yields", async (service, make) => {
    const endpoint = await make("generator");
    const [job] = await runAll(service, endpoint, [{ count: 3 }]);
    const { json } = await service.call("GET", `/v2/${endpoint}/stream/${job.id}`);
    const numbers = json.stream.map((chunk: { output: { number: number } }) => chunk.output.number);
    assert.deepEqual([json.status, ...numbers], ["COMPLETED", 0, 1, 2]);
  });

  withService("a worker that asks to be refreshed is replaced", async (service, make) => {
    const endpoint = await make("sync");
    const [first] = await runAll(service, endpoint, [{ do: "refresh" }]);
    const [second] = await runAll(service, endpoint, [{ do: "pid" }]);
    assert.deepEqual([first.status, second.status], ["COMPLETED", "COMPLETED"]);
    assert.notEqual(first.workerId, second.workerId);
  });

  withService("workers live on while the service is away", async (service, make, t) => {
    const endpoint = await make("async");
    const id = await submit(service, endpoint, { do: "await", file: "/tmp/go" });
    const { workerId } = await reaches(service, endpoint, id, "IN_PROGRESS");
    const before = service.containers();
    await service.stop();
    assert.deepEqual(service.containers(), before);

    const again = await startContainerService(t, { protocol, dataFolder: service.dataFolder });
    service.docker("exec", before[0]!, "sh", "-c", ": > /tmp/go");
    const job = await ended(again, endpoint, id);
    assert.deepEqual([job.status, job.output, job.workerId], ["COMPLETED", "there", workerId]);
    assert.ok(!("retries" in job));
    const next = await ended(again, endpoint, await submit(again, endpoint, { n: 1 }));
    assert.equal(next.workerId, workerId);
    assert.deepEqual(again.containers(), before);
  });
});
