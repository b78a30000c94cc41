// Tests of browser sessions: their permissions, where the cookie is accepted, and when they end.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";

/** The headers of a browser on one of the console's pages. */
function browser(service: TestService) {
  const own = { authorization: "", origin: service.origin, "sec-fetch-site": "same-origin" };
  let cookie = "";
  const ask = (method: string, path: string, body?: unknown, headers = {}) =>
    service.call(method, path, body, { ...own, ...(cookie && { cookie }), ...headers });
  const signIn = async (key = service.key): Promise<Answer> => {
    const answer = await ask("POST", "/v1/session", { key });
    cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
    return answer;
  };
  return { ask, signIn, cookie: () => cookie };
}

test("a key is exchanged for a cookie that scripts cannot read", async (t) => {
  const service = await startService(t);
  const { ask, signIn } = browser(service);
  const answer = await signIn();
  assert.equal(answer.status, 200);
  const { port } = new URL(service.origin);
  const set = answer.headers.get("set-cookie")!;
  const form = `^freehold_session_${port}=fhs_[a-z0-9]{40}; Path=/; HttpOnly; SameSite=Strict; Max-Age=43200$`;
  assert.match(set, new RegExp(form));
  assert.equal(answer.json.operator, true);
  assert.ok(!answer.text.includes("fhs_"), "only the cookie contains the secret");
  const self = await ask("GET", "/v1/session");
  assert.deepEqual(self.json, answer.json);
  const creation = await ask("POST", "/v1/pods", { imageName: "i", driver: "simulated" });
  assert.equal(creation.status, 201, creation.text);
  assert.equal((await ask("GET", "/v1/pods")).json.length, 1);
  const secret = set.slice(set.indexOf("fhs_"), set.indexOf(";"));
  const asKey = await service.call("GET", "/v1/pods", undefined, { authorization: secret });
  assert.equal(asKey.status, 401, "it is no key");
  const withNetwork = {
    authorization: "",
    cookie: `__Host-freehold_session_${port}=${secret}@loopback`,
  };
  const bound = await service.call("GET", "/v1/session", undefined, withNetwork);
  assert.equal(bound.status, 401, "a cookie cannot name the network that it is bound to");
});

test("over TLS the cookie is restricted to the host", async (t) => {
  const service = await startService(t);
  const headers = { origin: "https://cloud.example", "x-forwarded-host": "cloud.example" };
  const answer = await service.call("POST", "/v1/session", { key: service.key }, headers);
  assert.match(answer.headers.get("set-cookie")!, /^__Host-freehold_session_\d+=.*; Secure$/);
});

test("the cookie is accepted from the console's own pages only", async (t) => {
  const service = await startService(t);
  const { ask, signIn } = browser(service);
  await signIn();
  const refused = async (method: string, headers: Record<string, string>) => {
    const body = method === "GET" ? undefined : { name: "k" };
    const answer = await ask(method, "/v1/keys", body, headers);
    assert.deepEqual(
      [answer.status, answer.json.code],
      [403, "forbidden"],
      JSON.stringify(headers),
    );
  };
  const port = Number(new URL(service.origin).port);
  const elsewhere = `http://127.0.0.1:${port + 1}`;
  for (const method of ["GET", "POST"]) {
    await refused(method, { origin: elsewhere });
    await refused(method, { origin: "null" });
    await refused(method, { origin: "http://abc-8888.proxy.localhost" });
    await refused(method, { "sec-fetch-site": "same-site" });
    await refused(method, { "sec-fetch-site": "cross-site" });
  }
  const foreign = { origin: elsewhere };
  const signingIn = await service.call("POST", "/v1/session", { key: service.key }, foreign);
  assert.equal(signingIn.status, 403, "another origin cannot sign a browser in");
});

test("a write without an Origin header is rejected", async (t) => {
  const service = await startService(t);
  const { signIn, cookie } = browser(service);
  await signIn();
  const headers = { authorization: "", cookie: cookie() };
  assert.equal((await service.call("GET", "/v1/keys", undefined, headers)).status, 200);
  assert.equal((await service.call("POST", "/v1/keys", { name: "k" }, headers)).status, 403);
});

test("a session has the permissions of its key", async (t) => {
  const service = await startService(t);
  const reader = { name: "reader", permissions: { rest: "read" } };
  const { json: key } = await service.call("POST", "/v1/keys", reader);
  const { ask, signIn } = browser(service);
  assert.equal((await signIn(key.key)).status, 200);
  assert.equal((await ask("GET", "/v1/pods")).status, 200);
  assert.equal((await ask("POST", "/v1/pods", { imageName: "i" })).status, 403);
  assert.equal((await ask("POST", "/v2/hello/run", { input: {} })).status, 403);
  const none = { name: "none", permissions: { queue: "write" } };
  const { json: closed } = await service.call("POST", "/v1/keys", none);
  assert.equal((await signIn(closed.key)).status, 403);
  assert.equal((await signIn("fh_wrong")).status, 401);
});

test("a session ends with its key, when it expires, and on request", async (t) => {
  const service = await startService(t);
  const { json: key } = await service.call("POST", "/v1/keys", { name: "k" });
  const one = browser(service);
  await one.signIn(key.key);
  await service.call("PATCH", `/v1/keys/${key.id}`, { disabled: true });
  assert.equal((await one.ask("GET", "/v1/session")).status, 401);
  await service.call("PATCH", `/v1/keys/${key.id}`, { disabled: false });
  assert.equal((await one.ask("GET", "/v1/session")).status, 200);
  await service.call("DELETE", `/v1/keys/${key.id}`);
  assert.equal((await one.ask("GET", "/v1/session")).status, 401);

  const two = browser(service);
  await two.signIn();
  const { json: all } = await two.ask("GET", "/v1/sessions");
  assert.equal(all[0].address, "127.0.0.1");
  assert.deepEqual(
    all.map(({ current }: { current: boolean }) => current),
    [true],
  );
  assert.equal((await service.call("DELETE", `/v1/sessions/${all[0].id}`)).status, 204);
  assert.equal((await two.ask("GET", "/v1/session")).status, 401);
  assert.equal((await service.call("DELETE", `/v1/sessions/${all[0].id}`)).status, 404);

  const three = browser(service);
  await three.signIn();
  const out = await three.ask("DELETE", "/v1/session");
  assert.equal(out.status, 204);
  assert.match(out.headers.get("set-cookie")!, /=; .*Max-Age=0/);
  assert.equal((await three.ask("GET", "/v1/session")).status, 401);

  const short = await startService(t, { protocol: { sessionMs: 1 } });
  const four = browser(short);
  await four.signIn();
  await until(async () => (await four.ask("GET", "/v1/session")).status === 401);
});

test("a session is ended only by a key with at least its permissions", async (t) => {
  const service = await startService(t);
  const { ask, signIn } = browser(service);
  await signIn();
  const [session] = (await ask("GET", "/v1/sessions")).json;
  const some = { name: "some", permissions: { rest: "write" } };
  const { json: key } = await service.call("POST", "/v1/keys", some);
  const less = { authorization: `Bearer ${key.key}` };
  const refused = await service.call("DELETE", `/v1/sessions/${session.id}`, undefined, less);
  assert.deepEqual([refused.status, refused.json.code], [403, "forbidden"]);
});
