// A worker's container is kept to what its endpoint and template say.

import assert from "node:assert/strict";
import { test } from "node:test";
import { missing } from "../../src/drivers/docker/engine.testing.ts";
import { until } from "../pods/stage.ts";
import { startContainerHouse } from "./container-house.ts";

test("a worker on CPUs has its flavor's CPUs and memory, and no more", {
  skip: missing,
}, async (t) => {
  const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
  const house = await startContainerHouse(t, { env: { FREEHOLD_MACHINE: machine } });
  const endpoint = await house.makeEndpoint({
    template: { imageName: house.shellImage, dockerStartCmd: ["sleep", "600"] },
    spec: {
      computeType: "CPU",
      cpuFlavorIds: ["cpu3c"],
      vcpuCount: 2,
      workersMin: 1,
      workersMax: 1,
    },
  });
  const [container] = await until(async () => {
    const running = house.containers();
    return running.length > 0 ? running : null;
  }, endpoint);
  const config = JSON.parse(
    house.docker("inspect", "--format", "{{json .HostConfig}}", container!),
  );
  assert.partialDeepStrictEqual(config, { NanoCpus: 2e9, Memory: 4 * 2 ** 30 });
  const [worker] = (await house.call("GET", `/v1/endpoints/${endpoint}/workers`)).json;
  const metrics = (await house.call("GET", `/v1/workers/${worker.id}/metrics`)).json;
  assert.ok(Array.isArray(metrics.samples));
});
