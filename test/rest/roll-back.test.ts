// Tests of rolling an endpoint back to an earlier release.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { startService } from "../fixtures/service/service.ts";

async function setUp(t: TestContext) {
  const service = await startService(t);
  const call = async (method: string, path: string, body?: object) => {
    const answer = await service.call(method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.json;
  };
  const image = { name: "worker", imageName: "acme/worker:1", isServerless: true };
  const env = { MODE: "fast", BIG: "12345678901234567890" };
  const template = await call("POST", "/v1/templates", { ...image, env });
  const body = { templateId: template.id, name: "shop", workersMax: 1 };
  const endpoint = await call("POST", "/v1/endpoints", body);
  const path = `/v1/endpoints/${endpoint.id}`;
  const rollBack = (version: string | number) =>
    service.call("POST", `${path}/releases/${version}/rollback`);
  return { service, call, templateId: template.id as string, path, rollBack };
}

const bound = "?includeEndpointBoundTemplates=true";

test("image and environment come back in a new release; scaling and the template stay", async (t) => {
  const { call, templateId, path, rollBack } = await setUp(t);
  await call("PATCH", `/v1/templates/${templateId}`, { labels: { team: "shared" } });
  await call("PATCH", `/v1/templates/${templateId}`, {
    imageName: "acme/worker:2",
    env: { MODE: "slow" },
  });
  await call("PATCH", path, { workersMax: 7, idleTimeout: 42 });
  const { status, json } = await rollBack(1);
  assert.equal(status, 200);
  assert.deepEqual([json.version, json.workersMax, json.idleTimeout], [3, 7, 42]);
  const [now, second, first] = await call("GET", `${path}/releases`);
  assert.equal(now.reason, "rolled back to version 1");
  const { version: _, reason: __, createdAt: ___, ...ran } = first;
  const { version: ____, reason: _____, createdAt: ______, ...runs } = now;
  assert.deepEqual(runs, ran);
  assert.equal(second.image, "acme/worker:2");
  assert.equal((await call("GET", `/v1/templates/${templateId}`)).imageName, "acme/worker:2");
  assert.notEqual(json.templateId, templateId);

  const labels = { team: "search" };
  const { labels: before } = await call("GET", `/v1/templates/${json.templateId}${bound}`);
  assert.equal(before, undefined, "the copy does not get the labels of a template of others");
  await call("PATCH", `/v1/templates/${json.templateId}`, { labels });
  const forward = (await rollBack(2)).json;
  assert.equal(forward.version, 4);
  const own = await call("GET", `/v1/templates/${forward.templateId}${bound}`);
  assert.deepEqual(own.labels, labels, "the endpoint's own template keeps its labels");
  const templates = await call("GET", `/v1/templates${bound}`);
  const ids = templates.map(({ id }: { id: string }) => id);
  assert.ok(!ids.includes(json.templateId), "the copy that is no longer used is deleted");
  assert.ok(ids.includes(templateId));
});

test("the current release, one that is not there and a missing secret change nothing", async (t) => {
  const { service, call, templateId, path, rollBack } = await setUp(t);
  const secret = await call("POST", "/v1/secrets", { name: "token", value: "v" });
  const env = (value: string) => ({ env: { TOKEN: value } });
  const template = `/v1/templates/${templateId}`;
  await call("PATCH", template, env("{{ RUNPOD_SECRET_token }}"));
  await call("PATCH", template, env("plain"));
  const { json: same } = await rollBack(3);
  assert.equal(same.code, "cannot_roll_back");
  for (const version of [9, "x", "01"]) {
    const { status, json } = await rollBack(version);
    assert.deepEqual([status, json.code], [404, "release_not_found"], `${version}`);
  }
  await service.call("DELETE", `/v1/secrets/${secret.id}`);
  const { json: missing } = await rollBack(2);
  assert.match(missing.error, /token/);
  assert.equal((await call("GET", path)).version, 3);
  assert.equal((await call("GET", `${path}/releases`)).length, 3);
});
