// Secrets over HTTP, and in the variables of Pods and workers: put in their places when these are
// started, and nowhere else.

import assert from "node:assert/strict";
import { test } from "node:test";
import { given } from "../given.ts";
import { startHouse } from "../house.ts";
import { fakeHouse, podsOf, until } from "../pods/stage.ts";

const made = { name: "HF_TOKEN", value: "hf_abc", description: "for models" };
const POD = { driver: "fake", imageName: "i", computeType: "CPU" };

test("a secret is kept, shown without its value, changed and deleted", async (t) => {
  const house = await startHouse(t);
  const { status, json, text } = await house.call("POST", "/v1/secrets", made);
  assert.equal(status, 200, text);
  const { id, createdAt, updatedAt, ...rest } = json;
  assert.deepEqual(rest, { name: "HF_TOKEN", description: "for models" });
  assert.equal(createdAt, updatedAt);
  const one = `/v1/secrets/${id}`;
  assert.deepEqual((await house.call("GET", one)).json, json);
  assert.deepEqual((await house.call("GET", "/v1/secrets")).json, [json]);
  const changed = await house.call("PATCH", one, { value: "new" });
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual({ ...changed.json, updatedAt }, json);
  const told = await house.call("POST", `${one}/update`, { description: "d" });
  assert.equal(told.json.description, "d");
  assert.equal((await house.call("POST", "/v1/secrets", made)).json.code, "name_taken");
  assert.match(
    (await house.call("PATCH", one, { name: "n" })).json.message,
    /"name" cannot be set/,
  );
  assert.equal((await house.call("DELETE", one)).status, 204);
  for (const method of ["GET", "PATCH", "DELETE"]) {
    const gone = await house.call(method, one, method === "PATCH" ? {} : undefined);
    assert.deepEqual([gone.status, gone.json.code], [404, "secret_not_found"]);
  }
});

test("what is wrong is named, and a value is not repeated", async (t) => {
  const house = await startHouse(t);
  for (const name of ["", "1a", "a b", "RunPod_x", "runpod", "a}", "n".repeat(192)]) {
    const refused = await house.call("POST", "/v1/secrets", { ...made, name });
    assert.match(refused.json.message, /"name" must be up to 191 letters, digits and/);
  }
  for (const value of ["", "a\u0000b", "v".repeat(65_537), 12_345_678]) {
    const refused = await house.call("POST", "/v1/secrets", { ...made, value });
    assert.equal(refused.status, 400, String(value).slice(0, 20));
    assert.match(refused.json.message, /"value" must be a string of 1 to 65536 .* zero byte\.$/);
  }
  for (const name of ["_", "a.b/c-d", "run_pod", "n".repeat(191)]) {
    assert.equal((await house.call("POST", "/v1/secrets", { ...made, name })).status, 200, name);
  }
});

test("a Pod is started with values in the places of references, and shows the references", async (t) => {
  const house = await fakeHouse(t);
  const { json: secret } = await house.call("POST", "/v1/secrets", made);
  const env = { TOKEN: "Bearer {{ RUNPOD_SECRET_HF_TOKEN }}", PLAIN: "{{ other }}" };
  const { json: pod, text } = await house.call("POST", "/v1/pods", { ...POD, env });
  assert.deepEqual(pod.env, env, text);
  await until(podsOf(house).reached, pod.id);
  assert.partialDeepStrictEqual(given(house, pod.id)!.env, {
    TOKEN: "Bearer hf_abc",
    PLAIN: "{{ other }}",
  });
  assert.deepEqual(((await podsOf(house).get(pod.id)) as unknown as { env: object }).env, env);
  await house.call("PATCH", `/v1/secrets/${secret.id}`, { value: "hf_new" });
  await house.call("POST", `/v1/pods/${pod.id}/restart`);
  await until(async (id) => given(house, id)?.env.TOKEN === "Bearer hf_new" || null, pod.id);
});

