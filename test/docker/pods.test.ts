// Tests of Pods in containers of a real engine: public ports, stops and starts, volumes, restarts after
// an exit, and deletion.

import assert from "node:assert/strict";
import { test } from "node:test";
import { skipReason } from "../fixtures/docker/engine.ts";
import { until } from "../fixtures/until.ts";
import { type PodJson, podsOf } from "../pods/fixture.ts";
import { startContainerService } from "./container-service.ts";

const small = { computeType: "CPU", vcpuCount: 2, volumeInGb: 1, containerDiskInGb: 1 };
const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
const options = { env: { FREEHOLD_MACHINE: machine }, protocol: { endGraceMs: 500 } };
const shell = (script: string) => ({ dockerEntrypoint: ["bash", "-c"], dockerStartCmd: [script] });

test("a Pod's volume outlives its containers and is deleted with the Pod", {
  skip: skipReason,
}, async (t) => {
  const service = await startContainerService(t, options);
  const pods = podsOf(service);
  const make = {
    ...small,
    imageName: service.shellImage,
    ports: ["7000/tcp"],
    env: { GREETING: "hi" },
  };
  const script =
    'echo "$GREETING from $RUNPOD_POD_ID"; ls /workspace /tmp; echo kept > /workspace/volume; ' +
    "echo lost > /tmp/disk; sleep 1000";
  const { json, text } = await service.call("POST", "/v1/pods", { ...make, ...shell(script) });
  assert.ok(json.id, text);
  const lines = async (id: string) => {
    const { json: log } = await service.call("GET", `/v1/pods/${id}/logs`);
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
  assert.equal(service.containers().length, 1);

  await service.call("POST", `/v1/pods/${json.id}/stop`);
  await until(pods.unreached, json.id);
  await until(async () => service.containers().length === 0 || null, json.id);
  await service.call("POST", `/v1/pods/${json.id}/start`);
  const second = await until(pods.reached, json.id);
  assert.equal(second.portMappings["7000"], publicPort);
  const again = await until(async (id) => {
    const found = await lines(id);
    return found.includes("volume") ? found : null;
  }, json.id);
  assert.ok(!again.includes("disk"), again.join("\n"));

  assert.equal((await service.call("DELETE", `/v1/pods/${json.id}`)).status, 204);
  await until(async () => service.containers().length === 0 || null, json.id);
  const volumes = () => service.docker("volume", "ls", "--quiet").split("\n");
  await until(async (id) => !volumes().some((name) => name.includes(id)) || null, json.id);
});

test("exit 0 ends a Pod, exit 3 restarts it, and a container removed by hand is replaced", {
  skip: skipReason,
}, async (t) => {
  const service = await startContainerService(t, options);
  const pods = podsOf(service);
  const make = async (script: string) =>
    (
      await service.call("POST", "/v1/pods", {
        ...small,
        imageName: service.shellImage,
        ...shell(script),
      })
    ).json as PodJson;
  const ending = await make("exit 0");
  const exited = await until(pods.exited, ending.id);
  assert.match(exited.lastStatusChange, /^Exited by itself/);
  const crashing = await make("echo broken; exit 3");
  const why = await until(async (id) => {
    const { json } = await service.call("GET", `/v1/why/${id}`);
    return json.code === "pod_backing_off" ? json : null;
  }, crashing.id);
  assert.match(why.sentence, /with exit code 3, .*\(broken\)/);
  await service.call("DELETE", `/v1/pods/${crashing.id}`);
  const living = await make("sleep 1000");
  const before = await until(pods.reached, living.id);
  await until(async () => service.containers().length === 1 || null, living.id);
  service.docker("rm", "--force", ...service.containers());
  const after = await until(async (id) => {
    const pod = await pods.reached(id);
    return pod && pod.lastStartedAt !== before.lastStartedAt ? pod : null;
  }, living.id);
  assert.equal(after.desiredStatus, "RUNNING");
});

test("with a missing image the Pod stays RUNNING, is retried, and why reports the cause", {
  skip: skipReason,
}, async (t) => {
  const service = await startContainerService(t, options);
  const imageName = "127.0.0.1:1/nobody/nothing:1";
  const { json } = await service.call("POST", "/v1/pods", { ...small, imageName });
  const why = await until(async (id) => {
    const answer = (await service.call("GET", `/v1/why/${id}`)).json;
    return answer.code === "pod_start_failing" ? answer : null;
  }, json.id);
  assert.match(why.sentence, /127\.0\.0\.1:1/);
  assert.equal((await podsOf(service).get(json.id)).desiredStatus, "RUNNING");
});

test("a Pod whose image is missing yields its CPUs between tries, and waits for room", {
  skip: skipReason,
}, async (t) => {
  const twoCpus = JSON.stringify({ vcpus: 2, memoryInGb: 64, diskInGb: 500 });
  const service = await startContainerService(t, {
    ...options,
    env: { FREEHOLD_MACHINE: twoCpus },
  });
  const imageName = `127.0.0.1:1/late/${service.shellImage.replace(/\W/g, "")}:1`;
  const { json } = await service.call("POST", "/v1/pods", {
    ...small,
    imageName,
    ...shell("sleep 1000"),
  });
  const present = { ...small, imageName: service.shellImage, ...shell("sleep 1000") };
  const other = await until(async () => {
    const { status, json: created } = await service.call("POST", "/v1/pods", present);
    return status === 201 ? created : null;
  }, json.id);
  await until(podsOf(service).reached, other.id);
  service.docker("tag", service.shellImage, imageName);
  t.after(() => service.docker("rmi", "--force", "--no-prune", imageName));
  const why = await until(async (id) => {
    const { json: answer } = await service.call("GET", `/v1/why/${id}`);
    return answer.evidence.cause === "no_room" ? answer : null;
  }, json.id);
  assert.match(why.sentence, /others took its place .*: 0 vCPUs are free and 2 are asked for/);
  await service.call("DELETE", `/v1/pods/${other.id}`);
  await until(podsOf(service).reached, json.id);
});

test("Pods keep running while the service is stopped, and are found again", {
  skip: skipReason,
}, async (t) => {
  const service = await startContainerService(t, options);
  const body = { ...small, imageName: service.shellImage, ...shell("sleep 1000") };
  const { json } = await service.call("POST", "/v1/pods", body);
  const before = await until(podsOf(service).reached, json.id);
  const [container] = service.containers();
  await service.stop();
  const second = await startContainerService(t, { ...options, dataFolder: service.dataFolder });
  const after = await until(podsOf(second).reached, json.id);
  assert.equal(after.lastStartedAt, before.lastStartedAt);
  assert.deepEqual(second.containers(), [container]);
  await second.stop();
});
