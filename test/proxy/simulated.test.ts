// Tests of Pods' HTTP ports through a complete service, on the simulated driver.

import assert from "node:assert/strict";
import { test } from "node:test";
import { toolsOf } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";
import { visit } from "./client.ts";

const make = {
  driver: "simulated",
  imageName: "i",
  computeType: "CPU",
  ports: ["8888/http", "22/tcp"],
};

test("a Pod's HTTP port is reachable only while the Pod runs", async (t) => {
  const service = await simulatedService(t);
  const pods = podsOf(service);
  const { id } = (await service.call("POST", "/v1/pods", make)).json;
  const see = async () => (await visit(service.origin, id, 8_888)).json;
  await until(
    async () => ((await visit(service.origin, id, 8_888)).status === 200 ? true : null),
    id,
  );
  const post = { method: "POST", path: "/a?b=1", headers: { "x-a": "1" }, body: "hello" };
  const { json } = await visit(service.origin, id, 8_888, post);
  assert.partialDeepStrictEqual(json, {
    podId: id,
    port: 8_888,
    method: "POST",
    path: "/a?b=1",
    body: "hello",
  });

  await service.call("POST", `/v1/pods/${id}/stop`);
  await until(async () => {
    const { status, json, headers } = await visit(service.origin, id, 8_888);
    // Another replica is notified a moment later, and may still call the Pod until then.
    if (status === 200 && service.replicas.length > 1) return null;
    assert.deepEqual([status, json.code, headers["retry-after"]], [502, "pod_unreachable", "1"]);
    return json.message.endsWith(": the Pod is stopped.") ? true : null;
  }, id);

  await until(pods.unreached, id);
  const before = await pods.get(id);
  await service.call("POST", `/v1/pods/${id}/start`);
  await until(pods.reached, id);
  assert.equal((await see()).podId, id);
  const restarted = await service.call("POST", `/v1/pods/${id}/restart`);
  assert.equal(restarted.status, 200);
  await until(async () => {
    const { status, json } = await visit(service.origin, id, 8_888);
    if (status === 502) assert.match(json.message, /: its container is not up yet\.$/);
    const { lastStartedAt } = await pods.get(id);
    return status === 200 && lastStartedAt! > before.lastStartedAt! ? true : null;
  }, id);

  await service.call("DELETE", `/v1/pods/${id}`);
  const absent = await visit(service.origin, id, 8_888);
  assert.deepEqual([absent.status, absent.json.code], [404, "pod_not_found"]);
});

test("only declared HTTP ports are reachable, and one without a listener is 502", async (t) => {
  const service = await simulatedService(t);
  const create = async (more: object) =>
    (await service.call("POST", "/v1/pods", { ...make, ...more })).json.id as string;
  const id = await create({});
  await until(podsOf(service).reached, id);
  for (const port of [22, 80, 8_889]) {
    const { status, json } = await visit(service.origin, id, port);
    assert.deepEqual([status, json.code], [404, "port_not_found"], String(port));
  }
  const deaf = await create({ dockerStartCmd: ["simulate", "--no-web"] });
  await until(podsOf(service).reached, deaf);
  const { status, json } = await visit(service.origin, deaf, 8_888);
  assert.equal(status, 502);
  assert.match(json.message, /^Port 8888 of Pod \w+ is unreachable: nothing listens on it\.$/);
  const otherAccount = await visit(service.origin, "nobody", 80);
  assert.deepEqual([otherAccount.status, otherAccount.json.code], [404, "pod_not_found"]);
});

test("a Pod's host name serves only the Pod, and no route of the service with any key", async (t) => {
  const service = await simulatedService(t);
  const { id } = (await service.call("POST", "/v1/pods", make)).json;
  await until(podsOf(service).reached, id);
  const page = await visit(service.origin, id, 8_888, { headers: { accept: "text/html" } });
  assert.match(page.text, new RegExp(`<h1>Pod ${id}</h1>`));
  const headers = {
    authorization: `Bearer ${service.key}`,
    cookie: "a=1; freehold_session=secret",
    referer: `http://x/?api_key=${service.key}`,
  };
  const path = `/v1/pods?api_key=${service.key}&x=1`;
  const { json, text } = await visit(service.origin, id, 8_888, { path, headers });
  assert.deepEqual([json.podId, json.path], [id, "/v1/pods?x=1"]);
  assert.ok(!text.includes(service.key) && !text.includes("secret"), text);
  assert.ok(json.headers.includes("a=1"));
});

