// Tests of owners: what a member creates is theirs in every interface, and lists can be limited to it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { freehold } from "../cli/command.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { simulatedService } from "../pods/fixture.ts";
import { join } from "./join.ts";

const body = { imageName: "i", computeType: "CPU" };

type Caller = Pick<TestService, "call">;

/** Creates a Pod over each interface; returns their ids. */
async function createPods({ call }: Caller): Promise<string[]> {
  const v1 = await call("POST", "/v1/pods", { ...body, name: "v1" });
  assert.equal(v1.status, 201, v1.text);
  const cpu = { id: "cpu3c", vcpuCount: 2 };
  const v2 = await call("POST", "/v2/pods", { name: "v2", image: "i", cpu });
  assert.equal(v2.status, 201, v2.text);
  const query =
    'mutation { deployCpuPod(input: { name: "graphql", imageName: "i", instanceId: "cpu3c-2-4" }) { id } }';
  const graphql = await call("POST", "/graphql", { query });
  assert.ok(graphql.json.data, graphql.text);
  return [v1.json.id, v2.json.id, graphql.json.data.deployCpuPod.id];
}

const idsOf = (pods: { id: string }[]) => pods.map(({ id }) => id).sort();

/** The ids in the list of Pods over each interface, limited to an owner. */
async function listsOf({ call }: Caller, createdBy: string): Promise<string[][]> {
  const v1 = await call("GET", `/v1/pods?createdBy=${createdBy}`);
  const v2 = await call("GET", `/v2/pods?createdBy=${createdBy}`);
  const query = `{ myself { pods(createdBy: "${createdBy}") { id } } }`;
  const graphql = await call("POST", "/graphql", { query });
  return [v1.json, v2.json.pods, graphql.json.data.myself.pods].map(idsOf);
}

test("a Pod names the member that created it in every interface, and lists can be limited to it", async (t) => {
  const service = await simulatedService(t);
  const ada = await join(service, "dev", "Ada");
  const grace = await join(service, "admin", "Grace");
  const theirs = await createPods(ada);
  const others = await createPods(grace);
  const ofAccount = await createPods(service);
  const owner = { id: ada.member.id, name: "Ada" };
  for (const id of theirs) {
    assert.deepEqual((await grace.call("GET", `/v1/pods/${id}`)).json.createdBy, owner);
    assert.deepEqual((await grace.call("GET", `/v2/pods/${id}`)).json.createdBy, owner);
    const query = `{ pod(input: { podId: "${id}" }) { createdBy { id name } } }`;
    const { json } = await grace.call("POST", "/graphql", { query });
    assert.deepEqual(json.data.pod.createdBy, owner);
  }
  // What a key of the account creates belongs to no member.
  assert.equal((await ada.call("GET", `/v1/pods/${ofAccount[0]}`)).json.createdBy, undefined);
  assert.equal((await ada.call("GET", `/v2/pods/${ofAccount[1]}`)).json.createdBy, undefined);

  for (const list of await listsOf(ada, "me")) assert.deepEqual(list, [...theirs].sort());
  for (const list of await listsOf(ada, grace.member.id))
    assert.deepEqual(list, [...others].sort());
  const everyone = [...theirs, ...others, ...ofAccount].sort();
  for (const name of ["nobody", "null", "undefined", "false"]) {
    for (const list of await listsOf(service, name)) assert.deepEqual(list, [], name);
    for (const path of ["/v1/pods", "/v2/pods"]) {
      const { json } = await service.call("GET", path);
      assert.deepEqual(idsOf(json.pods ?? json), everyone, `${path} after ${name}`);
    }
  }
  // Pages of a list that is limited continue it, and refuse the cursor of another one.
  const page = (await ada.call("GET", "/v2/pods?createdBy=me&limit=2")).json;
  const next = `/v2/pods?limit=2&cursor=${page.pagination.nextCursor}`;
  assert.equal((await ada.call("GET", `${next}&createdBy=me`)).json.pods.length, 1);
  assert.equal((await ada.call("GET", next)).status, 422);

  // Each interface refuses "me" without a member in its own way.
  const refusals = { "/v1/pods?createdBy=me": 400, "/v2/pods?createdBy=me": 422 };
  for (const [path, status] of Object.entries(refusals)) {
    const refused = await service.call("GET", path);
    assert.equal(refused.status, status, refused.text);
    assert.match(refused.text, /only with the key of a member/);
  }
  const mine = await freehold(["pods", "list", "--mine"], {
    env: { FREEHOLD_URL: service.origin, FREEHOLD_KEY: ada.key },
  });
  assert.match(mine.stdout, /CREATED BY/);
  assert.equal(mine.stdout.match(/ Ada /g)?.length, 3, mine.stdout);
});

const podOf = async ({ call }: Caller, id: string) => (await call("GET", `/v1/pods/${id}`)).json;

