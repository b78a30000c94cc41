// A test of a machine over SSH: its Pods and workers run, are reachable, and reach the service.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { knownMachines } from "../../src/store/replica/inventory.ts";
import { freehold } from "../cli/command.ts";
import { ensureNodeImage } from "../fixtures/docker/node-image.ts";
import { type KernelLogFile, openKernelLogFile, xidLine } from "../fixtures/gpu/kernel-log.ts";
import { A40, LOST, writeNvidiaSmi } from "../fixtures/gpu/nvidia-smi.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf } from "../pods/fixture.ts";
import { visit } from "../proxy/client.ts";
import { added, farMachine, machinesOf, QUICK, missingRemote as skip } from "./rig.ts";

const script = readFileSync(path.join(import.meta.dirname, "../docker/web-pod.cjs"), "utf8");
const small = { computeType: "CPU", vcpuCount: 2, volumeInGb: 1, containerDiskInGb: 1 };

/** Takes one job after the other, and answers with what came and with how the service answers a request of its operator. */
const ECHO = `
const { RUNPOD_POD_ID, RUNPOD_AI_API_KEY: key, RUNPOD_WEBHOOK_GET_JOB, RUNPOD_WEBHOOK_POST_OUTPUT } = process.env;
const at = (text) => text.replaceAll("$RUNPOD_POD_ID", RUNPOD_POD_ID);
const headers = { host: "127.0.0.1", "x-forwarded-for": "203.0.113.7" };
const metrics = () => new Promise((resolve) => {
  const url = new URL("/metrics", at(RUNPOD_WEBHOOK_GET_JOB));
  require("node:http").get(url, { headers }, (answer) => resolve(answer.resume().statusCode));
});
(async () => {
  for (;;) {
    const took = await fetch(at(RUNPOD_WEBHOOK_GET_JOB), { headers: { authorization: key } });
    if (took.status !== 200) continue;
    const { id, input } = await took.json();
    const url = at(RUNPOD_WEBHOOK_POST_OUTPUT).replaceAll("$ID", id);
    await fetch(url, { method: "POST", headers: { authorization: key }, body: JSON.stringify({ output: { ...input, metrics: await metrics() } }) });
  }
})();`;

async function startWithKernelLog(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-kmsg-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const kernelLog = openKernelLogFile(path.join(folder, "kmsg"));
  const env = { FREEHOLD_KERNEL_LOG: kernelLog.file };
  return {
    kernelLog,
    service: await startService(t, { drivers: "simulated", protocol: QUICK, env }),
  };
}

/** What the driver of the machine logs counts there as it does on the service's own machine. */
async function quarantinedByXid(service: TestService, id: string, kernelLog: KernelLogFile) {
  await until(async () => {
    const machines = await service.service.store.read(knownMachines);
    return machines.find(({ machine }) => machine === id)?.gpuHealth.watchedSince;
  });
  kernelLog.log(xidLine(0, "119, pid=7, name=python3, Timeout after 6s of waiting for RPC"));
  await until(async () => {
    const { unhealthyGpus = [] } = (await machinesOf(service).online(id)) ?? {};
    return unhealthyGpus.some(({ code }) => code === "xid_119");
  });
}

test("a Pod and a worker on a machine over SSH are reachable and call back", {
  skip,
}, async (t) => {
  const { service, kernelLog } = await startWithKernelLog(t);
  const far = await farMachine(t);
  // Nothing beats while it is made.
  const image = ensureNodeImage(far.engine.host);
  writeNvidiaSmi(far.sshd.programs, [A40(0), LOST(1)]);
  const id = await added(service, far);
  const observed = await until(machinesOf(service).online, id);
  // Its GPUs are read again while it works.
  assert.equal(observed.trouble, "nvidia-smi: GPU 1: GPU is lost");
  assert.equal(observed.gpus[0]?.count, 1);
  const { stdout } = await freehold(["doctor", "--data", service.dataFolder]);
  assert.match(stdout, /^warn +machine \S+ +nvidia-smi: GPU 1: GPU is lost$/m);
  await quarantinedByXid(service, id, kernelLog);
  writeNvidiaSmi(far.sshd.programs, [A40(0), A40(1)]);
  assert.equal(observed.vcpuCount, 16);
  assert.match(observed.hostKey!, /^ssh-ed25519 SHA256:/);
  assert.ok(!JSON.stringify(observed).includes("PRIVATE KEY"));

  const pods = podsOf(service);
  const dockerStartCmd = ["node", "-e", script];
  const request = { ...small, imageName: image, dockerStartCmd, ports: ["8888/http"] };
  const { json, text } = await service.call("POST", "/v1/pods", request);
  assert.ok(json.id, text);
  const pod = await until(pods.reached, json.id);
  assert.equal(pod.machineId, id);
  const page = async () => {
    const answer = await visit(service.origin, json.id, 8_888);
    return answer.status === 200 ? answer : null;
  };
  assert.match((await until(page, "")).text, /A Pod's own page/);
  const put = { method: "PUT", path: "/file", body: "kept".repeat(100_000) };
  assert.equal((await visit(service.origin, json.id, 8_888, put)).status, 200);
  const env = await visit(service.origin, json.id, 8_888, { path: "/env" });
  assert.match(env.text, /"RUNPOD_POD_ID"/);
  await service.call("POST", `/v1/pods/${json.id}/stop`);
  await until(pods.unreached, json.id);
  await service.call("POST", `/v1/pods/${json.id}/start`);
  await until(pods.reached, json.id);
  await until(page, "");
  const stored = await visit(service.origin, json.id, 8_888, { path: "/file" });
  assert.equal(stored.text, "kept".repeat(100_000));

  const endpoint = await service.makeEndpoint({
    template: { driver: null, imageName: image, dockerStartCmd: ["node", "-e", ECHO] },
    spec: { computeType: "CPU", workersMin: 1, workersMax: 1 },
  });
  const body = { input: { from: "far" } };
  const answer = await service.call("POST", `/v2/${endpoint}/runsync?wait=60000`, body);
  assert.deepEqual(answer.json.output, { from: "far", metrics: 401 }, answer.text);
  // What a container sends does not end the trust in callers on this machine.
  assert.equal((await fetch(`${service.origin}/metrics`)).status, 200);

  const corrected = await until(async () => {
    const machine = await machinesOf(service).get(id);
    return machine?.trouble === undefined ? machine : null;
  });
  assert.equal(corrected?.gpus[0]?.count, 2);
  await until(machinesOf(service).online, id);

  const refused = await service.call("DELETE", `/v1/machines/${id}`);
  assert.equal(refused.json.code, "machine_in_use");
  await service.call("DELETE", `/v1/endpoints/${endpoint}`);
  await service.call("DELETE", `/v1/pods/${json.id}`);
  await until(async () => {
    return (await service.call("DELETE", `/v1/machines/${id}`)).status === 204 || null;
  }, id);
  assert.equal(await machinesOf(service).get(id), undefined);
});
