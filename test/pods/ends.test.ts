// Tests of how Pods end: by themselves, repeatedly, at a deadline, or without capacity.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "./fixture.ts";

const acting = (...args: string[]) => ({
  driver: "simulated",
  imageName: "i",
  dockerStartCmd: ["simulate", ...args],
});

test("exit code 0 ends a Pod and releases its GPU", async (t) => {
  const env = { FREEHOLD_GPUS: '{"NVIDIA A40": 1}' };
  const service = await simulatedService(t, { env });
  const one = {
    ...acting("--exit-after-ms", "50", "--exit-code", "0"),
    gpuTypeIds: ["NVIDIA A40"],
  };
  const { json: pod } = await service.call("POST", "/v1/pods", one);
  const exited = await until(podsOf(service).exited, pod.id);
  assert.match(exited.lastStatusChange, /^Exited by itself: /);
  const why = (await service.call("GET", `/v1/why/${pod.id}`)).json;
  assert.deepEqual([why.kind, why.code], ["pod", "pod_finished"]);
  assert.equal((await service.call("POST", "/v1/pods", one)).status, 201);
  const back = await service.call("POST", `/v1/pods/${pod.id}/start`);
  assert.deepEqual([back.status, back.json.code], [500, "machine_full"]);
  assert.match(back.json.error, /There are not enough free GPUs on the host machine to start this/);
  assert.match(back.json.why[0].reason, /^0 GPUs of the type NVIDIA A40 are free and 1 are asked/);
  assert.equal((await podsOf(service).get(pod.id)).desiredStatus, "EXITED");
});

test("a CPU Pod whose machine is full is refused for its CPUs, not for GPUs", async (t) => {
  const service = await simulatedService(t);
  const small = { containerDiskInGb: 1, volumeInGb: 0 };
  const cpu = { ...acting(), computeType: "CPU", vcpuCount: 2, ...small };
  const create = () => service.call("POST", "/v1/pods", cpu);
  const { json: pod } = await create();
  let last = await create();
  while (last.status === 201) last = await create();
  assert.equal(last.json.code, "no_capacity");
  await service.call("POST", `/v1/pods/${pod.id}/stop`);
  assert.equal((await create()).status, 201);
  const { json } = await service.call("POST", `/v1/pods/${pod.id}/start`);
  assert.equal(
    json.error,
    "start pod: There are not enough free CPUs, memory or disk on the host machine to start this pod.",
  );
  assert.match(json.why[0].reason, /^\d+ vCPUs are free and 2 are asked for$/);
});

test("another exit code is retried after a delay, and why explains it", async (t) => {
  const service = await simulatedService(t);
  const { json: pod } = await service.call(
    "POST",
    "/v1/pods",
    acting("--crash-at-start", "--exit-code", "3"),
  );
  const why = await until(async (id) => {
    const answer = (await service.call("GET", `/v1/why/${id}`)).json;
    return answer.code === "pod_backing_off" ? answer : null;
  }, pod.id);
  assert.match(why.sentence, /ended with exit code 3/);
  assert.ok(why.evidence.log.lines.length > 0);
  assert.equal((await podsOf(service).get(pod.id)).desiredStatus, "RUNNING");
  const lines = await until(async (id) => {
    const { json } = await service.call("GET", `/v1/pods/${id}/logs`);
    return json.length > 0 ? json : null;
  }, pod.id);
  assert.ok(lines.some(({ text }: { text: string }) => /exit code 3/.test(text)));
});

test("a Pod that can never start is not retried forever", async (t) => {
  const service = await simulatedService(t);
  const { json: pod } = await service.call("POST", "/v1/pods", acting("--no-such-trait"));
  await until(podsOf(service).exited, pod.id);
  const why = (await service.call("GET", `/v1/why/${pod.id}`)).json;
  assert.equal(why.code, "pod_gave_up");
  assert.match(why.sentence, /--no-such-trait/);
});