test("a Pod's page cannot call the service, with a key or without", async (t) => {
  const service = await simulatedService(t);
  const { port } = new URL(service.origin);
  // Each replica knows the pages of its own second listener.
  for (const replica of service.replicas) {
    const { call } = toolsOf(replica);
    const at = (origin: string, path = "/v1/pods") => call("GET", path, undefined, { origin });
    for (const origin of [
      `http://x-80.proxy.localhost:${port}`,
      "https://anything.proxy.localhost",
      replica.proxyOrigin!,
    ]) {
      const answer = await at(origin);
      assert.deepEqual([answer.status, answer.json.code], [403, "forbidden"], origin);
      assert.equal(answer.headers.get("access-control-allow-origin"), null);
      const { status, headers } = await at(origin, "/v2/pods");
      assert.deepEqual([status, headers.get("cache-control")], [403, "no-store"], origin);
    }
    for (const origin of [service.origin, "https://example.org"]) {
      assert.equal((await at(origin)).status, 200, origin);
    }
  }
});

test("the second listener routes by path and isolates the sites", async (t) => {
  const service = await simulatedService(t);
  const { id } = (await service.call("POST", "/v1/pods", make)).json;
  await until(podsOf(service).reached, id);
  const origin = service.proxyOrigin!;
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(origin + path, { redirect: "manual", ...init });
  const answer = await ask(`/${id}/8888/a//b?c=1`, { method: "POST", body: "x" });
  assert.partialDeepStrictEqual(await answer.json(), { podId: id, path: "/a//b?c=1", body: "x" });
  assert.match(answer.headers.get("content-security-policy")!, /^sandbox/);
  const bare = await ask(`/${id}/8888?x=1`);
  assert.deepEqual([bare.status, bare.headers.get("location")], [308, `/${id}/8888/?x=1`]);
  const { host } = new URL(origin);
  const whole = { path: `${origin}/${id}/8888/c?d=1`, headers: { host } };
  const { json: fromWhole } = await visit(origin, id, 8_888, whole);
  assert.partialDeepStrictEqual(fromWhole, { podId: id, path: "/c?d=1" });
  const wrong: [path: string, status: number, code: string][] = [
    ["/", 404, "no_such_site"],
    ["/v1/pods", 404, "no_such_site"],
    [`/${id}/22/`, 404, "port_not_found"],
    ["/nobody/80/", 404, "pod_not_found"],
  ];
  for (const [path, status, code] of wrong) {
    const refused = await ask(path, { headers: { authorization: `Bearer ${service.key}` } });
    assert.deepEqual(
      [refused.status, ((await refused.json()) as { code: string }).code],
      [status, code],
      path,
    );
  }
});

test("the second listener can be disabled", async (t) => {
  const service = await simulatedService(t, { env: { FREEHOLD_PROXY_LISTEN: "off" } });
  assert.equal(service.proxyOrigin, null);
  assert.equal((await visit(service.origin, "nobody", 80)).status, 404);
});

test("a configured domain routes its subdomains to Pods", async (t) => {
  const service = await simulatedService(t, { env: { FREEHOLD_PROXY_DOMAIN: "pods.example.org" } });
  const { id } = (await service.call("POST", "/v1/pods", make)).json;
  await until(podsOf(service).reached, id);
  const at = (host: string) => visit(service.origin, id, 8_888, { headers: { host } });
  assert.equal((await at(`${id}-8888.pods.example.org`)).json.podId, id);
  assert.equal((await at("pods.example.org")).json.code, "no_such_site");
  assert.match((await at("example.org")).text, /^<!doctype html>/i, "the console");
});
