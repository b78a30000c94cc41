// Every door is tried: without a key, with a wrong one, with a disabled one, with a worker's. The doors
// that stand open are a committed list. What one account sees of another: test/separation.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startHouse, type TestHouse } from "../house.ts";
import { makeStranger } from "../stranger.ts";

const OPEN = join(import.meta.dirname, "..", "routes-without-a-key.txt");
/** These answer what they can without a key, but to no wrong one. */
const WITHOUT_ONLY = ["GET /metrics", "POST /graphql"];

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
