// Templates, network volumes, registries, secrets and SSH keys over REST v2, and as REST v1 shows them.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createOtherAccount } from "../fixtures/service/other-account.ts";
import { startService } from "../fixtures/service/service.ts";
import { asker } from "./ask.ts";

const begin = async (t: TestContext) => {
  const service = await startService(t);
  return { service, ask: asker(service) };
};

test("a template has no port and no volume unless it asks for them", async (t) => {
  const { ask } = await begin(t);
  const { id, ...template } = await ask("POST", "/v2/templates", { name: "t", image: "i" }, 201);
  assert.deepEqual(template, {
    name: "t",
    image: "i",
    args: "",
    entrypoint: [],
    cmd: [],
    disk: 50,
    ports: [],
    env: {},
    registry: null,
    mounts: {},
    serverless: false,
    public: false,
    category: "NVIDIA",
    startSsh: true,
    startJupyter: true,
    allowedCudaVersions: [],
    driver: null,
  });
  const v1 = await ask("GET", `/v1/templates/${id}`);
  assert.deepEqual([v1.imageName, v1.ports, v1.volumeInGb], ["i", [], 0]);
});

test("every setting of a template is saved, changed and cleared", async (t) => {
  const { ask } = await begin(t);
  const settings = {
    name: "t",
    image: "i",
    args: 'serve --name "a b"',
    disk: 7,
    ports: ["80/http"],
    env: { A: "1" },
    mounts: { persistent: { size: 30, path: "/w" } },
    serverless: true,
    public: true,
    category: "AMD",
    startSsh: false,
    startJupyter: false,
    allowedCudaVersions: ["12.4"],
    driver: "simulated",
  };
  const created = await ask("POST", "/v2/templates", settings, 201);
  const parts = { entrypoint: [], cmd: ["serve", "--name", "a b"], registry: null };
  assert.deepEqual(created, { id: created.id, ...settings, ...parts });
  const path = `/v2/templates/${created.id}`;
  assert.deepEqual(await ask("GET", path), created);
  const changes = { args: '{"entrypoint":["sh"],"cmd":["-c","x"]}', ports: [], category: "CPU" };
  const changed = await ask("PATCH", path, changes);
  const words = { entrypoint: ["sh"], cmd: ["-c", "x"] };
  assert.deepEqual(changed, { ...created, ...changes, ...words, args: changed.args });
  const cleared = await ask("PATCH", path, { args: "", env: {} });
  assert.deepEqual([cleared.args, cleared.entrypoint, cleared.cmd], ["", [], []]);
  const conflict = { args: "a b", cmd: ["a"] };
  assert.match((await ask("PATCH", path, conflict, 400)).detail, /"args" differs/);
  const same = await ask("PATCH", path, { args: "a b", cmd: ["a", "b"] });
  assert.deepEqual(same.cmd, ["a", "b"]);
  await ask("DELETE", path, undefined, 204);
  await ask("GET", path, undefined, 404);
});

test("a write over REST v1 leaves what only REST v2 can say", async (t) => {
  const { ask } = await begin(t);
  const body = { name: "t", image: "i", startSsh: false, allowedCudaVersions: ["12.4"] };
  const { id } = await ask("POST", "/v2/templates", body, 201);
  await ask("PATCH", `/v1/templates/${id}`, { imageName: "j" });
  const read = await ask("GET", `/v2/templates/${id}`);
  assert.deepEqual([read.image, read.startSsh, read.allowedCudaVersions], ["j", false, ["12.4"]]);
  await ask("PATCH", `/v1/templates/${id}`, { readme: "# Title" });
  await ask("PATCH", `/v2/templates/${id}`, { image: "k" });
  assert.equal((await ask("GET", `/v1/templates/${id}`)).readme, "# Title");
});

test("templates are paged, newest first, and a cursor is only valid for its list", async (t) => {
  const { service, ask } = await begin(t);
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) {
    ids.unshift((await ask("POST", "/v2/templates", { name: `${n}`, image: "i" }, 201)).id);
  }
  const all = await ask("GET", "/v2/templates");
  const byAge = all.templates.map(({ id }: { id: string }) => id);
  assert.deepEqual(byAge.toSorted(), ids.toSorted());
  assert.deepEqual(all.pagination, { nextCursor: null, hasNextPage: false });
  const found: string[] = [];
  let path = "/v2/templates?limit=2";
  let cursor = "";
  for (let pages = 0; ; pages++) {
    const { templates, pagination } = await ask("GET", path);
    found.push(...templates.map(({ id }: { id: string }) => id));
    if (!pagination.hasNextPage) break;
    cursor = pagination.nextCursor;
    path = `/v2/templates?limit=2&cursor=${cursor}`;
    await ask("POST", "/v2/templates", { name: `new ${pages}`, image: "i" }, 201);
  }
  assert.deepEqual(found, byAge);
  const otherAccount = await createOtherAccount(service);
  const foreign = await service.call("GET", path, undefined, otherAccount);
  assert.equal(foreign.status, 422);
  for (const bad of [`${cursor}x`, cursor.slice(1), cursor.slice(0, -3), "x", `${cursor}%00`]) {
    const { errors } = await ask("GET", `/v2/templates?cursor=${bad}`, undefined, 422);
    assert.match(errors[0], /^\$\.cursor: /);
  }
});

