// Tests of network volumes that Pods and workers mount, on the simulated driver: placement, environment,
// and protection from deletion.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { startedWorkload } from "../fixtures/service/started-workloads.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";

const POD = { driver: "simulated", imageName: "i", computeType: "CPU" };

async function makeVolume(service: TestService, more: object = {}): Promise<string> {
  const body = { name: "data", size: 10, dataCenterId: "EU-RO-1", ...more };
  const { json, text } = await service.call("POST", "/v1/networkvolumes", body);
  assert.ok(json.id, text);
  return json.id;
}

test("a network volume replaces a Pod's own volume, and the Pod shows it", async (t) => {
  const service = await simulatedService(t);
  const networkVolumeId = await makeVolume(service);
  const make = (more: object) => service.call("POST", "/v1/pods", { ...POD, ...more });
  const { json: pod } = await make({ networkVolumeId, volumeInGb: 30 });
  assert.deepEqual([pod.networkVolumeId, pod.volumeInGb], [networkVolumeId, 0]);
  assert.equal(pod.volumeMountPath, "/workspace");
  assert.ok(!("networkVolume" in pod));
  await until(podsOf(service).reached, pod.id);
  const workload = startedWorkload(service, pod.id)!;
  const mount = { kind: "network", name: networkVolumeId, mountPath: "/workspace", sizeGb: 10 };
  assert.deepEqual(workload.volumes, [mount]);
  assert.equal(workload.env.RUNPOD_VOLUME_ID, networkVolumeId);
  const { json: whole } = await service.call("GET", `/v1/pods/${pod.id}?includeNetworkVolume=true`);
  const { json: volume } = await service.call("GET", `/v1/networkvolumes/${networkVolumeId}`);
  assert.deepEqual(whole.networkVolume, volume);
  const { json: other } = await make({ networkVolumeId: "" });
  assert.ok(!("networkVolumeId" in other));
  const listed = await service.call("GET", `/v1/pods?networkVolumeId=${networkVolumeId}`);
  assert.deepEqual(
    listed.json.map(({ id }: { id: string }) => id),
    [pod.id],
  );
  const changed = await service.call("PATCH", `/v1/pods/${pod.id}`, { volumeInGb: 5 });
  assert.deepEqual([changed.status, changed.json.volumeInGb], [200, 0], changed.text);
  const path = await service.call("PATCH", `/v1/pods/${pod.id}`, { volumeMountPath: "/d" });
  assert.equal(path.status, 200, path.text);
});

test("a volume reports its usage and the workloads that mount it", async (t) => {
  const service = await simulatedService(t, { protocol: { measureMs: 50 } });
  const networkVolumeId = await makeVolume(service);
  const path = `/v1/networkvolumes/${networkVolumeId}`;
  const one = async () => (await service.call("GET", `${path}?includeUse=true`)).json;
  assert.deepEqual((await one()).use, { usedBytes: null, pods: [], endpoints: [] });
  const acting = { dockerStartCmd: ["simulate", "--volume-mb", "100"] };
  const wanted = { ...POD, ...acting, name: "filler", networkVolumeId };
  const { json: pod } = await service.call("POST", "/v1/pods", wanted);
  const endpoint = await service.makeEndpoint({ spec: { networkVolumeIds: [networkVolumeId] } });
  const measured = await until(async () => {
    const { use } = await one();
    return use.usedBytes === null ? null : use;
  }, "");
  assert.equal(measured.usedBytes, 100 * 1_048_576);
  assert.deepEqual(measured.pods, [{ id: pod.id, name: "filler" }]);
  assert.deepEqual(
    measured.endpoints.map(({ id }: { id: string }) => id),
    [endpoint],
  );
  const { json: all } = await service.call("GET", "/v1/networkvolumes?includeUse=true");
  assert.deepEqual(all, [await one()]);
  for (const plain of ["/v1/networkvolumes", path, `${path}?includeUse=false`]) {
    assert.ok(!(await service.call("GET", plain)).text.includes("use"), plain);
  }
  await service.call("DELETE", `/v1/pods/${pod.id}`);
  assert.equal((await one()).use.usedBytes, 100 * 1_048_576, "as it was measured last");
});

