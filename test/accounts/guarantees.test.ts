// Tests of guaranteed GPUs: on-demand work of others leaves them, spot Pods borrow them, and the project takes them back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../fixtures/until.ts";
import { simulatedService } from "../pods/fixture.ts";
import { join } from "./join.ts";

const A40 = "NVIDIA A40";
const POD = { driver: "simulated", imageName: "i", gpuTypeIds: [A40], volumeInGb: 0 };
const SPOT = { ...POD, interruptible: true };
/** All GPUs are those of one machine, also with several replicas. */
const options = {
  env: { FREEHOLD_GPUS: '{"NVIDIA A40": 4}' },
  furtherEnv: { FREEHOLD_GPUS: "{}" },
};

const KEPT = /3 of 3 free NVIDIA A40 are guaranteed to project vision/;

/** In every kind of work. */
async function refusesOnDemand({ call }: Pick<Awaited<ReturnType<typeof join>>, "call">) {
  assert.match((await call("POST", "/v1/pods", POD)).text, KEPT);
  assert.match((await call("POST", "/v1/quote", { pod: POD })).text, KEPT);
  const compute = { gpuTypeId: A40, gpuCountPerPod: 1, podCount: 2 };
  const cluster = await call("POST", "/v2/clusters", { name: "c", image: "i", compute });
  assert.notEqual(cluster.status, 201);
  const template = { name: "t", imageName: "i", driver: "simulated", isServerless: true };
  const { json } = await call("POST", "/v1/templates", template);
  const endpoint = { name: "e", templateId: json.id, gpuTypeIds: [A40], workersMin: 1 };
  const { json: served } = await call("POST", "/v1/endpoints", endpoint);
  await until(async () => KEPT.test((await call("GET", `/v1/why/${served.id}`)).text));
  await call("DELETE", `/v1/endpoints/${served.id}`);
}

test("guaranteed GPUs are kept from others, lent to spot Pods and taken back", async (t) => {
  const service = await simulatedService(t, options);
  const ada = await join(service, "dev", "Ada");
  const bob = await join(service, "dev", "Bob", "bob@example.org");
  const eve = await join(service, "admin", "Eve");
  const body = { name: "vision", memberIds: [ada.member.id], guaranteedGpus: { [A40]: 3 } };
  const { status, text, json: project } = await eve.call("POST", "/v1/projects", body);
  assert.equal(status, 201, text);
  const path = `/v1/projects/${project.id}`;
  const standing = async () => {
    const { count, used, free, lent, short } = (await bob.call("GET", path)).json.guaranteedGpus[
      A40
    ];
    return [count, used, free, lent, short];
  };
  assert.deepEqual(await standing(), [3, 0, 3, 0, 0]);

  // One of four is left for on-demand work of others.
  assert.equal((await bob.call("POST", "/v1/pods", POD)).status, 201);
  await refusesOnDemand(bob);
  const queued = await bob.call("POST", "/v1/pods", { ...POD, queue: true });
  assert.equal(queued.json.status, "QUEUED");
  const why = await bob.call("GET", `/v1/why/${queued.json.id}`);
  assert.match(why.json.sentence, KEPT);

  // Spot Pods borrow all, also past what waits in line for them.
  const spot = [];
  for (const changes of [{}, { queue: true }, {}]) {
    const lent = await bob.call("POST", "/v1/pods", { ...SPOT, ...changes });
    assert.equal(lent.status, 201, lent.text);
    assert.equal(lent.json.status === "QUEUED", false);
    spot.push(lent.json.id);
  }
  assert.deepEqual(await standing(), [3, 0, 0, 3, 0]);
  assert.match(
    (await bob.call("POST", "/v1/pods", POD)).text,
    /3 of 3 free or spot NVIDIA A40 are guaranteed to project vision/,
  );

  // The project takes them back at once, past those in line.
  const own = await ada.call("POST", "/v1/pods", { ...POD, queue: true });
  assert.equal(own.status, 201, own.text);
  assert.notEqual(own.json.status, "QUEUED");
  const pods = await Promise.all(spot.map((id) => bob.call("GET", `/v1/pods/${id}`)));
  const evicted = pods.filter(({ json }) => json.desiredStatus === "EXITED");
  assert.equal(evicted.length, 1);
  assert.match(evicted[0]!.json.lastStatusChange, /interruptible, and an on-demand workload took/);
  assert.deepEqual(await standing(), [3, 1, 0, 2, 0]);
  const { json: quota } = await bob.call("GET", "/v1/quota");
  assert.deepEqual(quota.projects[0].guaranteedGpus[A40].lent, 2);
  // Its own spot Pods do not fill it, and its members go beyond it only where that leaves room.
  assert.equal((await ada.call("POST", "/v1/pods", { ...POD, gpuCount: 2 })).status, 201);
  assert.deepEqual(await standing(), [3, 3, 0, 0, 0]);
  assert.equal((await ada.call("POST", "/v1/pods", POD)).status, 500);

  // A lower guarantee stops nothing, and gives what waits its turn.
  await ada.call("DELETE", `/v1/pods/${own.json.id}`);
  assert.match(
    (await bob.call("POST", "/v1/pods", POD)).text,
    /1 of 1 free NVIDIA A40 is guaranteed/,
  );
  const lowered = await eve.call("PATCH", path, { guaranteedGpus: { [A40]: 0 } });
  assert.equal(lowered.json.guaranteedGpus, undefined, lowered.text);
  await until(async () => {
    const { json: pod } = await bob.call("GET", `/v1/pods/${queued.json.id}`);
    return pod.status !== "QUEUED";
  });
});

