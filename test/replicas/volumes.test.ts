// Tests of network volumes with two machines in one data center: the data is on one machine, and a
// workload for another machine is rejected instead of mounting an empty folder.

import assert from "node:assert/strict";
import { test } from "node:test";
import { missing } from "../postgres/database.ts";
import { startPair } from "./pair.ts";

const machine = { vcpus: 8, memoryInGb: 64, diskInGb: 500, dataCenterId: "EU-RO-1" };
const env = { FREEHOLD_MACHINE: JSON.stringify(machine) };
const POD = { driver: "simulated", imageName: "i", computeType: "CPU", vcpuCount: 2 };

test("workloads that mount a volume run where its data is, and concurrent first uses pick one machine", {
  skip: missing,
}, async (t) => {
  const { a, b } = await startPair(t, { drivers: "simulated", env });
  const volume = { name: "data", size: 10, dataCenterId: "EU-RO-1" };
  for (let n = 0; n < 3; n++) {
    const { json } = await a.call("POST", "/v1/networkvolumes", volume);
    const body = { ...POD, networkVolumeId: json.id };
    const pods = await Promise.all(
      [a, b, a, b].map((replica) => replica.call("POST", "/v1/pods", body)),
    );
    const machines = new Set(pods.map(({ json }) => json.machineId));
    assert.equal(machines.size, 1, pods.map(({ text }) => text).join());
    const refused = await b.call("POST", "/v1/pods", body);
    assert.equal(refused.json.code, "no_capacity");
    const reasons = refused.json.why.map((each: { machineId: string; reason: string }) =>
      machines.has(each.machineId) ? `here: ${each.reason}` : `there: ${each.reason}`,
    );
    const [here] = machines;
    assert.deepEqual(reasons.sort(), [
      "here: 0 vCPUs are free and 2 are asked for",
      `there: the data of network volume ${json.id} is on machine ${here}`,
    ]);
    for (const { json: pod } of pods) await b.call("DELETE", `/v1/pods/${pod.id}`);
    const deleted = await b.call("DELETE", `/v1/networkvolumes/${json.id}`);
    assert.equal(deleted.status, 204, deleted.text);
  }
});
