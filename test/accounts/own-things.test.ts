// Tests of the role "member": two members of an account, each with things of their own. That neither reaches the
// other's by any route is in separation/own-things.test.ts; here is what they can do, and the doors that are no routes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { S3Error } from "../../src/domain/s3/s3-error.ts";
import type { S3Key } from "../../src/domain/s3/s3-key.ts";
import type { S3Deps } from "../../src/flows/s3/s3-deps.ts";
import { requireVolume, volumesFor } from "../../src/flows/s3/volume-access.ts";
import { authorizeSsh } from "../../src/flows/ssh/authorize.ts";
import { row } from "../../src/store/engine/statement.ts";
import { readEvents } from "../fixtures/event-stream.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { newSshKey } from "../fixtures/service/ssh-key.ts";
import { startedWorkload } from "../fixtures/service/started-workloads.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";
import { join } from "./join.ts";

type Caller = Pick<TestService, "call">;

const POD = { imageName: "i", computeType: "CPU", driver: "simulated" };

async function create({ call }: Caller, path: string, body: object): Promise<string> {
  const { status, json, text } = await call("POST", path, body);
  assert.ok(status === 200 || status === 201, `${path} ${text}`);
  return json.id;
}

async function refused(call: TestService["call"], ...request: Parameters<TestService["call"]>) {
  const { status, json, text } = await call(...request);
  assert.deepEqual([status, json.code], [403, "not_owner"], `${request.join(" ")} ${text}`);
  return json.message as string;
}

test("a member uses, sees and changes its own, and sends jobs to all endpoints", async (t) => {
  const service = await simulatedService(t);
  const ada = await join(service, "member", "Ada");
  const template = { name: "t", imageName: "i", isServerless: true, driver: "docker" };
  const templateId = await create(ada, "/v1/templates", template);
  const endpointId = await create(ada, "/v1/endpoints", { templateId, computeType: "CPU" });
  const volume = { name: "v", size: 1, dataCenterId: "EU-RO-1" };
  const networkVolumeId = await create(ada, "/v1/networkvolumes", volume);
  const auth = { name: "r", username: "u", password: "p" };
  const containerRegistryAuthId = await create(ada, "/v1/containerregistryauth", auth);
  await create(ada, "/v1/secrets", { name: "token", value: "sesame" });
  const env = { TOKEN: "{{ RUNPOD_SECRET_token }}" };
  const podId = await create(ada, "/v1/pods", {
    ...POD,
    name: "ada",
    env,
    networkVolumeId,
    containerRegistryAuthId,
  });
  await until(podsOf(ada).reached, podId);
  assert.equal(startedWorkload(service, podId)!.env.TOKEN, "sesame");
  assert.equal((await ada.call("GET", `/v1/pods/${podId}/logs`)).status, 200);
  assert.equal((await ada.call("POST", `/v1/pods/${podId}/stop`)).status, 200);
  const schedule = { name: "s", cron: "@daily", endpointId, input: {} };
  await create(ada, "/v1/schedules", schedule);
  const jobId = await create(ada, `/v2/${endpointId}/run`, { input: {} });
  assert.deepEqual(
    (await ada.call("GET", "/v1/jobs")).json.map(({ id }: { id: string }) => id),
    [jobId],
  );
  const things = { endpointId, networkVolumeId, containerRegistryAuthId, schedule, env };
  await refuseToBob(service, ada, things);
});

const BOBS = { name: "bob's", imageName: "i", isServerless: true, driver: "docker" };

interface Things {
  endpointId: string;
  networkVolumeId: string;
  containerRegistryAuthId: string;
  schedule: object;
  env: Record<string, string>;
}

