// Every door is tried: without a key, with a wrong one, with a disabled one, with a worker's, and
// with that of another account. The doors that stand open are a committed list.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openapi } from "../../src/contract/openapi.ts";
import { startHouse, type TestHouse } from "../house.ts";
import { makeStranger } from "../stranger.ts";
import { make } from "./make-endpoint.ts";

const OPEN = join(import.meta.dirname, "..", "routes-without-a-key.txt");
const SSH_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE6nA99ipUfHEGM4XEMOexbFfG2yUoAsdc8BJoz2T+oK";
/** These answer what they can without a key, but to no wrong one. */
const WITHOUT_ONLY = ["POST /graphql"];

function doorsIn(file: string): string[] {
  return readFileSync(file, "utf8").trim().split("\n");
}

const quick = { protocol: { refuseHoldMs: 0 } };

/** Every route, its parameters filled with an id that nothing has. */
function doors(house: TestHouse): { name: string; method: string; path: string }[] {
  return house.house.routes.map(({ method, path }) => {
    const filled = path.replace(/:\w+/g, "nobody").replace("*", "v1/models");
    return { name: `${method} ${path}`, method, path: filled };
  });
}

async function knock(house: TestHouse, headers: Record<string, string>): Promise<string[]> {
  const opened: string[] = [];
  for (const { name, method, path } of doors(house)) {
    const answer = await fetch(house.origin + path, { method, headers });
    const { status } = answer;
    const text = await answer.text();
    if (status !== 401) opened.push(name);
    else assert.equal(JSON.parse(text).code, "unauthorized", name);
  }
  return opened.sort();
}

test("without a key only the listed routes answer; with a wrong one neither", async (t) => {
  const house = await startHouse(t, quick);
  const open = doorsIn(OPEN);
  const withWrong = open.filter((name) => !WITHOUT_ONLY.includes(name));
  const { json: off } = await house.call("POST", "/v1/keys", { name: "off" });
  await house.call("PATCH", `/v1/keys/${off.id}`, { disabled: true });
  const { json: gone } = await house.call("POST", "/v1/keys", { name: "gone" });
  await house.call("DELETE", `/v1/keys/${gone.id}`);
  assert.deepEqual(await knock(house, {}), open);
  for (const key of ["fh_wrong", "", `${house.key}x`, off.key, gone.key]) {
    assert.deepEqual(await knock(house, { authorization: `Bearer ${key}` }), withWrong, key);
    const bare = key === "" ? open : withWrong;
    assert.deepEqual(await knock(house, { authorization: key }), bare, key);
  }
});

test("a worker's key opens its own routes and nothing else", async (t) => {
  const house = await startHouse(t, quick);
  const endpoint = await house.makeEndpoint();
  const worker = await house.makeWorker(endpoint);
  const open = doorsIn(OPEN).filter((name) => !WITHOUT_ONLY.includes(name));
  for (const { name, method, path } of doors(house)) {
    if (open.includes(name)) continue;
    const own = path.replace("nobody", endpoint);
    const answer = await fetch(house.origin + own, {
      method,
      headers: { authorization: worker.key },
    });
    assert.equal(answer.status, 403, `${name} ${await answer.text()}`);
  }
});

test("a key that may nothing opens nothing", async (t) => {
  const house = await startHouse(t, quick);
  const { json } = await house.call("POST", "/v1/keys", { name: "none", permissions: {} });
  const open = doorsIn(OPEN).filter((name) => !WITHOUT_ONLY.includes(name));
  for (const { name, method, path } of doors(house)) {
    if (open.includes(name)) continue;
    const headers = { authorization: `Bearer ${json.key}` };
    const answer = await fetch(house.origin + path, { method, headers });
    assert.equal(answer.status, 403, `${name} ${await answer.text()}`);
  }
});

test("what another account has is not there", async (t) => {
  const house = await startHouse(t);
  const { json: endpoint } = await make(house);
  const worker = await house.makeWorker(endpoint.id);
  const run = await house.call("POST", `/v2/${endpoint.id}/run`, { input: {} });
  const { json: key } = await house.call("POST", "/v1/keys", { name: "k" });
  const made = { imageName: "i", driver: "fake" };
  const { json: pod } = await house.call("POST", "/v1/pods", made);
  const place = { name: "v", size: 1, dataCenterId: "EU-RO-1" };
  const { json: volume } = await house.call("POST", "/v1/networkvolumes", place);
  const opens = { name: "a", username: "u", password: "p" };
  const { json: auth } = await house.call("POST", "/v1/containerregistryauth", opens);
  const { json: secret } = await house.call("POST", "/v1/secrets", { name: "s", value: "v" });
  const { json: ssh } = await house.call("POST", "/v1/ssh-keys", { publicKey: SSH_KEY });
  const ids: Record<string, string> = {
    endpointId: endpoint.id,
    templateId: endpoint.templateId,
    jobId: run.json.id,
    workerId: worker.id,
    keyId: key.id,
    podId: pod.id,
    networkVolumeId: volume.id,
    machineId: house.house.replica.machine,
    containerRegistryAuthId: auth.id,
    secretId: secret.id,
    sshKeyId: ssh.id,
    id: run.json.id,
    path: "v1/models",
    n: "1",
  };
  const stranger = await makeStranger(house);
  for (const [path, methods] of Object.entries(openapi().paths)) {
    if (!path.includes("{")) continue;
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      assert.ok(name in ids, `the test has no id for {${name}}`);
      return ids[name]!;
    });
    for (const method of Object.keys(methods).map((each) => each.toUpperCase())) {
      const input = /\/run(sync)?$/.test(path) ? { input: {} } : {};
      const body = method === "GET" || method === "DELETE" ? undefined : input;
      const answer = await house.call(method, address, body, stranger);
      // Machines are everybody's to see, and the operator's to change.
      const refused = path.startsWith("/v1/machines/") ? 403 : 404;
      assert.equal(answer.status, refused, `${method} ${path} ${answer.text}`);
    }
  }
  const lists = ["/v1/endpoints", "/v1/jobs", "/v1/templates", "/v1/pods", "/v1/networkvolumes"];
  lists.push("/v1/containerregistryauth", "/v1/secrets", "/v1/ssh-keys");
  for (const path of lists) {
    const listed = await house.call("GET", path, undefined, stranger);
    assert.deepEqual(listed.json, [], path);
  }
  const own = await house.call("GET", `/v1/endpoints/${endpoint.id}`);
  assert.equal(own.status, 200);
});

test("a public template of another account is found where it is asked for", async (t) => {
  const house = await startHouse(t);
  const body = { name: "shared", imageName: "i", isPublic: true };
  const { json: template } = await house.call("POST", "/v1/templates", body);
  const stranger = await makeStranger(house);
  const get = (path: string) => house.call("GET", path, undefined, stranger);
  const one = `/v1/templates/${template.id}`;
  assert.equal((await get(one)).status, 404);
  assert.deepEqual((await get(`${one}?includePublicTemplates=true`)).json, template);
  assert.deepEqual((await get("/v1/templates?includePublicTemplates=true")).json, [template]);
  for (const method of ["PATCH", "DELETE"]) {
    const answer = await house.call(method, one, method === "PATCH" ? {} : undefined, stranger);
    assert.equal(answer.status, 404);
  }
  const used = await house.call("POST", "/v1/endpoints", { templateId: template.id }, stranger);
  assert.equal(used.status, 400);
  const same = await house.call("POST", "/v1/templates", body, stranger);
  assert.equal(same.status, 200, "names are unique within an account only");
});
