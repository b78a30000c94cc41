// How Pods end: by themselves, again and again, at a time that was set, or for want of a place.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startHouse } from "../house.ts";
import { fakeHouse, podsOf, until } from "./stage.ts";

const acting = (...args: string[]) => ({
  driver: "fake",
  imageName: "i",
  dockerStartCmd: ["fake-worker", ...args],
});

test("exit code 0 ends a Pod, and lets its GPU go", async (t) => {
  const env = { FREEHOLD_VIRTUAL_GPUS: '{"NVIDIA A40": 1}' };
  const house = await fakeHouse(t, { env });
  const one = {
    ...acting("--exit-after-ms", "50", "--exit-code", "0"),
    gpuTypeIds: ["NVIDIA A40"],
  };
  const { json: pod } = await house.call("POST", "/v1/pods", one);
  const exited = await until(podsOf(house).exited, pod.id);
  assert.match(exited.lastStatusChange, /^Exited by itself: /);
  const why = (await house.call("GET", `/v1/why/${pod.id}`)).json;
  assert.deepEqual([why.kind, why.code], ["pod", "pod_finished"]);
  assert.equal((await house.call("POST", "/v1/pods", one)).status, 201);
  const back = await house.call("POST", `/v1/pods/${pod.id}/start`);
  assert.deepEqual([back.status, back.json.code], [500, "machine_full"]);
  assert.match(back.json.error, /There are not enough free GPUs on the host machine to start this/);
  assert.match(back.json.why[0].reason, /^0 GPUs of the type NVIDIA A40 are free and 1 are asked/);
  assert.equal((await podsOf(house).get(pod.id)).desiredStatus, "EXITED");
});

test("another exit code is tried again after a pause, and why says so", async (t) => {
  const house = await fakeHouse(t);
  const { json: pod } = await house.call(
    "POST",
    "/v1/pods",
    acting("--crash-at-start", "--exit-code", "3"),
  );
  const why = await until(async (id) => {
    const answer = (await house.call("GET", `/v1/why/${id}`)).json;
    return answer.code === "pod_backing_off" ? answer : null;
  }, pod.id);
  assert.match(why.sentence, /ended with exit code 3/);
  assert.ok(why.evidence.log.lines.length > 0);
  assert.equal((await podsOf(house).get(pod.id)).desiredStatus, "RUNNING");
  const lines = await until(async (id) => {
    const { json } = await house.call("GET", `/v1/pods/${id}/logs`);
    return json.length > 0 ? json : null;
  }, pod.id);
  assert.ok(lines.some(({ text }: { text: string }) => /exit code 3/.test(text)));
});

test("what can never be started is not tried for ever", async (t) => {
  const house = await fakeHouse(t);
  const { json: pod } = await house.call("POST", "/v1/pods", acting("--no-such-trait"));
  await until(podsOf(house).exited, pod.id);
  const why = (await house.call("GET", `/v1/why/${pod.id}`)).json;
  assert.equal(why.code, "pod_gave_up");
  assert.match(why.sentence, /--no-such-trait/);
});

test("without capacity nothing is made, and every machine has its reason", async (t) => {
  const house = await fakeHouse(t, { env: { FREEHOLD_VIRTUAL_GPUS: '{"NVIDIA A40": 1}' } });
  const ask = (body: object) => house.call("POST", "/v1/pods", { ...acting(), ...body });
  const refused = await ask({ gpuCount: 2 });
  assert.equal(refused.status, 500);
  assert.equal(refused.json.code, "no_capacity");
  assert.match(refused.json.error, /There are no instances currently available/);
  assert.equal(refused.json.why.length, 1);
  assert.match(
    refused.json.why[0].reason,
    /^1 GPUs of the type NVIDIA A40 are free and 2 are asked/,
  );
  assert.deepEqual((await house.call("GET", "/v1/pods")).json, []);
  const answers = await Promise.all(Array.from({ length: 12 }, () => ask({})));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(11).fill(500)]);
  const [pod] = (await house.call("GET", "/v1/pods")).json;
  await house.call("POST", `/v1/pods/${pod.id}/stop`);
  assert.equal((await ask({})).status, 201);
  const cpus = { computeType: "CPU", vcpuCount: 32 };
  const some = await Promise.all(Array.from({ length: 3 }, () => ask(cpus)));
  assert.deepEqual(some.map(({ status }) => status).sort(), [201, 201, 500]);
});

test("stopAfter and terminateAfter hold, also over a lock and while nobody was there", async (t) => {
  const house = await fakeHouse(t);
  const soon = () => new Date(Date.now() + 300).toISOString();
  const make = async (times: object) =>
    (await house.call("POST", "/v1/pods", { ...acting(), locked: true, ...times })).json;
  const stopping = await make({ stopAfter: soon() });
  const ending = await make({ terminateAfter: soon() });
  assert.ok(stopping.stopAfter && ending.terminateAfter);
  const stopped = await until(podsOf(house).exited, stopping.id);
  assert.match(stopped.lastStatusChange, /^Exited by Freehold: .*, its stopAfter has come$/);
  await until(async (id) => (await house.call("GET", `/v1/pods/${id}`)).status === 404, ending.id);
  const past = await make({ stopAfter: "2020-01-01T00:00:00Z" });
  await until(podsOf(house).exited, past.id);
});

test("a deadline is moved or taken away in place, while the Pod runs", async (t) => {
  const house = await fakeHouse(t);
  const far = "2099-01-01T00:00:00.000Z";
  const body = { ...acting(), stopAfter: far, terminateAfter: far };
  const { json: pod } = await house.call("POST", "/v1/pods", body);
  const { lastStartedAt } = await until(podsOf(house).reached, pod.id);
  const patch = (changes: object) => house.call("PATCH", `/v1/pods/${pod.id}`, changes);
  const { json: kept } = await patch({ terminateAfter: null });
  assert.deepEqual([kept.stopAfter, kept.terminateAfter], [far, undefined]);
  assert.equal(kept.lastStartedAt, lastStartedAt, "its container is the same");
  assert.equal((await patch({ stopAfter: "soon" })).status, 400);
  await patch({ stopAfter: new Date().toISOString() });
  await until(podsOf(house).exited, pod.id);
});

test("Pods are there again after the service was", async (t) => {
  const first = await fakeHouse(t);
  const { json: pod } = await first.call("POST", "/v1/pods", acting());
  const before = await until(podsOf(first).reached, pod.id);
  await first.stop();
  const second = await startHouse(t, { drivers: "fake", dataFolder: first.dataFolder });
  const after = await until(async (id) => {
    const found = await podsOf(second).reached(id);
    return found && found.lastStartedAt !== before.lastStartedAt ? found : null;
  }, pod.id);
  assert.equal(after.desiredStatus, "RUNNING");
  assert.equal((await second.call("GET", `/v1/why/${pod.id}`)).json.code, "pod_running");
  // The folder is the first one's, which clears it after the test.
  await second.stop();
});
