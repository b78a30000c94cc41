// Tests of quotas with two replicas on one store: creators and starts at once never pass a ceiling.

import assert from "node:assert/strict";
import { test } from "node:test";
import { join } from "../accounts/join.ts";
import { missing } from "../postgres/database.ts";
import { startPair, type Tools } from "./pair.ts";

const CREATORS = 50;
const env = { FREEHOLD_MACHINE: JSON.stringify({ vcpus: 512, memoryInGb: 999, diskInGb: 9_000 }) };
const POD = { driver: "simulated", imageName: "i", computeType: "CPU", volumeInGb: 0 };
/** The most Pods of each member, of the project of both, and of the account. */
const EACH = 2;
const TOGETHER = 3;
const ALL = 12;

test("50 creators on two replicas never pass a ceiling", { skip: missing }, async (t) => {
  const { service, a, b } = await startPair(t, { drivers: "simulated", env });
  const { id } = (await a.call("GET", "/v1/account")).json;
  const members = [];
  for (const role of ["dev", "admin"]) members.push(await join(service, role, role));
  // The third creates with a key of the account, which only the account's ceiling limits.
  const keys = [...members.map(({ key }) => key), service.key];
  const as = (n: number): [Tools, { authorization: string }] => [
    n % 2 === 0 ? a : b,
    { authorization: `Bearer ${keys[n % 3]}` },
  ];
  await a.call("PATCH", "/v1/quota/member-default", { pods: EACH });
  const memberIds = members.map(({ member }) => member.id);
  await b.call("POST", "/v1/projects", { name: "p", memberIds, limits: { pods: TOGETHER } });
  await b.call("PATCH", `/v1/accounts/${id}/quota`, { pods: ALL });
  const create = (n: number) => {
    const [replica, headers] = as(n);
    const isSandbox = n % 5 === 4;
    return isSandbox
      ? replica.call("POST", "/v2/sandboxes", { imageName: "i" }, headers)
      : replica.call("POST", "/v1/pods", POD, headers);
  };
  const holds = async () => {
    const { account, projects, members: by } = (await a.call("GET", "/v1/quota")).json;
    const used = by.map((member: { used: { pods: number } }) => member.used.pods);
    assert.ok(account.used.pods <= ALL, `${account.used.pods} of ${ALL}`);
    assert.ok(Math.max(...used) <= EACH, `${used} of ${EACH}`);
    const { pods } = projects[0].used;
    assert.ok(pods <= TOGETHER, `${pods} of ${TOGETHER}`);
    return account.used.pods as number;
  };
  const answers = await Promise.all(Array.from({ length: CREATORS }, (_, n) => create(n)));
  const created = answers.filter(({ status }) => status === 201);
  for (const { status, text } of answers) {
    if (status !== 201) assert.match(text, /of \d+ running Pods, and this adds 1/);
  }
  assert.equal(created.length, ALL);
  assert.equal(await holds(), ALL);

  // Starts race with creators for the room that stops leave.
  const pods: { id: string }[] = (await a.call("GET", "/v1/pods")).json;
  await Promise.all(pods.map((pod) => a.call("POST", `/v1/pods/${pod.id}/stop`)));
  const starts = pods.map((pod, n) => as(n)[0].call("POST", `/v1/pods/${pod.id}/start`));
  const creations = Array.from({ length: 10 }, (_, n) => create(n));
  await Promise.all([...starts, ...creations]);
  await holds();
});

const A40 = "NVIDIA A40";
const GPU = { driver: "simulated", imageName: "i", gpuTypeIds: [A40], volumeInGb: 0 };
const GPUS = 5;

test("a project's ceiling of GPUs holds for every interface at once, starts and workers included", {
  skip: missing,
}, async (t) => {
  const gpus = { ...env, FREEHOLD_GPUS: '{"NVIDIA A40": 32}' };
  const { service, a, b } = await startPair(t, { drivers: "simulated", env: gpus });
  const members: { key: string; member: { id: string } }[] = [];
  for (const name of ["Ada", "Bob", "Eve"]) {
    members.push(await join(service, "dev", name, `${name}@example.org`.toLowerCase()));
  }
  const memberIds = members.map(({ member }) => member.id);
  const body = { name: "p", memberIds, limits: { gpus: GPUS } };
  const { json: project } = await a.call("POST", "/v1/projects", body);
  const held = async () => (await a.call("GET", `/v1/projects/${project.id}`)).json.used.gpus;
  const call = (n: number, method: string, path: string, sent?: object) =>
    (n % 2 === 0 ? a : b).call(method, path, sent, {
      authorization: `Bearer ${members[n % members.length]!.key}`,
    });
  const mutate = (n: number, field: string, type: string) => {
    const query = `mutation ($input: ${type}) { ${field}(input: $input) { id } }`;
    const input = { imageName: "i", gpuTypeId: A40, gpuCount: 1, containerDiskInGb: 5, name: "n" };
    return call(n, "POST", "/graphql", { query, variables: { input } });
  };
  const template = { name: "t", imageName: "i", driver: "simulated", isServerless: true };
  const { json: serverless } = await call(0, "POST", "/v1/templates", template);
  const v2 = { name: "n", image: "i", gpu: { id: A40, count: 1 } };
  const compute = { gpuTypeId: A40, gpuCountPerPod: 1, podCount: 2 };
  const cluster = { name: "c", image: "i", type: "APPLICATION", compute };
  const ways: ((n: number) => Promise<unknown>)[] = [
    (n) => call(n, "POST", "/v1/pods", GPU),
    (n) => call(n, "POST", "/v1/pods", { ...GPU, interruptible: true }),
    (n) => call(n, "POST", "/v1/pods", { ...GPU, queue: true }),
    (n) => call(n, "POST", "/v2/pods", v2),
    (n) => call(n, "POST", "/v2/clusters", cluster),
    (n) => mutate(n, "podFindAndDeployOnDemand", "PodFindAndDeployOnDemandInput"),
    (n) => mutate(n, "podRentInterruptable", "PodRentInterruptableInput"),
    (n) =>
      call(n, "POST", "/v1/endpoints", {
        name: `e${n}`,
        templateId: serverless.id,
        gpuTypeIds: [A40],
        workersMin: 1,
      }),
  ];
  const attack = async (from: number) => {
    const attempts = Array.from({ length: ways.length * 5 }, (_, n) =>
      ways[n % ways.length]!(from + Math.floor(n / ways.length)),
    );
    let ended = false;
    const all = Promise.all(attempts).finally(() => {
      ended = true;
    });
    while (!ended) assert.ok((await held()) <= GPUS, `${await held()} of ${GPUS}`);
    await all;
  };
  await attack(0);
  assert.equal(await held(), GPUS);

  // Stops leave room, for which starts, workers, the line and creators race.
  const pods: { id: string }[] = (await a.call("GET", "/v1/pods")).json;
  const running = pods.filter(({ id }) => id);
  await Promise.all(
    running.map(({ id }, n) => (n % 2 ? a : b).call("POST", `/v1/pods/${id}/stop`)),
  );
  const starts = running.map(({ id }, n) => (n % 2 ? b : a).call("POST", `/v1/pods/${id}/start`));
  await Promise.all([...starts, attack(1)]);
  assert.ok((await held()) <= GPUS);
});
