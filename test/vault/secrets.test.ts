// Tests of secrets over HTTP and in the environment of Pods and workers, where references are
// resolved at the start and nowhere else.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { startedWorkload } from "../fixtures/service/started-workloads.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";

const newSecret = { name: "HF_TOKEN", value: "hf_abc", description: "for models" };
const POD = { driver: "simulated", imageName: "i", computeType: "CPU" };

test("a secret is created, shown without its value, changed and deleted", async (t) => {
  const service = await startService(t);
  const { status, json, text } = await service.call("POST", "/v1/secrets", newSecret);
  assert.equal(status, 200, text);
  const { id, createdAt, updatedAt, ...rest } = json;
  assert.deepEqual(rest, { name: "HF_TOKEN", description: "for models" });
  assert.equal(createdAt, updatedAt);
  const one = `/v1/secrets/${id}`;
  assert.deepEqual((await service.call("GET", one)).json, json);
  assert.deepEqual((await service.call("GET", "/v1/secrets")).json, [json]);
  const changed = await service.call("PATCH", one, { value: "new" });
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual({ ...changed.json, updatedAt }, json);
  const update = await service.call("POST", `${one}/update`, { description: "d" });
  assert.equal(update.json.description, "d");
  assert.equal((await service.call("POST", "/v1/secrets", newSecret)).json.code, "name_taken");
  assert.match(
    (await service.call("PATCH", one, { name: "n" })).json.message,
    /"name" cannot be set/,
  );
  assert.equal((await service.call("DELETE", one)).status, 204);
  for (const method of ["GET", "PATCH", "DELETE"]) {
    const absent = await service.call(method, one, method === "PATCH" ? {} : undefined);
    assert.deepEqual([absent.status, absent.json.code], [404, "secret_not_found"]);
  }
});

test("an invalid request is rejected without repeating its value", async (t) => {
  const service = await startService(t);
  for (const name of ["", "1a", "a b", "RunPod_x", "runpod", "a}", "n".repeat(192)]) {
    const refused = await service.call("POST", "/v1/secrets", { ...newSecret, name });
    assert.match(refused.json.message, /"name" must be up to 191 letters, digits and/);
  }
  for (const value of ["", "a\u0000b", "v".repeat(65_537), 12_345_678]) {
    const refused = await service.call("POST", "/v1/secrets", { ...newSecret, value });
    assert.equal(refused.status, 400, String(value).slice(0, 20));
    assert.match(refused.json.message, /"value" must be a string of 1 to 65536 .* zero byte\.$/);
  }
  for (const name of ["_", "a.b/c-d", "run_pod", "n".repeat(191)]) {
    assert.equal(
      (await service.call("POST", "/v1/secrets", { ...newSecret, name })).status,
      200,
      name,
    );
  }
});

test("a Pod starts with the values in its environment, and shows the references", async (t) => {
  const service = await simulatedService(t);
  const { json: secret } = await service.call("POST", "/v1/secrets", newSecret);
  const env = { TOKEN: "Bearer {{ RUNPOD_SECRET_HF_TOKEN }}", PLAIN: "{{ other }}" };
  const { json: pod, text } = await service.call("POST", "/v1/pods", { ...POD, env });
  assert.deepEqual(pod.env, env, text);
  await until(podsOf(service).reached, pod.id);
  assert.partialDeepStrictEqual(startedWorkload(service, pod.id)!.env, {
    TOKEN: "Bearer hf_abc",
    PLAIN: "{{ other }}",
  });
  assert.deepEqual(((await podsOf(service).get(pod.id)) as unknown as { env: object }).env, env);
  await service.call("PATCH", `/v1/secrets/${secret.id}`, { value: "hf_new" });
  await service.call("POST", `/v1/pods/${pod.id}/restart`);
  await until(
    async (id) => startedWorkload(service, id)?.env.TOKEN === "Bearer hf_new" || null,
    pod.id,
  );
});