test("what a member who leaves has is handed over and stopped with the removal", async (t) => {
  const service = await simulatedService(t);
  const ada = await join(service, "dev", "Ada");
  const grace = await join(service, "admin", "Grace");
  const create = async (name: string, more = {}) =>
    (await ada.call("POST", "/v1/pods", { ...body, name, ...more })).json.id as string;
  const [runs, locked, stopped] = [
    await create("runs"),
    await create("locked", { locked: true }),
    await create("stopped"),
  ];
  const deleted = await create("deleted");
  await ada.call("POST", `/v1/pods/${stopped}/stop`);
  await ada.call("DELETE", `/v1/pods/${deleted}`);
  const { id: sandbox } = (await ada.call("POST", "/v2/sandboxes", { imageName: "i" })).json;
  const sandboxesOf = async (owner: string) =>
    idsOf((await ada.call("GET", `/v2/sandboxes?createdBy=${owner}`)).json.sandboxes);
  assert.deepEqual(await sandboxesOf("me"), [sandbox]);
  assert.deepEqual(await sandboxesOf(grace.member.id), []);
  const { id: other } = (await grace.call("POST", "/v1/pods", body)).json;

  const path = `/v1/members/${ada.member.id}`;
  const refusals = [
    [`${path}?handOverTo=nobody`, 404, /no member nobody/],
    [`${path}?handOverTo=${ada.member.id}`, 400, /another member/],
    [`/v1/members/nobody?stop=true`, 404, /no member nobody/],
  ] as const;
  for (const [refused, status, text] of refusals) {
    const answer = await service.call("DELETE", refused);
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.text, text);
  }
  assert.equal((await podOf(ada, runs)).desiredStatus, "RUNNING");

  const env = { FREEHOLD_URL: service.origin, FREEHOLD_KEY: service.key };
  const undecided = await freehold(["members", "remove", "Ada"], { env });
  assert.equal(undecided.code, 2, undecided.stderr);
  assert.match(undecided.stdout, /runs.*\n.*locked.*\n.*stopped/);
  assert.match(undecided.stderr, /Ada has 3 Pods, 1 sandbox; give --hand-over-to MEMBER, --stop/);
  const args = ["members", "remove", "Ada", "--hand-over-to", "Grace", "--stop"];
  const removed = await freehold(args, { env });
  assert.equal(removed.code, 0, removed.stderr);
  assert.match(removed.stdout, new RegExp(`member ${ada.member.id} is removed`));
  assert.equal((await ada.call("GET", "/v1/pods")).status, 401);
  for (const id of [runs, locked, stopped]) {
    const { desiredStatus, createdBy } = await podOf(service, id);
    assert.deepEqual([desiredStatus, createdBy.name], ["EXITED", "Grace"]);
  }
  assert.match((await podOf(service, runs)).lastStatusChange, /its owner Ada was removed/);
  assert.equal((await service.call("GET", `/v2/sandboxes/${sandbox}`)).json.state, "TERMINATED");
  assert.equal((await podOf(service, other)).desiredStatus, "RUNNING");
  // The new owner goes on with the volume that was kept.
  assert.equal((await grace.call("POST", `/v1/pods/${runs}/start`)).status, 200);
});

test("a member with sandboxes alone is removed only after a choice", async (t) => {
  const service = await simulatedService(t);
  const ada = await join(service, "dev", "Ada");
  const { id } = (await ada.call("POST", "/v2/sandboxes", { imageName: "i", name: "box" })).json;
  await service.call("POST", "/v2/sandboxes", { imageName: "i", name: "other" });
  const env = { FREEHOLD_URL: service.origin, FREEHOLD_KEY: service.key };
  const undecided = await freehold(["members", "remove", "Ada"], { env });
  assert.equal(undecided.code, 2, undecided.stderr);
  assert.match(undecided.stdout, /box/);
  assert.doesNotMatch(undecided.stdout, /other/);
  assert.match(undecided.stderr, /Ada has 1 sandbox; give --hand-over-to MEMBER, --stop or --keep/);
  // One that has ended needs no choice.
  await ada.call("DELETE", `/v2/sandboxes/${id}`);
  const removed = await freehold(["members", "remove", "Ada"], { env });
  assert.equal(removed.code, 0, removed.stderr);
});

test("no Pod is created for a member after the removal that hands them over", async (t) => {
  const service = await simulatedService(t);
  const ada = await join(service, "dev", "Ada");
  const grace = await join(service, "admin", "Grace");
  const creations = Array.from({ length: 12 }, () => ada.call("POST", "/v1/pods", body));
  const path = `/v1/members/${ada.member.id}?handOverTo=${grace.member.id}`;
  const [removed, ...created] = await Promise.all([service.call("DELETE", path), ...creations]);
  assert.equal(removed.status, 204, removed.text);
  const others = created.filter(({ status }) => status !== 201).map(({ status }) => status);
  assert.deepEqual(new Set(others), new Set(others.length > 0 ? [401] : []));
  const pods: { createdBy: { name: string } }[] = (await service.call("GET", "/v1/pods")).json;
  assert.ok(pods.every(({ createdBy }) => createdBy.name === "Grace"));
});