/** What another member of the account may do with Ada's things. */
async function refuseToBob(
  service: TestService,
  ada: { key: string; member: { id: string } },
  { endpointId, networkVolumeId, containerRegistryAuthId, schedule, env }: Things,
): Promise<void> {
  const bob = await join(service, "member", "Bob", "bob@example.org");
  const job = await create(bob, `/v2/${endpointId}/run`, { input: { a: 1 } });
  for (const path of [`status/${job}`, "health"]) {
    assert.equal((await bob.call("GET", `/v2/${endpointId}/${path}`)).status, 200, path);
  }
  assert.equal((await bob.call("POST", `/v2/${endpointId}/cancel/${job}`)).status, 200);
  const message = await refused(bob.call, "POST", `/v2/${endpointId}/purge-queue`);
  assert.equal(
    message,
    `Your role, member, reaches only what belongs to you: endpoint ${endpointId} belongs to Ada.`,
  );
  await refused(bob.call, "POST", "/v1/batches", { endpointId, items: [{ input: {} }] });
  await refused(bob.call, "POST", "/v1/schedules", schedule);
  await refused(bob.call, "POST", "/v2/flash/purge-queue");
  await refused(bob.call, "GET", "/v1/jobs/export");
  for (const path of ["jobs", "jobs/export", "batches", "schedules"]) {
    await refused(bob.call, "GET", `/v1/${path}?endpointId=${endpointId}`);
  }
  await refused(bob.call, "POST", "/v1/job-operations", { action: "cancel", filter: {} });
  for (const path of ["/v1/jobs", "/v1/pods", "/v1/endpoints?includeWorkers=true"]) {
    assert.deepEqual((await bob.call("GET", path)).json, [], path);
  }
  await refused(bob.call, "GET", `/v1/pods?createdBy=${ada.member.id}`);
  for (const reference of [{ networkVolumeId }, { containerRegistryAuthId }]) {
    await refused(bob.call, "POST", "/v1/pods", { ...POD, name: "bob", ...reference });
  }
  const worker = { name: "bob", templateId: await create(bob, "/v1/templates", BOBS) };
  const volumes = { networkVolumeIds: [networkVolumeId] };
  await refused(bob.call, "POST", "/v1/endpoints", { ...worker, computeType: "CPU", ...volumes });
  const cpu = [{ id: "cpu3c", vcpuCount: 2 }];
  const scaling = { type: "REQUEST_COUNT", requestCount: 1 };
  const queue = { ...worker, type: "QUEUE", cpu, scaling };
  const mounts = { network: [{ volumeId: networkVolumeId, path: "/v" }] };
  for (const [path, body] of [
    ["/v2/serverless", { ...queue, networkVolumes: [networkVolumeId] }],
    ["/v2/pods", { name: "bob", image: "i", cpu: cpu[0], mounts }],
  ] as const) {
    const answer = await bob.call("POST", path, body);
    assert.match(answer.text, /network volume \w+ belongs to Ada/, path);
  }
  const query = `mutation { saveEndpoint(input: { name: "bob", templateId: "${worker.templateId}",
    gpuIds: "AMPERE_24", networkVolumeIds: [{ networkVolumeId: "${networkVolumeId}" }] }) { id } }`;
  const saved = await bob.call("POST", "/graphql", { query });
  assert.match(saved.text, /network volume \w+ belongs to Ada/);
  const v2 = { name: "bob", image: "i", cpu: { id: "cpu3c", vcpuCount: 2 } };
  assert.equal(
    (await bob.call("POST", "/v2/pods", { ...v2, registry: containerRegistryAuthId })).status,
    403,
  );
  const stolen = await bob.call("POST", "/v1/pods", { ...POD, name: "bob", env });
  assert.match(stolen.text, /secrets that you do not have: \\"token\\"/);

  // What the account has alone belongs to no member.
  const ofAccount = await create(service, "/v1/pods", { ...POD, name: "account" });
  assert.match(await refused(bob.call, "DELETE", `/v1/pods/${ofAccount}`), /to the account\.$/);

  await hearOfChanges(service, bob.key, ofAccount);

  // A request that repeats the Idempotency-Key of another member does not answer with what another created.
  const once = (as: { key: string }) =>
    service.call(...(["POST", "/v1/pods", { ...POD, name: "once" }] as const), {
      authorization: `Bearer ${as.key}`,
      "idempotency-key": "k",
    });
  assert.equal((await once(ada)).status, 201);
  assert.equal((await once(bob)).status, 409);
}

