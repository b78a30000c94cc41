// Quotes: what something will cost, without creating it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { simulatedService } from "../pods/fixture.ts";

const micros = (dollars: number) => Math.round(dollars * 1e6);

test("a Pod's quote is what the Pod costs, and takes no capacity", async (t) => {
  const service = await simulatedService(t);
  const quote = async (pod: object) => service.call("POST", "/v1/quote", { pod });
  const gpuTypeIds = ["NVIDIA A40", "NVIDIA L40S"];
  const wanted = { driver: "simulated", imageName: "i", gpuTypeIds, gpuTypePriority: "custom" };
  for (const body of [
    { ...wanted, gpuCount: 2, volumeInGb: 730 },
    { ...wanted, interruptible: true },
    { driver: "simulated", imageName: "i", computeType: "CPU", vcpuCount: 4, volumeInGb: 0 },
  ]) {
    const { status, json, text } = await quote(body);
    assert.equal(status, 200, text);
    assert.deepEqual((await service.call("GET", "/v1/pods")).json, []);
    const { json: pod } = await service.call("POST", "/v1/pods", body);
    assert.deepEqual([json.kind, json.available, json.refused], ["pod", true, undefined]);
    assert.equal(json.costPerHr, pod.costPerHr);
    assert.equal(json.gpuTypeId, pod.machine?.gpuTypeId ?? json.gpuTypeId);
    assert.equal(json.cpuFlavorId, pod.cpuFlavorId);
    assert.equal(micros(json.totalPerHr), micros(json.costPerHr) + micros(json.disksPerHr));
    assert.equal(micros(json.totalPerMonth), micros(json.totalPerHr) * 730);
    const disks = Math.round((50 * 0.1e6 + (body.volumeInGb ?? 20) * 0.1e6) / 730);
    assert.equal(micros(json.disksPerHr), disks);
    const others = json.alternatives.map((each: { gpuTypeId: string }) => each.gpuTypeId);
    assert.deepEqual(others, "gpuTypeIds" in body ? ["NVIDIA L40S"] : []);
    await service.call("DELETE", `/v1/pods/${pod.id}`);
  }
  const { json: two } = await quote({ ...wanted, gpuCount: 2 });
  assert.deepEqual([two.costPerHr, two.costPerGpuPerHr, two.gpuCount], [0.88, 0.44, 2]);
  assert.ok(two.stoppedPerHr > 0 && two.stoppedPerHr < two.disksPerHr + 0.01);
});

test("an existing Pod's quote is its cost after it is started or changed", async (t) => {
  const service = await simulatedService(t);
  const wanted = { driver: "simulated", imageName: "i", gpuTypeIds: ["NVIDIA A40"], gpuCount: 8 };
  const { json: pod } = await service.call("POST", "/v1/pods", wanted);
  const quote = async (changes: object = {}) =>
    (await service.call("POST", "/v1/quote", { existingPod: { podId: pod.id, changes } })).json;
  const { json: asNew } = await service.call("POST", "/v1/quote", {
    pod: { ...wanted, volumeInGb: 100 },
  });
  const grown = await quote({ volumeInGb: 100, name: "other" });
  assert.deepEqual([grown.totalPerHr, grown.available], [asNew.totalPerHr, true]);
  await service.call("POST", `/v1/pods/${pod.id}/stop`);
  assert.deepEqual([(await quote()).costPerHr, (await quote()).available], [pod.costPerHr, true]);
  await service.call("POST", "/v1/pods", { ...wanted, gpuCount: 1 });
  const full = await quote();
  assert.equal(full.available, false);
  assert.match(full.why[0].reason, /7 GPUs of the type NVIDIA A40 are free/);
  await service.call("POST", "/v1/balance/credits", { amount: 0.1 });
  assert.equal((await quote()).refused.code, "no_credits");
  assert.match((await quote({ volumeMountPath: "nowhere" })).message, /volumeMountPath/);
  assert.equal((await service.call("GET", `/v1/pods/${pod.id}`)).json.volumeInGb, 20);
  const otherAccount = { existingPod: { podId: "nobody" } };
  assert.equal((await service.call("POST", "/v1/quote", otherAccount)).json.code, "pod_not_found");
});