test("settings that conflict with a network volume are rejected", async (t) => {
  const service = await simulatedService(t);
  const networkVolumeId = await makeVolume(service);
  const rows: [body: object, code: string, says: RegExp][] = [
    [{ networkVolumeId: "nothere" }, "invalid_body", /there is no "nothere"/],
    [
      { networkVolumeId, computeType: "GPU", cloudType: "COMMUNITY" },
      "invalid_body",
      /only mounted by SECURE Pods/,
    ],
    [
      { networkVolumeId, dataCenterIds: ["US-KS-2"] },
      "invalid_body",
      /"dataCenterIds" must have EU-RO-1, where network volume/,
    ],
    [
      { networkVolumeId, driver: "process", dockerStartCmd: ["true"] },
      "not_offered",
      /No machine here has the driver "process"/,
    ],
  ];
  for (const [body, code, says] of rows) {
    const refused = await service.call("POST", "/v1/pods", { ...POD, ...body });
    assert.deepEqual([refused.status, refused.json.code], [400, code], refused.text);
    assert.match(refused.json.message, says);
  }
  const among = { networkVolumeId, dataCenterIds: ["US-KS-2", "EU-RO-1"] };
  assert.equal((await service.call("POST", "/v1/pods", { ...POD, ...among })).status, 201);
});

test("a process cannot mount a volume, not even that of the default body", async (t) => {
  const service = await startService(t, { drivers: "process" });
  const networkVolumeId = await makeVolume(service);
  const body = { ...POD, driver: "process", dockerStartCmd: ["true"], networkVolumeId };
  const refused = await service.call("POST", "/v1/pods", body);
  assert.deepEqual([refused.status, refused.json.code], [400, "not_offered"], refused.text);
  const { networkVolumeId: _, ...defaults } = body;
  const withDefaults = await service.call("POST", "/v1/pods", defaults);
  assert.deepEqual([withDefaults.status, withDefaults.json.code], [400, "not_offered"]);
  assert.match(withDefaults.json.message, /send "volumeInGb": 0/);
  const template = { name: "t", imageName: "i", driver: "process", dockerStartCmd: ["true"] };
  const { json } = await service.call("POST", "/v1/templates", template);
  const endpoint = { templateId: json.id, networkVolumeIds: [networkVolumeId] };
  const answer = await service.call("POST", "/v1/endpoints", endpoint);
  assert.deepEqual([answer.status, answer.json.code], [400, "not_offered"], answer.text);
});

test("a volume takes its machine's disk from its first use, and has to fit there", async (t) => {
  const env = { FREEHOLD_MACHINE: '{"vcpus": 64, "memoryInGb": 256, "diskInGb": 100}' };
  const service = await simulatedService(t, { env });
  const make = (networkVolumeId: string | null, containerDiskInGb: number) => {
    const body = { ...POD, networkVolumeId, containerDiskInGb, volumeInGb: 0 };
    return service.call("POST", "/v1/pods", body);
  };
  const large = await makeVolume(service, { size: 95 });
  const refused = await make(large, 10);
  assert.equal(refused.json.code, "no_capacity");
  assert.match(refused.json.why[0].reason, /^100 GB of disk are free and 105 are asked for/);
  const volume = await makeVolume(service, { size: 60 });
  assert.equal((await make(volume, 10)).status, 201);
  assert.equal((await make(volume, 10)).status, 201, "its disk is taken once");
  const full = await make(null, 30);
  assert.match(full.json.why[0].reason, /^20 GB of disk are free and 30 are asked for/);
  const one = `/v1/networkvolumes/${volume}`;
  const more = await service.call("PATCH", one, { size: 81 });
  assert.deepEqual([more.status, more.json.code], [500, "no_disk"]);
  assert.match(more.json.message, /has 20 GB of free disk; the request needs 21 GB more/);
  assert.equal((await service.call("PATCH", one, { size: 80 })).status, 200);
});