/** A change event names the kind and not what has changed. */
async function hearOfChanges(service: TestService, key: string, podId: string): Promise<void> {
  const events = await readEvents(`${service.origin}/v1/events`, {
    authorization: `Bearer ${key}`,
  });
  await events.until(({ event }) => event === "again");
  await service.call("POST", `/v1/pods/${podId}/stop`);
  const changes = await events.until(({ event, data }) => event === "change" && "pod" in data);
  events.close();
  for (const { data } of changes) assert.deepEqual([...new Set(Object.values(data))], [null]);
}

test("a member cannot change the template that another's endpoint runs", async (t) => {
  const service = await simulatedService(t);
  const ada = await join(service, "member", "Ada");
  const eve = await join(service, "dev", "Eve");
  const image = { name: "t", imageName: "i", isServerless: true, driver: "docker" };
  const templateId = await create(ada, "/v1/templates", image);
  const body = { templateId, computeType: "CPU" };
  const endpointId = await create(ada, "/v1/endpoints", { ...body, name: "ada" });
  const one = `/v1/templates/${templateId}`;
  assert.equal((await ada.call("PATCH", one, { imageName: "j" })).status, 200);
  await create(eve, "/v1/endpoints", { ...body, name: "eve" });
  assert.equal((await ada.call("GET", one)).status, 200);
  const message = await refused(ada.call, "PATCH", one, { imageName: "k" });
  assert.match(message, /an endpoint that uses template \w+ belongs to Eve\.$/);
  const template = 'name: "t", imageName: "k", dockerArgs: "", env: [], containerDiskInGb: 5';
  const mutations = [
    `saveTemplate(input: { id: "${templateId}", ${template}, volumeInGb: 0 }) { id }`,
    `saveEndpoint(input: { id: "${endpointId}", name: "ada", template: { ${template} } }) { id }`,
  ];
  for (const mutation of mutations) {
    const { text } = await ada.call("POST", "/graphql", { query: `mutation { ${mutation} }` });
    assert.match(text, /belongs to Eve/, text);
  }
  assert.equal((await eve.call("GET", one)).json.imageName, "j");
});

test("a member keeps an endpoint whose own template another's endpoint runs too", async (t) => {
  const service = await simulatedService(t);
  const ada = await join(service, "member", "Ada");
  const eve = await join(service, "dev", "Eve");
  const cpu = [{ id: "cpu3c", vcpuCount: 2 }];
  const queue = { name: "ada", type: "QUEUE", image: "i", cpu };
  const id = await create(ada, "/v2/serverless", {
    ...queue,
    scaling: { type: "REQUEST_COUNT", requestCount: 1 },
  });
  const { templateId } = (await ada.call("GET", `/v1/endpoints/${id}`)).json;
  const others = await create(eve, "/v1/endpoints", { templateId, computeType: "CPU" });
  assert.equal((await ada.call("PATCH", `/v1/endpoints/${id}`, { workersMax: 0 })).status, 200);
  assert.equal((await ada.call("POST", `/v2/${id}/purge-queue`)).status, 200);
  const changed = await ada.call("PATCH", `/v2/serverless/${id}`, { image: "j" });
  assert.equal(changed.status, 200, changed.text);
  const imageOf = async (caller: Caller, endpoint: string) =>
    (await caller.call("GET", `/v1/endpoints/${endpoint}?includeTemplate=true`)).json.template
      .imageName;
  assert.deepEqual([await imageOf(ada, id), await imageOf(eve, others)], ["j", "i"]);
  assert.equal((await ada.call("DELETE", `/v1/endpoints/${id}`)).status, 204);
});

test("others do not use the secrets of a member, who may change them", async (t) => {
  const service = await simulatedService(t);
  const ada = await join(service, "member", "Ada");
  const eve = await join(service, "dev", "Eve");
  for (const { call } of [ada, eve]) {
    const name = call === ada.call ? "hers" : "eves";
    await create({ call }, "/v1/secrets", { name, value: "v" });
  }
  const using = (name: string) => ({
    ...POD,
    name: "p",
    env: { T: `{{ RUNPOD_SECRET_${name} }}` },
  });
  for (const caller of [eve, service]) {
    assert.equal((await caller.call("POST", "/v1/pods", using("eves"))).status, 201);
    const { status, text } = await caller.call("POST", "/v1/pods", using("hers"));
    assert.equal(status, 400, text);
    assert.match(text, /secrets that you do not have: \\"hers\\"/);
  }
  assert.equal((await ada.call("POST", "/v1/pods", using("hers"))).status, 201);
});