test("a quote without capacity or credits says so, and has the price", async (t) => {
  const service = await simulatedService(t);
  const pod = { driver: "simulated", imageName: "i", gpuTypeIds: ["NVIDIA A40"], gpuCount: 99 };
  const { json: full } = await service.call("POST", "/v1/quote", { pod });
  assert.deepEqual([full.available, full.gpuTypeId], [false, "NVIDIA A40"]);
  assert.equal(micros(full.costPerHr), 99 * 440_000);
  assert.match(
    full.why[0].reason,
    /it has only 8 GPUs of the type NVIDIA A40, and 99 are asked for/,
  );
  const { json: strange } = await service.call("POST", "/v1/quote", {
    pod: { ...pod, gpuCount: 1, driver: "docker" },
  });
  assert.deepEqual([strange.available, strange.costPerHr], [false, 0.44]);
  assert.match(strange.why[0].reason, /docker/);
  await service.call("POST", "/v1/balance/credits", { amount: 0.1 });
  const { json: poor } = await service.call("POST", "/v1/quote", { pod: { ...pod, gpuCount: 1 } });
  assert.deepEqual([poor.available, poor.refused.code], [true, "no_credits"]);
});

test("an endpoint's quote is the price of a worker, of the fewest and of the most workers", async (t) => {
  const service = await simulatedService(t);
  const template = { name: "t", imageName: "i", driver: "simulated", isServerless: true };
  const { json } = await service.call("POST", "/v1/templates", template);
  const ask = async (more: object) => {
    const endpoint = { templateId: json.id, workersMin: 1, workersMax: 5, ...more };
    return (await service.call("POST", "/v1/quote", { endpoint })).json;
  };
  const onGpus = await ask({ gpuTypeIds: ["NVIDIA L4"], gpuCount: 2 });
  assert.deepEqual(
    [onGpus.kind, onGpus.gpuTypeId, onGpus.available],
    ["endpoint", "NVIDIA L4", true],
  );
  assert.equal(micros(onGpus.costPerHr), 2 * 0.19e-3 * 3_600 * 1e6);
  assert.equal(onGpus.perSecond, 2 * 0.00019);
  assert.equal(micros(onGpus.leastPerHr), micros(onGpus.costPerHr));
  assert.equal(micros(onGpus.mostPerHr), 5 * micros(onGpus.costPerHr));
  const plain = { endpoint: { gpuTypeIds: ["NVIDIA L4"], gpuCount: 2 } };
  const { json: unnamed } = await service.call("POST", "/v1/quote", plain);
  assert.deepEqual([unnamed.costPerHr, unnamed.available], [onGpus.costPerHr, true]);
  const onCpus = await ask({ computeType: "CPU", cpuFlavorIds: ["cpu3g"], vcpuCount: 4 });
  assert.deepEqual([onCpus.cpuFlavorId, micros(onCpus.costPerHr)], ["cpu3g", 160_000]);
  assert.deepEqual((await service.call("GET", "/v1/endpoints")).json, []);
});

test("a network volume has a quote, and an invalid request is refused", async (t) => {
  const service = await simulatedService(t);
  const networkVolume = { name: "v", size: 730, dataCenterId: "EU-RO-1" };
  const { json } = await service.call("POST", "/v1/quote", { networkVolume });
  assert.deepEqual([json.kind, json.totalPerHr], ["networkVolume", 0.07]);
  const bad: object[] = [
    {},
    { networkVolume, pod: { imageName: "i" } },
    { pod: { imageName: "i", gpuCount: 0 } },
    { pod: { imageName: "i", gpuTypeIds: ["none such"] } },
    { endpoint: { templateId: "nobody" } },
    { endpoint: { templateId: "" } },
    { networkVolume: { ...networkVolume, dataCenterId: "nowhere" } },
    { pod: { imageName: "i", gpuCout: 1 } },
    { cluster: {} },
  ];
  for (const body of bad) {
    const { status, json: error } = await service.call("POST", "/v1/quote", body);
    assert.equal(status, 400, JSON.stringify(body));
    assert.ok(["invalid_body", "unknown_field"].includes(error.code), error.code);
  }
});
