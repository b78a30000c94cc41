// Tests of authorization: every route without a key, with a wrong one, a disabled one and a
// worker's. The public routes are a committed list. For separation of accounts see
// test/accounts/separation.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createOtherAccount } from "../fixtures/service/other-account.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";

const PUBLIC_ROUTES = join(import.meta.dirname, "..", "routes-without-a-key.txt");
/** Routes that answer in part without a key, but reject a wrong one. */
const PUBLIC_WITHOUT_KEY = ["GET /graphql", "GET /metrics", "POST /graphql"];

function linesOf(file: string): string[] {
  return readFileSync(file, "utf8").trim().split("\n");
}

const quick = { protocol: { refuseHoldMs: 0 } };

/** Every route, with an unknown id in its parameters. */
function routesOf(service: TestService): { name: string; method: string; path: string }[] {
  return service.service.routes.map(({ method, path }) => {
    const filled = path.replace(/:\w+/g, "unknown").replace("*", "v1/models");
    return { name: `${method} ${path}`, method, path: filled };
  });
}

async function acceptedRoutes(
  service: TestService,
  headers: Record<string, string>,
): Promise<string[]> {
  const accepted: string[] = [];
  for (const { name, method, path } of routesOf(service)) {
    const answer = await fetch(service.origin + path, { method, headers });
    const { status } = answer;
    const text = await answer.text();
    if (status !== 401) accepted.push(name);
    else if (method !== "HEAD") assert.equal(JSON.parse(text).code, "unauthorized", name);
  }
  return accepted.sort();
}

test("without a key only the listed routes answer, and none accepts a wrong key", async (t) => {
  const service = await startService(t, quick);
  const open = linesOf(PUBLIC_ROUTES);
  const withWrong = open.filter((name) => !PUBLIC_WITHOUT_KEY.includes(name));
  const { json: off } = await service.call("POST", "/v1/keys", { name: "off" });
  await service.call("PATCH", `/v1/keys/${off.id}`, { disabled: true });
  const { json: revokedKey } = await service.call("POST", "/v1/keys", { name: "gone" });
  await service.call("DELETE", `/v1/keys/${revokedKey.id}`);
  assert.deepEqual(await acceptedRoutes(service, {}), open);
  for (const key of ["fh_wrong", "", `${service.key}x`, off.key, revokedKey.key]) {
    assert.deepEqual(
      await acceptedRoutes(service, { authorization: `Bearer ${key}` }),
      withWrong,
      key,
    );
    const bare = key === "" ? open : withWrong;
    assert.deepEqual(await acceptedRoutes(service, { authorization: key }), bare, key);
  }
});

test("a worker's key is accepted by its own routes only", async (t) => {
  const service = await startService(t, quick);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const open = linesOf(PUBLIC_ROUTES).filter((name) => !PUBLIC_WITHOUT_KEY.includes(name));
  for (const { name, method, path } of routesOf(service)) {
    if (open.includes(name)) continue;
    const own = path.replace("unknown", endpoint);
    const answer = await fetch(service.origin + own, {
      method,
      headers: { authorization: worker.key },
    });
    assert.equal(answer.status, 403, `${name} ${await answer.text()}`);
  }
});

test("a key without permissions is rejected by every route", async (t) => {
  const service = await startService(t, quick);
  const { json } = await service.call("POST", "/v1/keys", { name: "none", permissions: {} });
  const open = linesOf(PUBLIC_ROUTES).filter((name) => !PUBLIC_WITHOUT_KEY.includes(name));
  for (const { name, method, path } of routesOf(service)) {
    if (open.includes(name)) continue;
    const headers = { authorization: `Bearer ${json.key}` };
    const answer = await fetch(service.origin + path, { method, headers });
    assert.equal(answer.status, 403, `${name} ${await answer.text()}`);
  }
});

test("a public template of another account is listed on request", async (t) => {
  const service = await startService(t);
  const body = { name: "shared", imageName: "i", isPublic: true };
  const { json: template } = await service.call("POST", "/v1/templates", body);
  const otherAccount = await createOtherAccount(service);
  const get = (path: string) => service.call("GET", path, undefined, otherAccount);
  const one = `/v1/templates/${template.id}`;
  assert.equal((await get(one)).status, 404);
  assert.deepEqual((await get(`${one}?includePublicTemplates=true`)).json, template);
  assert.deepEqual((await get("/v1/templates?includePublicTemplates=true")).json, [template]);
  for (const method of ["PATCH", "DELETE"]) {
    const answer = await service.call(
      method,
      one,
      method === "PATCH" ? {} : undefined,
      otherAccount,
    );
    assert.equal(answer.status, 404);
  }
  const used = await service.call(
    "POST",
    "/v1/endpoints",
    { templateId: template.id },
    otherAccount,
  );
  assert.equal(used.status, 400);
  const same = await service.call("POST", "/v1/templates", body, otherAccount);
  assert.equal(same.status, 200, "names are unique within an account only");
});
