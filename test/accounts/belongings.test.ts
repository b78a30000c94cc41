// Tests of what belongs to a member besides Pods: its owner in every interface, lists, and a departure.

import assert from "node:assert/strict";
import { test } from "node:test";
import { freehold } from "../cli/command.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { newSshKey } from "../fixtures/service/ssh-key.ts";
import { simulatedService } from "../pods/fixture.ts";
import { join } from "./join.ts";

type Caller = Pick<TestService, "call">;
type Ids = Record<string, string>;

/** One of each kind, all called `name`; their ids by kind. */
async function createEach({ call }: Caller, name: string): Promise<Ids> {
  const create = async (path: string, body: object) => {
    const { status, json, text } = await call("POST", path, { name, ...body });
    assert.ok(status === 200 || status === 201, `${path} ${text}`);
    return json.id as string;
  };
  const template = await create("/v1/templates", { imageName: "i" });
  const image = { name: `${name} image`, imageName: "i", isServerless: true, driver: "docker" };
  const templateId = await create("/v1/templates", image);
  const endpoint = await create("/v1/endpoints", { templateId, computeType: "CPU" });
  const daily = { endpointId: endpoint, cron: "@daily", input: {} };
  return {
    template,
    endpoint,
    schedule: await create("/v1/schedules", daily),
    networkVolume: await create("/v1/networkvolumes", { size: 1, dataCenterId: "EU-RO-1" }),
    secret: await create("/v1/secrets", { value: "v" }),
    registryAuth: await create("/v1/containerregistryauth", { username: "u", password: "p" }),
    s3Key: await create("/v1/s3-keys", {}),
    sandbox: await create("/v2/sandboxes", { imageName: "i" }),
    sshKey: await create("/v1/ssh-keys", { publicKey: newSshKey().publicKey }),
  };
}

/** Kinds by the paths of their lists. */
const lists: Record<string, string> = {
  "/v1/templates": "template",
  "/v2/templates": "template",
  "/v1/endpoints": "endpoint",
  "/v2/serverless": "endpoint",
  "/v1/schedules": "schedule",
  "/v1/networkvolumes": "networkVolume",
  "/v2/network-volumes": "networkVolume",
  "/v1/secrets": "secret",
  "/v2/account/secrets": "secret",
  "/v1/containerregistryauth": "registryAuth",
  "/v2/registries": "registryAuth",
  "/v1/s3-keys": "s3Key",
  "/v1/ssh-keys": "sshKey",
  "/v2/sandboxes": "sandbox",
};

const graphqlLists: Record<string, string> = {
  podTemplates: "template",
  endpoints: "endpoint",
  networkVolumes: "networkVolume",
  secrets: "secret",
  containerRegistryCreds: "registryAuth",
};

type Owned = { id: string; createdBy?: { id: string; name: string } };

const itemsOf = (json: Owned[] | Record<string, Owned[]>) =>
  Array.isArray(json) ? json : Object.values(json)[0]!;

test("what a member creates names them in every interface, and lists can be limited to it", async (t) => {
  const service = await simulatedService(t);
  const ada = await join(service, "dev", "Ada");
  const grace = await join(service, "admin", "Grace");
  const ids = await createEach(ada, "ada");
  await createEach(grace, "grace");
  await createEach(service, "account");
  const owner = { id: ada.member.id, name: "Ada" };
  for (const [path, kind] of Object.entries(lists)) {
    const all = itemsOf((await grace.call("GET", path)).json);
    const one = all.find(({ id }) => id === ids[kind]);
    assert.deepEqual(one?.createdBy, owner, path);
    assert.ok(
      all.some(({ createdBy }) => createdBy === undefined),
      path,
    );
    const mine = itemsOf((await ada.call("GET", `${path}?createdBy=me`)).json);
    assert.ok(
      mine.every(({ createdBy }) => createdBy?.id === owner.id) &&
        mine.some(({ id }) => id === ids[kind]),
      `${path} ${JSON.stringify(mine)}`,
    );
    const named = await grace.call("GET", `${path}?createdBy=${owner.id}`);
    assert.deepEqual(itemsOf(named.json), mine, path);
    assert.deepEqual(itemsOf((await grace.call("GET", `${path}?createdBy=nobody`)).json), [], path);
    const refused = await service.call("GET", `${path}?createdBy=me`);
    assert.equal(refused.status, path.startsWith("/v1") ? 400 : 422, path);
  }
  for (const [field, kind] of Object.entries(graphqlLists)) {
    const selection = "{ id createdBy { id name } }";
    const query = `{ myself { all: ${field} ${selection} mine: ${field}(createdBy: "me") ${selection} } }`;
    const { json, text } = await ada.call("POST", "/graphql", { query });
    const { all, mine } = json.data.myself as Record<string, Owned[]>;
    assert.ok(all!.length > mine!.length && mine!.some(({ id }) => id === ids[kind]), text);
    for (const { createdBy } of mine!) assert.deepEqual(createdBy, owner);
  }
  // A page that is limited is continued with the same filter.
  const page = (await ada.call("GET", "/v2/serverless?createdBy=me&limit=1")).json;
  assert.equal(page.endpoints.length, 1);
  assert.equal(page.pagination.hasNextPage, false);
  const mine = await freehold(["secrets", "list", "--mine"], {
    env: { FREEHOLD_URL: service.origin, FREEHOLD_KEY: ada.key },
  });
  assert.match(mine.stdout, /CREATED BY\n.* ada .* Ada\n$/, mine.stdout);
});

