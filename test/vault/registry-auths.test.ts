// Tests of container registry auths over HTTP: stored, never shown, used by Pods and templates,
// deleted.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createOtherAccount } from "../fixtures/service/other-account.ts";
import { startedWorkload } from "../fixtures/service/started-workloads.ts";
import { until } from "../fixtures/until.ts";
import { type PodJson, podsOf, simulatedService } from "../pods/fixture.ts";

const newAuth = { name: "hub", username: "me", password: "s3cret!" };
const PATH = "/v1/containerregistryauth";
const POD = { driver: "simulated", imageName: "i", computeType: "CPU" };

test("a registry auth is created, listed by name only, and deleted", async (t) => {
  const service = await simulatedService(t);
  const { status, json, text } = await service.call("POST", PATH, newAuth);
  assert.equal(status, 200, text);
  assert.match(json.id, /^[a-z0-9]{25}$/);
  assert.deepEqual(json, { id: json.id, name: "hub" });
  assert.deepEqual((await service.call("GET", PATH)).json, [json]);
  assert.deepEqual((await service.call("GET", `${PATH}/${json.id}`)).json, json);
  const again = await service.call("POST", PATH, newAuth);
  assert.deepEqual([again.status, again.json.code], [400, "name_taken"]);
  // Its credentials cannot be changed, its labels can.
  const changed = await service.call("PATCH", `${PATH}/${json.id}`, { password: "other" });
  assert.deepEqual([changed.status, changed.json.code], [400, "unknown_field"]);
  const deleted = await service.call("DELETE", `${PATH}/${json.id}`);
  assert.deepEqual([deleted.status, deleted.text], [204, ""]);
  const absent = await service.call("GET", `${PATH}/${json.id}`);
  assert.deepEqual([absent.status, absent.json.code], [404, "registry_auth_not_found"]);
  assert.equal((await service.call("DELETE", `${PATH}/${json.id}`)).status, 404);
});

test("an invalid request is rejected without repeating its secrets", async (t) => {
  const service = await simulatedService(t);
  const rows: [change: object, says: RegExp][] = [
    [{ name: undefined }, /"name" is missing/],
    [{ name: "n".repeat(192) }, /"name" must be/],
    [{ username: undefined }, /"username" is missing/],
    [{ password: undefined }, /"password" is missing/],
    [{ password: "" }, /"password" must be a string of 1 to 16384 characters\.$/],
    [{ password: ["hush-hush"] }, /"password" must be a string of 1 to 16384 characters\.$/],
    [{ username: 5_551_234 }, /"username" must be a string of 1 to 1000 characters\.$/],
  ];
  for (const [change, says] of rows) {
    const refused = await service.call("POST", PATH, { ...newAuth, ...change });
    assert.deepEqual([refused.status, refused.json.code], [400, "invalid_body"]);
    assert.match(refused.json.message, says);
  }
  assert.deepEqual((await service.call("GET", PATH)).json, []);
});

test("a Pod's image is pulled with the registry auth of the Pod or its template", async (t) => {
  const service = await simulatedService(t);
  const { json: auth } = await service.call("POST", PATH, newAuth);
  const make = async (body: object) =>
    (await service.call("POST", "/v1/pods", { ...POD, ...body })).json as PodJson & {
      containerRegistryAuthId?: string;
    };
  const opening = async (pod: PodJson) => {
    await until(podsOf(service).reached, pod.id);
    return startedWorkload(service, pod.id)!.auth;
  };
  const { name: _, ...credentials } = newAuth;
  const named = await make({ containerRegistryAuthId: auth.id });
  assert.equal(named.containerRegistryAuthId, auth.id);
  assert.deepEqual(await opening(named), credentials);
  const template = { name: "t", imageName: "i", containerRegistryAuthId: auth.id };
  const { json: savedTemplate } = await service.call("POST", "/v1/templates", template);
  assert.equal(savedTemplate.containerRegistryAuthId, auth.id);
  assert.deepEqual(await opening(await make({ templateId: savedTemplate.id })), credentials);
  const without = await make({ templateId: savedTemplate.id, containerRegistryAuthId: "" });
  assert.equal(await opening(await make({ containerRegistryAuthId: "" })), undefined);
  assert.equal(without.containerRegistryAuthId, auth.id, "empty is the same as omitted");
  const changed = await service.call("PATCH", `/v1/pods/${named.id}`, {
    containerRegistryAuthId: "",
  });
  assert.ok(!("containerRegistryAuthId" in changed.json));
  for (const path of ["/v1/pods", "/v1/templates"]) {
    const body = { ...POD, name: "n", containerRegistryAuthId: "nothere" };
    const { computeType: _, ...template } = body;
    const refused = await service.call("POST", path, path === "/v1/pods" ? body : template);
    assert.match(refused.json.message, /"containerRegistryAuthId" .* there is no "nothere"/);
  }
});