test("without capacity no Pod is created, and every machine has a reason", async (t) => {
  const service = await simulatedService(t, {
    env: { FREEHOLD_GPUS: '{"NVIDIA A40": 1}' },
  });
  const ask = (body: object) => service.call("POST", "/v1/pods", { ...acting(), ...body });
  const refused = await ask({ gpuCount: 2 });
  assert.equal(refused.status, 500);
  assert.equal(refused.json.code, "no_capacity");
  assert.match(refused.json.error, /There are no instances currently available/);
  assert.equal(refused.json.why.length, 1);
  assert.equal(
    refused.json.why[0].reason,
    "it has only 1 GPU of the type NVIDIA A40, and 2 are asked for",
  );
  assert.deepEqual((await service.call("GET", "/v1/pods")).json, []);
  const answers = await Promise.all(Array.from({ length: 12 }, () => ask({})));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(11).fill(500)]);
  const [pod] = (await service.call("GET", "/v1/pods")).json;
  await service.call("POST", `/v1/pods/${pod.id}/stop`);
  assert.equal((await ask({})).status, 201);
  const cpus = { computeType: "CPU", vcpuCount: 32 };
  const some = await Promise.all(Array.from({ length: 3 }, () => ask(cpus)));
  assert.deepEqual(some.map(({ status }) => status).sort(), [201, 201, 500]);
});

test("stopAfter and terminateAfter apply to locked Pods, and after a downtime of the service", async (t) => {
  const service = await simulatedService(t);
  const soon = () => new Date(Date.now() + 300).toISOString();
  const make = async (times: object) =>
    (await service.call("POST", "/v1/pods", { ...acting(), locked: true, ...times })).json;
  const stopping = await make({ stopAfter: soon() });
  const ending = await make({ terminateAfter: soon() });
  assert.ok(stopping.stopAfter && ending.terminateAfter);
  const stopped = await until(podsOf(service).exited, stopping.id);
  assert.match(
    stopped.lastStatusChange,
    /^Exited by Freehold: .*, its stopAfter time was reached$/,
  );
  await until(
    async (id) => (await service.call("GET", `/v1/pods/${id}`)).status === 404,
    ending.id,
  );
  const past = await make({ stopAfter: "2020-01-01T00:00:00Z" });
  await until(podsOf(service).exited, past.id);
});

test("a deadline is changed or removed in place while the Pod runs", async (t) => {
  const service = await simulatedService(t);
  const far = "2099-01-01T00:00:00.000Z";
  const body = { ...acting(), stopAfter: far, terminateAfter: far };
  const { json: pod } = await service.call("POST", "/v1/pods", body);
  const { lastStartedAt } = await until(podsOf(service).reached, pod.id);
  const patch = (changes: object) => service.call("PATCH", `/v1/pods/${pod.id}`, changes);
  const { json: patchedPod } = await patch({ terminateAfter: null });
  assert.deepEqual([patchedPod.stopAfter, patchedPod.terminateAfter], [far, undefined]);
  assert.equal(patchedPod.lastStartedAt, lastStartedAt, "its container is the same");
  assert.equal((await patch({ stopAfter: "soon" })).status, 400);
  await patch({ stopAfter: new Date().toISOString() });
  await until(podsOf(service).exited, pod.id);
});

test("Pods still exist after a restart of the service", async (t) => {
  const first = await simulatedService(t);
  const { json: pod } = await first.call("POST", "/v1/pods", acting());
  const before = await until(podsOf(first).reached, pod.id);
  await first.stop();
  const second = await startService(t, { drivers: "simulated", dataFolder: first.dataFolder });
  const after = await until(async (id) => {
    const found = await podsOf(second).reached(id);
    return found && found.lastStartedAt !== before.lastStartedAt ? found : null;
  }, pod.id);
  assert.equal(after.desiredStatus, "RUNNING");
  assert.equal((await second.call("GET", `/v1/why/${pod.id}`)).json.code, "pod_running");
  // The folder belongs to the first service, which removes it after the test.
  await second.stop();
});