test("guarantees are refused beyond what there is, and by whose the machines are not", async (t) => {
  const service = await simulatedService(t, options);
  const ada = await join(service, "dev", "Ada");
  const create = (name: string, count: number, type = A40) =>
    service.call("POST", "/v1/projects", { name, guaranteedGpus: { [type]: count } });
  const { json: vision } = await create("vision", 3);
  const full = await create("speech", 2);
  assert.equal(full.status, 409, full.text);
  assert.match(
    full.text,
    /2 NVIDIA A40 would be kept, 3 are guaranteed to other projects, and the machines offer 4/,
  );
  const { status, json: rest } = await create("speech", 1);
  assert.equal(status, 201);
  assert.match(
    (await create("sound", 1, "A40")).text,
    /\\"guaranteedGpus\\" has .* not a GPU type/,
  );
  assert.equal((await create("sound", -1)).status, 400);
  const path = `/v1/projects/${vision.id}`;
  assert.equal((await service.call("PATCH", path, { guaranteedGpus: { [A40]: 4 } })).status, 409);
  assert.equal((await ada.call("PATCH", path, { guaranteedGpus: { [A40]: 1 } })).status, 403);
  const renamed = await service.call("PATCH", path, { name: "sight" });
  assert.equal(renamed.json.guaranteedGpus[A40].count, 3);

  // Nor does a reservation take what is guaranteed to a project of others.
  const ahead = new Date(Date.now() + 3_600_000).toISOString();
  const reserve = { gpuTypeId: A40, gpuCount: 1, until: ahead };
  assert.match((await ada.call("POST", "/v1/reservations", reserve)).text, /4 are guaranteed/);
  await service.call("PATCH", path, { memberIds: [ada.member.id] });
  assert.equal((await ada.call("POST", "/v1/reservations", reserve)).status, 201);
  // What is reserved for a guarantee's project is a part of the guarantee, and not kept twice.
  const eve = await join(service, "dev", "Eve", "eve@example.org");
  const speech = `/v1/projects/${rest.id}`;
  await service.call("PATCH", speech, { memberIds: [eve.member.id] });
  const beside = await eve.call("POST", "/v1/reservations", reserve);
  assert.equal(beside.status, 201, beside.text);
  assert.match(
    (await eve.call("POST", "/v1/reservations", reserve)).text,
    /2 NVIDIA A40 would be kept, 3 are guaranteed to other projects, and the machines offer 4/,
  );

  const { json: other } = await service.call("POST", "/v1/accounts", { name: "other" });
  const { json: key } = await service.call("POST", `/v1/accounts/${other.id}/keys`, { name: "k" });
  const as = { authorization: `Bearer ${key.key}` };
  const theirs = { name: "theirs", guaranteedGpus: { [A40]: 1 } };
  assert.equal((await service.call("POST", "/v1/projects", theirs, as)).status, 403);
  assert.match(
    (await service.call("POST", "/v1/pods", POD, as)).text,
    /are guaranteed to another account|reserved for another account/,
  );

  // A deleted project keeps nothing.
  assert.equal((await service.call("DELETE", path)).status, 204);
  assert.equal((await create("sound", 3)).status, 201);
});