test("a registry auth in use is not deleted, and an unused template drops its reference", async (t) => {
  const service = await simulatedService(t);
  const { json: auth } = await service.call("POST", PATH, newAuth);
  const template = {
    name: "t",
    imageName: "i",
    driver: "simulated",
    containerRegistryAuthId: auth.id,
  };
  const { json: savedTemplate } = await service.call("POST", "/v1/templates", template);
  const { json: pod } = await service.call("POST", "/v1/pods", {
    ...POD,
    containerRegistryAuthId: auth.id,
  });
  const { json: endpoint } = await service.call("POST", "/v1/endpoints", {
    templateId: savedTemplate.id,
  });
  const drop = () => service.call("DELETE", `${PATH}/${auth.id}`);
  const refused = await drop();
  assert.deepEqual([refused.status, refused.json.code], [400, "registry_auth_in_use"]);
  assert.ok(
    refused.json.message.includes(`is used by Pod ${pod.id}, endpoint ${endpoint.id};`),
    refused.text,
  );
  await service.call("DELETE", `/v1/pods/${pod.id}`);
  assert.match((await drop()).json.message, /is used by endpoint/);
  await service.call("DELETE", `/v1/endpoints/${endpoint.id}`);
  assert.equal((await drop()).status, 204);
  const after = await service.call("GET", `/v1/templates/${savedTemplate.id}`);
  assert.equal(after.json.containerRegistryAuthId, "");
});

test("a public template does not share its credentials with other accounts", async (t) => {
  const service = await simulatedService(t);
  const { json: auth } = await service.call("POST", PATH, newAuth);
  const template = { name: "t", imageName: "i", isPublic: true, containerRegistryAuthId: auth.id };
  const { json: savedTemplate } = await service.call("POST", "/v1/templates", template);
  const otherAccount = await createOtherAccount(service);
  const body = { ...POD, templateId: savedTemplate.id };
  const { json: theirs } = await service.call("POST", "/v1/pods", body, otherAccount);
  assert.ok(!("containerRegistryAuthId" in theirs));
  const named = { ...body, containerRegistryAuthId: auth.id };
  assert.equal((await service.call("POST", "/v1/pods", named, otherAccount)).status, 400);
});

test("an auth is for one registry: the one that it names, or that of its first use", async (t) => {
  const service = await simulatedService(t);
  const save = async (name: string, registry?: string) =>
    (await service.call("POST", PATH, { ...newAuth, name, registry })).json;
  const pod = (id: string, imageName: string) =>
    service.call("POST", "/v1/pods", { ...POD, imageName, containerRegistryAuthId: id });
  const named = await save("named", "GHCR.io");
  assert.equal(named.registry, "ghcr.io");
  const refused = await pod(named.id, "evil.example:5000/a/b:1");
  assert.equal(refused.status, 400, refused.text);
  assert.match(refused.json.error, /"named" is for ghcr\.io, and .* is in evil\.example:5000/);
  assert.equal((await pod(named.id, "ghcr.io/a/b:1")).status, 201);

  const unnamed = await save("unnamed");
  assert.equal(unnamed.registry, undefined);
  const first = await pod(unnamed.id, "one.example/a");
  await until(podsOf(service).reached, first.json.id);
  const { json: bound } = await service.call("GET", `${PATH}/${unnamed.id}`);
  assert.equal(bound.registry, "one.example");
  for (const [path, body] of [
    ["/v1/pods", POD],
    ["/v1/templates", { name: "t" }],
  ] as const) {
    const image = { imageName: "two.example/a", containerRegistryAuthId: unnamed.id };
    const { status, json } = await service.call("POST", path, { ...body, ...image });
    assert.deepEqual([status, json.code], [400, "invalid_body"]);
  }
  for (const wrong of ["https://ghcr.io", "ghcr.io/a", "", "a b"]) {
    const body = { ...newAuth, name: "wrong", registry: wrong };
    const { json } = await service.call("POST", PATH, body);
    assert.match(json.error, /"registry" must be a host/);
  }
});

test("of two registries that wait for an auth's first use, one receives the credentials", async (t) => {
  const service = await simulatedService(t);
  const { json: auth } = await service.call("POST", PATH, newAuth);
  const images = ["one.example/a", "two.example/a"];
  const body = { ...POD, containerRegistryAuthId: auth.id };
  const calls = images.map((imageName) => service.call("POST", "/v1/pods", { ...body, imageName }));
  const pods = (await Promise.all(calls)).filter(({ status }) => status === 201);
  const ids = pods.map(({ json }) => json.id as string);
  const started = await until(() => ids.find((id) => startedWorkload(service, id)?.auth));
  // The other was refused when it was created, or is when it starts.
  for (const id of ids.filter((each) => each !== started)) {
    const why = await until(async () => {
      const { json } = await service.call("GET", `/v1/why/${id}`);
      return json.code === "pod_start_failing" ? json : null;
    });
    assert.match(JSON.stringify(why), /is for (?:one|two)\.example, and/);
    assert.equal(startedWorkload(service, id), undefined);
  }
});