test("a Pod's disk grows up to the machine's free disk", async (t) => {
  const env = { FREEHOLD_MACHINE: '{"vcpus": 64, "memoryInGb": 256, "diskInGb": 100}' };
  const service = await simulatedService(t, { env });
  const body = { ...POD, containerDiskInGb: 10, volumeInGb: 10 };
  const { json: pod } = await service.call("POST", "/v1/pods", body);
  const one = `/v1/pods/${pod.id}`;
  const refused = await service.call("PATCH", one, { containerDiskInGb: 91 });
  assert.deepEqual([refused.status, refused.json.code], [500, "no_disk"], refused.text);
  assert.match(refused.json.message, /has 80 GB of free disk; the request needs 81 GB more/);
  assert.equal((await service.call("PATCH", one, { containerDiskInGb: 90 })).status, 200);
  assert.equal((await service.call("PATCH", one, { volumeInGb: 11 })).json.code, "no_disk");
  await service.call("POST", `${one}/stop`);
  const less = await service.call("PATCH", one, { volumeInGb: 60, containerDiskInGb: 40 });
  assert.equal(less.status, 200, less.text);
  assert.equal((await service.call("POST", `${one}/start`)).status, 200);
});

test("a volume is not deleted while a Pod uses it, not even a stopped one", async (t) => {
  const service = await simulatedService(t);
  const networkVolumeId = await makeVolume(service);
  const { json: pod } = await service.call("POST", "/v1/pods", { ...POD, networkVolumeId });
  await service.call("POST", `/v1/pods/${pod.id}/stop`);
  const one = `/v1/networkvolumes/${networkVolumeId}`;
  const refused = await service.call("DELETE", one);
  assert.deepEqual([refused.status, refused.json.code], [400, "network_volume_in_use"]);
  assert.ok(refused.json.message.includes(`is used by Pod ${pod.id}`), refused.json.message);
  await service.call("DELETE", `/v1/pods/${pod.id}`);
  assert.equal((await service.call("DELETE", one)).status, 204);
});

test("an endpoint's workers mount its volume and prevent its deletion", async (t) => {
  const service = await simulatedService(t);
  const networkVolumeId = await makeVolume(service);
  const template = { name: "t", imageName: "i", driver: "simulated" };
  const templateId = (await service.call("POST", "/v1/templates", template)).json.id;
  const make = (body: object) => service.call("POST", "/v1/endpoints", { templateId, ...body });
  const unknown = await make({ networkVolumeIds: ["nothere"] });
  assert.match(unknown.json.message, /"networkVolumeIds" .* there is no "nothere"/);
  const near = await makeVolume(service);
  const both = await make({ networkVolumeIds: [networkVolumeId, near] });
  assert.match(both.json.message, /both in EU-RO-1; it takes one for each data center/);
  const far = await make({ networkVolumeId, dataCenterIds: ["US-KS-2"] });
  assert.match(far.json.message, /"dataCenterIds" must have that too/);

  const { json: endpoint, text } = await make({ networkVolumeId, workersMin: 1, workersMax: 1 });
  assert.deepEqual(endpoint.networkVolumeIds, [networkVolumeId], text);
  assert.equal(endpoint.networkVolumeId, networkVolumeId);
  const workers = async () => {
    const { json } = await service.call("GET", `/v1/endpoints/${endpoint.id}/workers?ended=0`);
    return json as { id: string; version: number }[];
  };
  const started = (version: number) =>
    until(async () => {
      const worker = (await workers()).find((each) => each.version === version);
      return worker && startedWorkload(service, worker.id);
    }, "");
  const mount = { kind: "network", name: networkVolumeId, mountPath: "/runpod-volume", sizeGb: 10 };
  const first = await started(1);
  assert.deepEqual(first.volumes, [mount]);
  assert.equal(first.env.RUNPOD_VOLUME_ID, networkVolumeId);
  const refused = await service.call("DELETE", `/v1/networkvolumes/${networkVolumeId}`);
  assert.ok(refused.json.message.includes(`is used by endpoint ${endpoint.id}`), refused.text);

  const none = await service.call("PATCH", `/v1/endpoints/${endpoint.id}`, { networkVolumeId: "" });
  assert.deepEqual([none.json.version, none.json.networkVolumeIds], [2, []]);
  assert.deepEqual((await started(2)).volumes, []);
  const deletion = await service.call("DELETE", `/v1/networkvolumes/${networkVolumeId}`);
  assert.equal(deletion.status, 204, deletion.text);
});
