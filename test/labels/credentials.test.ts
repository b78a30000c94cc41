// Labels of SSH keys, S3 keys and registry credentials: changed in place in every interface that has them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { freehold } from "../cli/command.ts";
import { newSshKey } from "../fixtures/service/ssh-key.ts";
import { simulatedService } from "../pods/fixture.ts";

const labels = { team: "search" };
const login = { username: "u", password: "p" };

test("labels of SSH keys, S3 keys and registry credentials are replaced in place", async (t) => {
  const { call } = await simulatedService(t);
  const bodies = {
    "ssh-keys": { publicKey: newSshKey().publicKey },
    "s3-keys": { name: "k" },
    containerregistryauth: { name: "r", ...login },
  };
  for (const [path, body] of Object.entries(bodies)) {
    const { json: created, text } = await call("POST", `/v1/${path}`, { ...body, labels });
    assert.deepEqual(created.labels, labels, text);
    const one = `/v1/${path}/${created.id}`;
    const change = (changes: object) => call("PATCH", one, changes);
    const changed = await change({ labels: { team: "vision", run: "a=b" } });
    assert.deepEqual([changed.status, changed.json.secret], [200, undefined], changed.text);
    assert.deepEqual(changed.json.labels, { team: "vision", run: "a=b" });
    assert.deepEqual((await call("GET", one)).json, changed.json);
    const selected = await call("GET", `/v1/${path}?labels=team=vision`);
    assert.deepEqual(selected.json, [changed.json]);
    assert.deepEqual((await change({})).json, changed.json, "a body without labels keeps them");
    assert.equal((await change({ labels: { "a=b": "" } })).status, 400);
    assert.equal((await change({ name: "other", publicKey: "x" })).status, 400);
    assert.equal((await change({ labels: {} })).json.labels, undefined);
    await call("DELETE", one);
    assert.equal((await change({ labels })).status, 404);
  }
});

test("REST v2 and GraphQL replace the labels of registry credentials, and keep the credentials", async (t) => {
  const { call } = await simulatedService(t);
  const { json: created } = await call("POST", "/v2/registries", { name: "r", ...login });
  const one = `/v2/registries/${created.id}`;
  const changed = await call("PATCH", one, { labels });
  assert.deepEqual([changed.status, changed.json.labels], [200, labels], changed.text);
  assert.equal((await call("PATCH", one, {})).status, 422);
  const update = async (more: string) => {
    const input = `id: "${created.id}", username: "u", password: "q"${more}`;
    const query = `mutation { updateRegistryAuth(input: { ${input} }) { labels { key value } } }`;
    return (await call("POST", "/graphql", { query })).json;
  };
  const searchLabel = [{ key: "team", value: "search" }];
  assert.deepEqual((await update("")).data.updateRegistryAuth.labels, searchLabel);
  const { data } = await update(', labels: [{ key: "run", value: "1" }]');
  assert.deepEqual(data.updateRegistryAuth.labels, [{ key: "run", value: "1" }]);
  assert.deepEqual((await call("GET", one)).json.labels, { run: "1" });
  const refused = await update(', labels: [{ key: "a=b", value: "" }]');
  assert.match(refused.errors[0].message, /"labels" has the name "a=b"/);
});

test("the command line replaces labels of SSH keys, S3 keys and registry credentials", async (t) => {
  const service = await simulatedService(t);
  const env = { FREEHOLD_URL: service.origin, FREEHOLD_KEY: service.key };
  const run = async (...words: string[]) => {
    const ended = await freehold(words, { env });
    assert.equal(ended.code, 0, ended.stderr);
  };
  const { json: sshKey } = await service.call("POST", "/v1/ssh-keys", {
    publicKey: newSshKey().publicKey,
  });
  const auth = { name: "r", ...login };
  const { json: registry } = await service.call("POST", "/v1/containerregistryauth", auth);
  await run("s3-keys", "create", "laptop", "--label", "team=a");
  const [s3Key] = (await service.call("GET", "/v1/s3-keys?labels=team=a")).json;
  assert.equal(s3Key.name, "laptop");
  const all = { "ssh-keys": sshKey, "s3-keys": s3Key, containerregistryauth: registry };
  const commands = {
    "ssh-keys": "ssh-keys",
    "s3-keys": "s3-keys",
    containerregistryauth: "registries",
  };
  for (const [path, { id }] of Object.entries(all)) {
    await run(commands[path as keyof typeof commands], "update", id, "--label", "team=b");
    const { json } = await service.call("GET", `/v1/${path}/${id}`);
    assert.deepEqual(json.labels, { team: "b" }, path);
  }
});