test("a network volume has a type, grows, and is shown over REST v1", async (t) => {
  const { ask } = await begin(t);
  const body = { name: "v", size: 10, dataCenter: "EU-RO-1", type: "HIGH_PERFORMANCE" };
  const volume = await ask("POST", "/v2/network-volumes", body, 201);
  assert.deepEqual(volume, { id: volume.id, ...body });
  const path = `/v2/network-volumes/${volume.id}`;
  assert.deepEqual(await ask("PATCH", path, { size: 20 }), { ...volume, size: 20 });
  await ask("PATCH", path, { size: 15 }, 400);
  assert.deepEqual((await ask("PATCH", path, {}, 422)).errors.length, 1);
  await ask("PATCH", `/v1/networkvolumes/${volume.id}`, { name: "renamed" });
  assert.deepEqual(await ask("GET", path), { ...volume, size: 20, name: "renamed" });
  const { networkVolumes } = await ask("GET", "/v2/network-volumes");
  assert.equal(networkVolumes.length, 1);
  const nowhere = await ask("POST", "/v2/network-volumes", { ...body, dataCenter: "X" }, 400);
  assert.match(nowhere.detail, /"dataCenter"/);
  await ask("DELETE", path, undefined, 204);
  await ask("GET", path, undefined, 404);
});

test("a registry is saved without showing its credentials; delegations are empty", async (t) => {
  const { ask } = await begin(t);
  const body = { name: "r", username: "u", password: "p" };
  const registry = await ask("POST", "/v2/registries", body, 201);
  assert.deepEqual(registry, { id: registry.id, name: "r" });
  assert.deepEqual(await ask("GET", "/v2/registries"), { registries: [registry] });
  assert.deepEqual(await ask("GET", `/v2/registries/${registry.id}`), registry);
  const template = { name: "t", image: "i", registry: registry.id };
  const { id } = await ask("POST", "/v2/templates", template, 201);
  assert.deepEqual(await ask("GET", "/v2/registries/delegations"), { delegations: [] });
  const refused = await ask("POST", "/v2/registries/delegations", { resource: "arn" }, 400);
  assert.equal(refused.code, "not_offered");
  await ask("DELETE", "/v2/registries/delegations/x", undefined, 404);
  await ask("DELETE", `/v2/registries/${registry.id}`, undefined, 204);
  assert.equal((await ask("GET", `/v2/templates/${id}`)).registry, null);
  await ask("DELETE", `/v2/registries/${registry.id}`, undefined, 404);
});

test("a secret is found without regard to case, and only a new value is an update of it", async (t) => {
  const { ask } = await begin(t);
  const secret = await ask("POST", "/v2/account/secrets", { name: "Token", value: "v" }, 201);
  assert.deepEqual([secret.name, secret.description], ["Token", null]);
  await ask("POST", "/v2/account/secrets", { name: "tOKEN", value: "v" }, 409);
  const { secrets } = await ask("GET", "/v2/account/secrets?name=TOKEN");
  assert.deepEqual(secrets, [secret]);
  assert.deepEqual(await ask("GET", "/v2/account/secrets?name=Tok"), { secrets: [] });
  const path = `/v2/account/secrets/${secret.id}`;
  const described = await ask("PATCH", path, { description: "d" });
  assert.deepEqual(described, { ...secret, description: "d" });
  assert.equal((await ask("PATCH", path, { description: "" })).description, null);
  assert.match((await ask("PATCH", path, {}, 422)).errors[0], /^\$: /);
  assert.equal((await ask("GET", `/v1/secrets/${secret.id}`)).name, "Token");
  await ask("DELETE", path, undefined, 204);
  await ask("GET", path, undefined, 404);
});

test("SSH keys are replaced as a set", async (t) => {
  const { ask } = await begin(t);
  const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE6nA99ipUfHEGM4XEMOexbFfG2yUoAsdc8BJoz2T+oK me";
  assert.deepEqual(await ask("GET", "/v2/account/ssh-keys"), { keys: [] });
  assert.deepEqual(await ask("PUT", "/v2/account/ssh-keys", { keys: [key] }), { keys: [key] });
  assert.equal((await ask("GET", "/v1/ssh-keys")).length, 1);
  const { errors } = await ask("PUT", "/v2/account/ssh-keys", { keys: [key, "x"] }, 422);
  assert.match(errors[0], /^\$\.keys\[1\]: /);
  assert.deepEqual(await ask("PUT", "/v2/account/ssh-keys", { keys: [] }), { keys: [] });
});
