// Tests of a Pod that fills its disk or volume on an engine without limits, and of its usage.

import assert from "node:assert/strict";
import { test } from "node:test";
import { skipReason } from "../fixtures/docker/engine.ts";
import { until } from "../fixtures/until.ts";
import { podsOf } from "../pods/fixture.ts";
import { startContainerService } from "./container-service.ts";

const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
const options = {
  env: { FREEHOLD_MACHINE: machine },
  protocol: { endGraceMs: 500, measureMs: 300 },
};
const small = { computeType: "CPU", vcpuCount: 2, containerDiskInGb: 1, volumeInGb: 1 };

test("a full disk or volume stops the Pod with a reason, and its usage is measured", {
  skip: skipReason,
}, async (t) => {
  const service = await startContainerService(t, options);
  const make = async (script: string) => {
    const body = { ...small, imageName: service.shellImage, dockerEntrypoint: ["bash", "-c"] };
    const { json } = await service.call("POST", "/v1/pods", { ...body, dockerStartCmd: [script] });
    return json.id as string;
  };
  const [there] = (await service.call("GET", "/v1/machines")).json;
  assert.ok(["enforced", "measured"].includes(there.quota), JSON.stringify(there));
  const fill = (file: string) => `head -c 1080000000 /dev/zero > ${file}; sleep 1000`;
  const volume = await make(fill("/workspace/filled"));
  const disk = await make(fill("/filled"));
  const modest = await make("head -c 50000000 /dev/zero > /filled; sleep 1000");
  const used = await until(async (id) => {
    const { json } = await service.call("GET", `/v1/pods/${id}/metrics`);
    return json.latest?.diskBytes >= 50_000_000 && json.latest.cpuPercent !== null
      ? json.latest
      : null;
  }, modest);
  assert.ok(used.memoryBytes > 0 && used.memoryLimitBytes > 0);
  assert.ok(used.receivedBytes >= 0 && used.sentBytes >= 0 && used.volumeBytes >= 0);
  const why = async (id: string) => {
    await until(podsOf(service).exited, id);
    return (await service.call("GET", `/v1/why/${id}`)).json;
  };
  assert.match((await why(volume)).sentence, /its volume of 1 GB is full/);
  if (there.quota === "measured") {
    const reason = await why(disk);
    assert.deepEqual([reason.code], ["pod_disk_full"], reason.sentence);
  }
  assert.equal((await podsOf(service).get(modest)).desiredStatus, "RUNNING");
  for (const id of [volume, disk, modest]) await service.call("DELETE", `/v1/pods/${id}`);
  await until(async () => service.containers().length === 0 || null, modest);
});