test("a secret that is not there is named before anything is made", async (t) => {
  const house = await fakeHouse(t);
  const env = { A: "{{ RUNPOD_SECRET_one }}", B: "{{RUNPOD_SECRET_two words}}" };
  const refused = await house.call("POST", "/v1/pods", { ...POD, env });
  assert.deepEqual([refused.status, refused.json.code], [400, "invalid_body"]);
  assert.match(refused.json.message, /secrets that you do not have: "one", "two words"/);
  const { json: pod } = await house.call("POST", "/v1/pods", POD);
  const changed = await house.call("PATCH", `/v1/pods/${pod.id}`, { env });
  assert.match(changed.json.message, /"one", "two words"/);
  const template = { name: "t", imageName: "i", driver: "fake", env };
  const { json: kept } = await house.call("POST", "/v1/templates", template);
  assert.ok(kept.id, "a template may come before its secrets");
  const endpoint = await house.call("POST", "/v1/endpoints", { templateId: kept.id });
  assert.match(endpoint.json.message, /"one", "two words"/);
  assert.deepEqual((await house.call("GET", "/v1/endpoints")).json, []);
});

test("a secret that was deleted keeps what refers to it from starting, and why says so", async (t) => {
  const house = await fakeHouse(t);
  const { json: secret } = await house.call("POST", "/v1/secrets", made);
  const env = { TOKEN: "{{ RUNPOD_SECRET_HF_TOKEN }}" };
  const { json: pod } = await house.call("POST", "/v1/pods", { ...POD, env });
  await until(podsOf(house).reached, pod.id);
  await house.call("DELETE", `/v1/secrets/${secret.id}`);
  assert.equal((await podsOf(house).get(pod.id)).desiredStatus, "RUNNING");
  await house.call("POST", `/v1/pods/${pod.id}/restart`);
  const why = await until(async (id) => {
    const { json } = await house.call("GET", `/v1/why/${id}`);
    return json.code === "pod_start_failing" ? json : null;
  }, pod.id);
  assert.match(why.sentence, /there is no secret "HF_TOKEN"/);
  assert.equal(why.evidence.cause, "secret_missing");
  assert.match(why.next, /Make the secret/);
  await house.call("POST", "/v1/secrets", made);
  await until(podsOf(house).reached, pod.id);
});

test("workers have their template's secrets; without them a job is told why it waits", async (t) => {
  const house = await fakeHouse(t);
  const { json: secret } = await house.call("POST", "/v1/secrets", made);
  const env = { TOKEN: "{{ RUNPOD_SECRET_HF_TOKEN }}" };
  const template = { name: "t", imageName: "i", driver: "fake", env };
  const templateId = (await house.call("POST", "/v1/templates", template)).json.id;
  const settings = { templateId, workersMin: 1, workersMax: 1 };
  const { json: endpoint } = await house.call("POST", "/v1/endpoints", settings);
  const worker = await until(async () => {
    const { json } = await house.call("GET", `/v1/endpoints/${endpoint.id}/workers`);
    return json[0] && given(house, json[0].id);
  }, "");
  assert.equal(worker.env.TOKEN, "hf_abc");
  const { json: releases } = await house.call("GET", `/v1/endpoints/${endpoint.id}/releases`);
  assert.deepEqual(releases[0].env, env);
  await house.call("DELETE", `/v1/secrets/${secret.id}`);
  const change = await house.call("PATCH", `/v1/templates/${templateId}`, {
    env: { ...env, B: "" },
  });
  assert.match(change.json.message, /secrets that you do not have: "HF_TOKEN"/);
  await house.call("PATCH", `/v1/templates/${templateId}`, { isPublic: true });
  await house.call("PATCH", `/v1/endpoints/${endpoint.id}`, { workersMin: 0, workersMax: 0 });
  await until(async () => {
    const { json } = await house.call("GET", `/v1/endpoints/${endpoint.id}/workers?ended=0`);
    return json.length === 0 || null;
  }, "");
  await house.call("PATCH", `/v1/endpoints/${endpoint.id}`, { workersMax: 1 });
  const { json: job } = await house.call("POST", `/v2/${endpoint.id}/run`, { input: {} });
  const why = await until(async () => {
    const { json } = await house.call("GET", `/v1/why/${job.id}`);
    return json.code === "secret_missing" ? json : null;
  }, "");
  assert.match(why.sentence, /there is no secret "HF_TOKEN"/);
});