test("another account does not learn who created a public template, and not its labels", async (t) => {
  const service = await simulatedService(t);
  const ada = await join(service, "dev", "Ada");
  const labels = { team: "stealth" };
  const shared = { name: "shared", imageName: "i", isPublic: true, labels };
  const { id } = (await ada.call("POST", "/v1/templates", shared)).json;
  const { key } = (await service.call("POST", "/v1/accounts", { name: "b", limited: false })).json;
  const ask = async (path: string, body?: object) => {
    const as = { authorization: `Bearer ${key}` };
    return (await service.call(body ? "POST" : "GET", path, body, as)).text;
  };
  const fields = "name createdBy { name } labels { key value }";
  const query = `{ podTemplate(id: "${id}") { ${fields} } podTemplates { ${fields} } }`;
  const texts = [
    await ask(`/v1/templates/${id}?includePublicTemplates=true`),
    await ask("/v1/templates?includePublicTemplates=true"),
    await ask(`/v2/templates/${id}`),
    await ask("/v2/catalog/templates?source=community"),
    await ask("/graphql", { query }),
  ];
  for (const text of texts) {
    assert.match(text, /"shared"/);
    assert.doesNotMatch(text, /Ada|stealth/);
  }
  const labeled = "/v1/templates?includePublicTemplates=true&labels=team%3Dstealth";
  assert.equal(await ask(labeled), "[]");
  assert.match((await ada.call("GET", labeled)).text, /"shared"/);
  const pod = { templateId: id, computeType: "CPU" };
  await ask("/v1/pods", pod);
  const pods = await ask("/v1/pods?includeTemplate=true");
  assert.match(pods, /"shared"/);
  assert.doesNotMatch(pods, /Ada|stealth/);
});

async function stateOf({ call }: Caller, { endpoint, schedule }: Ids) {
  const { workersMax, createdBy } = (await call("GET", `/v1/endpoints/${endpoint}`)).json;
  const { status, createdBy: planner } = (await call("GET", `/v1/schedules/${schedule}`)).json;
  return { workersMax, owner: createdBy.name, status, planner: planner.name };
}

test("what a member who leaves has is handed over, stopped or kept", async (t) => {
  const service = await simulatedService(t);
  const grace = await join(service, "admin", "Grace");
  const leave = async (name: string, ...choice: string[]) => {
    const member = await join(service, "dev", name);
    const ids = await createEach(member, name);
    const env = { FREEHOLD_URL: service.origin, FREEHOLD_KEY: service.key };
    const undecided = await freehold(["members", "remove", name], { env });
    assert.equal(undecided.code, 2, undecided.stderr);
    assert.match(undecided.stderr, /1 endpoint, 1 schedule, 1 template, 1 network volume/);
    assert.match(
      undecided.stderr,
      /1 sandbox, 1 secret, 1 registry credential; give --hand-over-to MEMBER/,
    );
    const removed = await freehold(["members", "remove", name, ...choice], { env });
    assert.equal(removed.code, 0, removed.stderr);
    return ids;
  };
  const handedOver = await leave("Ada", "--hand-over-to", "Grace");
  const both = await leave("Bob", "--hand-over-to", "Grace", "--stop");
  const stopped = await leave("Cy", "--stop");
  const unchanged = await leave("Dee", "--keep");
  const [workersMax, active] = [3, "ACTIVE"];
  assert.deepEqual(await stateOf(service, handedOver), {
    workersMax,
    owner: "Grace",
    status: active,
    planner: "Grace",
  });
  assert.deepEqual(await stateOf(service, both), {
    workersMax: 0,
    owner: "Grace",
    status: "PAUSED",
    planner: "Grace",
  });
  assert.deepEqual(await stateOf(service, stopped), {
    workersMax: 0,
    owner: "Cy",
    status: "PAUSED",
    planner: "Cy",
  });
  // A schedule never runs for someone who left.
  assert.deepEqual(await stateOf(service, unchanged), {
    workersMax,
    owner: "Dee",
    status: "PAUSED",
    planner: "Dee",
  });
  for (const [path, kind] of Object.entries(lists)) {
    const mine = itemsOf((await grace.call("GET", `${path}?createdBy=me`)).json);
    const own = mine.map(({ id }) => id);
    // The keys of a member end with the removal.
    assert.equal(own.includes(handedOver[kind]!), !kind.endsWith("Key"), path);
    assert.ok(!own.includes(unchanged[kind]!), path);
  }
});
