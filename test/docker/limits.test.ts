// A test of the resource limits of a worker's container.

import assert from "node:assert/strict";
import { test } from "node:test";
import { skipReason } from "../fixtures/docker/engine.ts";
import { until } from "../fixtures/until.ts";
import { startContainerService } from "./container-service.ts";

test("a CPU worker is limited to the CPUs and memory of its flavor", {
  skip: skipReason,
}, async (t) => {
  const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
  const service = await startContainerService(t, { env: { FREEHOLD_MACHINE: machine } });
  const endpoint = await service.makeEndpoint({
    template: { imageName: service.shellImage, dockerStartCmd: ["sleep", "600"] },
    spec: {
      computeType: "CPU",
      cpuFlavorIds: ["cpu3c"],
      vcpuCount: 2,
      workersMin: 1,
      workersMax: 1,
    },
  });
  const [container] = await until(async () => {
    const running = service.containers();
    return running.length > 0 ? running : null;
  }, endpoint);
  const config = JSON.parse(
    service.docker("inspect", "--format", "{{json .HostConfig}}", container!),
  );
  assert.partialDeepStrictEqual(config, { NanoCpus: 2e9, Memory: 4 * 2 ** 30 });
  const [worker] = (await service.call("GET", `/v1/endpoints/${endpoint}/workers`)).json;
  const metrics = (await service.call("GET", `/v1/workers/${worker.id}/metrics`)).json;
  assert.ok(Array.isArray(metrics.samples));
});