test("what is reserved for a project without members fills no guarantee of another", async (t) => {
  const service = await simulatedService(t, options);
  const create = async (path: string, body: object) => {
    const { status, json, text } = await service.call("POST", path, body);
    assert.equal(status, 201, text);
    return json;
  };
  await create("/v1/projects", { name: "vision", guaranteedGpus: { [A40]: 3 } });
  const { id: projectId } = await create("/v1/projects", { name: "planned" });
  const ahead = new Date(Date.now() + 3_600_000).toISOString();
  await create("/v1/reservations", { gpuTypeId: A40, projectId, until: ahead });
  assert.match((await service.call("POST", "/v1/pods", POD)).text, KEPT);
});

test("the operator sets guarantees and weights of projects of another account, all or none", async (t) => {
  const service = await simulatedService(t, options);
  const { json: own } = await service.call("POST", "/v1/projects", { name: "own" });
  const { json: other } = await service.call("POST", "/v1/accounts", { name: "other" });
  const { json: key } = await service.call("POST", `/v1/accounts/${other.id}/keys`, { name: "k" });
  const as = { authorization: `Bearer ${key.key}` };
  const create = async (name: string, body: object = {}) =>
    service.call("POST", "/v1/projects", { name, ...body }, as);
  for (const body of [{ weight: 2 }, { guaranteedGpus: { [A40]: 1 } }]) {
    const { status, text } = await create("vision", body);
    assert.equal(status, 403);
    assert.match(text, /Ask the operator to set it for your account/);
  }
  const [{ json: vision }, { json: speech }] = [await create("vision"), await create("speech")];
  const path = `/v1/accounts/${other.id}/quota`;
  const set = (projects: object, limits: object = {}) =>
    service.call("PATCH", path, { ...limits, projects });
  const termsOf = async () => {
    const { projects, account } = (await service.call("GET", "/v1/quota", undefined, as)).json;
    const terms = projects.map(
      ({ share, guaranteedGpus: each }: typeof vision) =>
        `${share.weight} ${each?.[A40].count ?? 0}`,
    );
    return [...terms.toSorted(), account.limits.pods ?? null];
  };
  const both = { [vision.id]: { guaranteedGpus: { [A40]: 3 } }, [speech.id]: { weight: 3 } };
  const { status, text, json } = await set(both, { pods: 7 });
  assert.equal(status, 200, text);
  assert.equal(json.projects.length, 2);
  assert.deepEqual(await termsOf(), ["1 3", "3 0", 7]);
  assert.match(
    (await service.call("POST", "/v1/pods", { ...POD, gpuCount: 2 })).text,
    /another acc/,
  );

  const refused: [object, number][] = [
    [{ [vision.id]: { weight: 9 }, [own.id]: { weight: 9 } }, 404],
    [{ [vision.id]: { weight: 9 }, [speech.id]: { guaranteedGpus: { [A40]: 2 } } }, 409],
    [{ [vision.id]: { weight: 0 } }, 400],
    [{ [vision.id]: { guaranteedGpus: { A40: 1 } } }, 400],
    [{ [vision.id]: { limits: { pods: 1 } } }, 400],
  ];
  for (const [projects, code] of refused) {
    const answer = await set(projects, { pods: 1 });
    assert.equal(answer.status, code, answer.text);
  }
  assert.equal((await service.call("PATCH", path, { projects: both }, as)).status, 403);
  assert.deepEqual(await termsOf(), ["1 3", "3 0", 7]);

  // What one project gives up, another gets in the same change.
  const swap = await set({
    [vision.id]: { guaranteedGpus: { [A40]: 0 } },
    [speech.id]: { guaranteedGpus: { [A40]: 4 } },
  });
  assert.equal(swap.status, 200, swap.text);
  assert.deepEqual(await termsOf(), ["1 0", "3 4", 7]);
});