test("SSH keys, secrets and S3 keys of a member open only what is its own", async (t) => {
  const service = await simulatedService(t);
  const { store } = service.service;
  const ada = await join(service, "member", "Ada");
  const eve = await join(service, "dev", "Eve");
  const keys = { ada: newSshKey(), eve: newSshKey() };
  await create(ada, "/v1/ssh-keys", { publicKey: keys.ada.publicKey });
  await create(eve, "/v1/ssh-keys", { publicKey: keys.eve.publicKey });
  await create(service, "/v1/secrets", { name: "token", value: "sesame" });
  const env = { TOKEN: "{{ RUNPOD_SECRET_token }}" };
  const own = await create(ada, "/v1/pods", { ...POD, name: "ada" });
  const other = await create(eve, "/v1/pods", { ...POD, name: "eve", env });
  for (const id of [own, other]) await until(podsOf(service).reached, id);
  const publicKeys = (id: string) => startedWorkload(service, id)!.env.PUBLIC_KEY!;
  assert.ok(publicKeys(own).includes(keys.ada.publicKey));
  assert.ok(!publicKeys(other).includes(keys.ada.publicKey));
  assert.ok(publicKeys(other).includes(keys.eve.publicKey));
  const ssh = { store, sshNeedsSignIn: false };
  assert.ok(await authorizeSsh(ssh, own, keys.ada.blob));
  assert.equal(await authorizeSsh(ssh, other, keys.ada.blob), null);
  assert.ok(await authorizeSsh(ssh, own, keys.eve.blob));

  // All keys of a member are replaced at once, and others' stay.
  const { publicKey } = newSshKey();
  const put = await ada.call("PUT", "/v2/account/ssh-keys", { keys: [publicKey] });
  assert.deepEqual(put.json.keys, [publicKey]);
  const query = "{ myself { pubKey } }";
  assert.equal((await ada.call("POST", "/graphql", { query })).json.data.myself.pubKey, publicKey);
  const shared = (await service.call("GET", "/v2/account/ssh-keys")).json.keys;
  assert.deepEqual(shared, [keys.eve.publicKey]);

  // A member who was a dev loses the secrets of others with the next start.
  assert.equal(startedWorkload(service, other)!.env.TOKEN, "sesame");
  const { accountId } = (await store.read(ownerOf, eve.member.id))!;
  await service.call("PATCH", `/v1/members/${eve.member.id}`, { role: "member" });
  assert.equal((await eve.call("POST", `/v1/pods/${other}/restart`)).status, 200);
  await until(async () => {
    const { text } = await eve.call("GET", `/v1/pods/${other}/events`);
    return text.includes("there is no secret") || null;
  });

  const place = { size: 1, dataCenterId: "EU-RO-1" };
  const mine = await create(ada, "/v1/networkvolumes", { ...place, name: "mine" });
  const theirs = await create(service, "/v1/networkvolumes", { ...place, name: "theirs" });
  const deps = { store } as S3Deps;
  const s3Key = { accountId, access: "write", volumeIds: null } as Partial<S3Key> as S3Key;
  const adasKey = { ...s3Key, member: { id: ada.member.id, name: "Ada", role: "member" as const } };
  assert.deepEqual(
    (await volumesFor(deps, adasKey)).map(({ id }) => id),
    [mine],
  );
  assert.equal((await requireVolume(deps, adasKey, mine, "write")).id, mine);
  await assert.rejects(
    requireVolume(deps, adasKey, theirs, "read"),
    (error) => error instanceof S3Error && error.code === "AccessDenied",
  );
});

function* ownerOf(memberId: string) {
  const sql = 'select account_id as "accountId" from member where id = ?';
  return yield* row<{ accountId: string }>(sql, memberId);
}