test("a reference to a missing secret is rejected before anything is created", async (t) => {
  const service = await simulatedService(t);
  const env = { A: "{{ RUNPOD_SECRET_one }}", B: "{{RUNPOD_SECRET_two words}}" };
  const refused = await service.call("POST", "/v1/pods", { ...POD, env });
  assert.deepEqual([refused.status, refused.json.code], [400, "invalid_body"]);
  assert.match(refused.json.message, /secrets that you do not have: "one", "two words"/);
  const { json: pod } = await service.call("POST", "/v1/pods", POD);
  const changed = await service.call("PATCH", `/v1/pods/${pod.id}`, { env });
  assert.match(changed.json.message, /"one", "two words"/);
  const template = { name: "t", imageName: "i", driver: "simulated", env };
  const { json: savedTemplate } = await service.call("POST", "/v1/templates", template);
  assert.ok(savedTemplate.id, "a template may come before its secrets");
  const endpoint = await service.call("POST", "/v1/endpoints", { templateId: savedTemplate.id });
  assert.match(endpoint.json.message, /"one", "two words"/);
  assert.deepEqual((await service.call("GET", "/v1/endpoints")).json, []);
});

test("a deleted secret blocks the start of workloads that refer to it, and why explains it", async (t) => {
  const service = await simulatedService(t);
  const { json: secret } = await service.call("POST", "/v1/secrets", newSecret);
  const env = { TOKEN: "{{ RUNPOD_SECRET_HF_TOKEN }}" };
  const { json: pod } = await service.call("POST", "/v1/pods", { ...POD, env });
  await until(podsOf(service).reached, pod.id);
  await service.call("DELETE", `/v1/secrets/${secret.id}`);
  assert.equal((await podsOf(service).get(pod.id)).desiredStatus, "RUNNING");
  await service.call("POST", `/v1/pods/${pod.id}/restart`);
  const why = await until(async (id) => {
    const { json } = await service.call("GET", `/v1/why/${id}`);
    return json.code === "pod_start_failing" ? json : null;
  }, pod.id);
  assert.match(why.sentence, /there is no secret "HF_TOKEN"/);
  assert.equal(why.evidence.cause, "secret_missing");
  assert.match(why.next, /Create the secret/);
  await service.call("POST", "/v1/secrets", newSecret);
  await until(podsOf(service).reached, pod.id);
});

test("workers get their template's secrets; if one is missing, why explains the waiting job", async (t) => {
  const service = await simulatedService(t);
  const { json: secret } = await service.call("POST", "/v1/secrets", newSecret);
  const env = { TOKEN: "{{ RUNPOD_SECRET_HF_TOKEN }}" };
  const template = { name: "t", imageName: "i", driver: "simulated", env };
  const templateId = (await service.call("POST", "/v1/templates", template)).json.id;
  const settings = { templateId, workersMin: 1, workersMax: 1 };
  const { json: endpoint } = await service.call("POST", "/v1/endpoints", settings);
  const worker = await until(async () => {
    const { json } = await service.call("GET", `/v1/endpoints/${endpoint.id}/workers`);
    return json[0] && startedWorkload(service, json[0].id);
  }, "");
  assert.equal(worker.env.TOKEN, "hf_abc");
  const { json: releases } = await service.call("GET", `/v1/endpoints/${endpoint.id}/releases`);
  assert.deepEqual(releases[0].env, env);
  await service.call("DELETE", `/v1/secrets/${secret.id}`);
  const change = await service.call("PATCH", `/v1/templates/${templateId}`, {
    env: { ...env, B: "" },
  });
  assert.match(change.json.message, /secrets that you do not have: "HF_TOKEN"/);
  await service.call("PATCH", `/v1/templates/${templateId}`, { isPublic: true });
  await service.call("PATCH", `/v1/endpoints/${endpoint.id}`, { workersMin: 0, workersMax: 0 });
  await until(async () => {
    const { json } = await service.call("GET", `/v1/endpoints/${endpoint.id}/workers?ended=0`);
    return json.length === 0 || null;
  }, "");
  await service.call("PATCH", `/v1/endpoints/${endpoint.id}`, { workersMax: 1 });
  const { json: job } = await service.call("POST", `/v2/${endpoint.id}/run`, { input: {} });
  const why = await until(async () => {
    const { json } = await service.call("GET", `/v1/why/${job.id}`);
    return json.code === "secret_missing" ? json : null;
  }, "");
  assert.match(why.sentence, /there is no secret "HF_TOKEN"/);
});
