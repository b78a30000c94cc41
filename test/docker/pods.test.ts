// Pods in containers of a real engine: reached by a public port, stopped, started with their volume's
// file still there, ended by the rules, deleted with all that was theirs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { missing } from "../../src/drivers/docker/engine.testing.ts";
import { type PodJson, podsOf, until } from "../pods/stage.ts";
import { startContainerHouse } from "./container-house.ts";

const small = { computeType: "CPU", vcpuCount: 2, volumeInGb: 1, containerDiskInGb: 1 };
const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
const options = { env: { FREEHOLD_MACHINE: machine }, protocol: { endGraceMs: 500 } };
const shell = (script: string) => ({ dockerEntrypoint: ["bash", "-c"], dockerStartCmd: [script] });

test("a Pod's volume outlives its containers, and nothing outlives the Pod", {
  skip: missing,
}, async (t) => {
  const house = await startContainerHouse(t, options);
  const pods = podsOf(house);
  const make = {
    ...small,
    imageName: house.shellImage,
    ports: ["7000/tcp"],
    env: { GREETING: "hi" },
  };
  const script =
    'echo "$GREETING from $RUNPOD_POD_ID"; ls /workspace /tmp; echo kept > /workspace/volume; ' +
    "echo lost > /tmp/disk; sleep 1000";
  const { json, text } = await house.call("POST", "/v1/pods", { ...make, ...shell(script) });
  assert.ok(json.id, text);
  const lines = async (id: string) => {
    const { json: log } = await house.call("GET", `/v1/pods/${id}/logs`);
    return log.map((line: { text: string }) => line.text) as string[];
  };
  const first: PodJson = await until(pods.reached, json.id);
  const printed = await until(async (id) => {
    const found = await lines(id);
    return found.some((line) => line.startsWith("hi from")) ? found : null;
  }, json.id);
  assert.ok(printed.includes(`hi from ${json.id}`));
  const publicPort = first.portMappings["7000"]!;
  assert.ok(publicPort > 0);
  assert.equal(house.containers().length, 1);

  await house.call("POST", `/v1/pods/${json.id}/stop`);
  await until(pods.unreached, json.id);
  await until(async () => house.containers().length === 0 || null, json.id);
  await house.call("POST", `/v1/pods/${json.id}/start`);
  const second = await until(pods.reached, json.id);
  assert.equal(second.portMappings["7000"], publicPort);
  const again = await until(async (id) => {
    const found = await lines(id);
    return found.includes("volume") ? found : null;
  }, json.id);
  assert.ok(!again.includes("disk"), again.join("\n"));

  assert.equal((await house.call("DELETE", `/v1/pods/${json.id}`)).status, 204);
  await until(async () => house.containers().length === 0 || null, json.id);
  const volumes = () => house.docker("volume", "ls", "--quiet").split("\n");
  await until(async (id) => !volumes().some((name) => name.includes(id)) || null, json.id);
});

test("exit 0 is the end, exit 3 is tried again; a container removed by hand is noticed", {
  skip: missing,
}, async (t) => {
  const house = await startContainerHouse(t, options);
  const pods = podsOf(house);
  const make = async (script: string) =>
    (
      await house.call("POST", "/v1/pods", {
        ...small,
        imageName: house.shellImage,
        ...shell(script),
      })
    ).json as PodJson;
  const ending = await make("exit 0");
  const exited = await until(pods.exited, ending.id);
  assert.match(exited.lastStatusChange, /^Exited by itself/);
  const crashing = await make("echo broken; exit 3");
  const why = await until(async (id) => {
    const { json } = await house.call("GET", `/v1/why/${id}`);
    return json.code === "pod_backing_off" ? json : null;
  }, crashing.id);
  assert.match(why.sentence, /with exit code 3 .*\(broken\)/);
  await house.call("DELETE", `/v1/pods/${crashing.id}`);
  const living = await make("sleep 1000");
  const before = await until(pods.reached, living.id);
  await until(async () => house.containers().length === 1 || null, living.id);
  house.docker("rm", "--force", ...house.containers());
  const after = await until(async (id) => {
    const pod = await pods.reached(id);
    return pod && pod.lastStartedAt !== before.lastStartedAt ? pod : null;
  }, living.id);
  assert.equal(after.desiredStatus, "RUNNING");
});

test("an image that is not there: the Pod stays RUNNING, is tried again, and why says what is wrong", {
  skip: missing,
}, async (t) => {
  const house = await startContainerHouse(t, options);
  const imageName = "127.0.0.1:1/nobody/nothing:1";
  const { json } = await house.call("POST", "/v1/pods", { ...small, imageName });
  const why = await until(async (id) => {
    const answer = (await house.call("GET", `/v1/why/${id}`)).json;
    return answer.code === "pod_start_failing" ? answer : null;
  }, json.id);
  assert.match(why.sentence, /127\.0\.0\.1:1/);
  assert.equal((await podsOf(house).get(json.id)).desiredStatus, "RUNNING");
});

test("Pods live on while the service does not, and are found again", {
  skip: missing,
}, async (t) => {
  const house = await startContainerHouse(t, options);
  const body = { ...small, imageName: house.shellImage, ...shell("sleep 1000") };
  const { json } = await house.call("POST", "/v1/pods", body);
  const before = await until(podsOf(house).reached, json.id);
  const [container] = house.containers();
  await house.stop();
  const second = await startContainerHouse(t, { ...options, dataFolder: house.dataFolder });
  const after = await until(podsOf(second).reached, json.id);
  assert.equal(after.lastStartedAt, before.lastStartedAt);
  assert.deepEqual(second.containers(), [container]);
  await second.stop();
});
