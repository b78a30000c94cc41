// Container registry auths over HTTP: kept, never shown, named by Pods and templates, deleted.

import assert from "node:assert/strict";
import { test } from "node:test";
import { given } from "../given.ts";
import { fakeHouse, type PodJson, podsOf, until } from "../pods/stage.ts";
import { makeStranger } from "../stranger.ts";

const made = { name: "hub", username: "me", password: "s3cret!" };
const PATH = "/v1/containerregistryauth";
const POD = { driver: "fake", imageName: "i", computeType: "CPU" };

test("an auth is kept and listed by its name alone, and deleted", async (t) => {
  const house = await fakeHouse(t);
  const { status, json, text } = await house.call("POST", PATH, made);
  assert.equal(status, 200, text);
  assert.match(json.id, /^[a-z0-9]{25}$/);
  assert.deepEqual(json, { id: json.id, name: "hub" });
  assert.deepEqual((await house.call("GET", PATH)).json, [json]);
  assert.deepEqual((await house.call("GET", `${PATH}/${json.id}`)).json, json);
  const again = await house.call("POST", PATH, made);
  assert.deepEqual([again.status, again.json.code], [400, "name_taken"]);
  assert.equal((await house.call("PATCH", `${PATH}/${json.id}`, {})).status, 405);
  const deleted = await house.call("DELETE", `${PATH}/${json.id}`);
  assert.deepEqual([deleted.status, deleted.text], [204, ""]);
  const gone = await house.call("GET", `${PATH}/${json.id}`);
  assert.deepEqual([gone.status, gone.json.code], [404, "registry_auth_not_found"]);
  assert.equal((await house.call("DELETE", `${PATH}/${json.id}`)).status, 404);
});

test("what is wrong is named, and what is secret is not repeated", async (t) => {
  const house = await fakeHouse(t);
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
    const refused = await house.call("POST", PATH, { ...made, ...change });
    assert.deepEqual([refused.status, refused.json.code], [400, "invalid_body"]);
    assert.match(refused.json.message, says);
  }
  assert.deepEqual((await house.call("GET", PATH)).json, []);
});

test("a Pod's image is pulled with what it, or its template, names", async (t) => {
  const house = await fakeHouse(t);
  const { json: auth } = await house.call("POST", PATH, made);
  const make = async (body: object) =>
    (await house.call("POST", "/v1/pods", { ...POD, ...body })).json as PodJson & {
      containerRegistryAuthId?: string;
    };
  const opening = async (pod: PodJson) => {
    await until(podsOf(house).reached, pod.id);
    return given(house, pod.id)!.auth;
  };
  const { name: _, ...credentials } = made;
  const named = await make({ containerRegistryAuthId: auth.id });
  assert.equal(named.containerRegistryAuthId, auth.id);
  assert.deepEqual(await opening(named), credentials);
  const template = { name: "t", imageName: "i", containerRegistryAuthId: auth.id };
  const { json: kept } = await house.call("POST", "/v1/templates", template);
  assert.equal(kept.containerRegistryAuthId, auth.id);
  assert.deepEqual(await opening(await make({ templateId: kept.id })), credentials);
  const without = await make({ templateId: kept.id, containerRegistryAuthId: "" });
  assert.equal(await opening(await make({ containerRegistryAuthId: "" })), undefined);
  assert.equal(without.containerRegistryAuthId, auth.id, "empty is as good as left out");
  const changed = await house.call("PATCH", `/v1/pods/${named.id}`, {
    containerRegistryAuthId: "",
  });
  assert.ok(!("containerRegistryAuthId" in changed.json));
  for (const path of ["/v1/pods", "/v1/templates"]) {
    const body = { ...POD, name: "n", containerRegistryAuthId: "nothere" };
    const { computeType: _, ...template } = body;
    const refused = await house.call("POST", path, path === "/v1/pods" ? body : template);
    assert.match(refused.json.message, /"containerRegistryAuthId" .* there is no "nothere"/);
  }
});

test("an auth in use is not deleted; a template that nobody uses forgets it", async (t) => {
  const house = await fakeHouse(t);
  const { json: auth } = await house.call("POST", PATH, made);
  const template = { name: "t", imageName: "i", driver: "fake", containerRegistryAuthId: auth.id };
  const { json: kept } = await house.call("POST", "/v1/templates", template);
  const { json: pod } = await house.call("POST", "/v1/pods", {
    ...POD,
    containerRegistryAuthId: auth.id,
  });
  const { json: endpoint } = await house.call("POST", "/v1/endpoints", { templateId: kept.id });
  const drop = () => house.call("DELETE", `${PATH}/${auth.id}`);
  const refused = await drop();
  assert.deepEqual([refused.status, refused.json.code], [400, "registry_auth_in_use"]);
  assert.ok(
    refused.json.message.includes(`is used by Pod ${pod.id}, endpoint ${endpoint.id};`),
    refused.text,
  );
  await house.call("DELETE", `/v1/pods/${pod.id}`);
  assert.match((await drop()).json.message, /is used by endpoint/);
  await house.call("DELETE", `/v1/endpoints/${endpoint.id}`);
  assert.equal((await drop()).status, 204);
  const after = await house.call("GET", `/v1/templates/${kept.id}`);
  assert.equal(after.json.containerRegistryAuthId, "");
});

test("a public template lends nobody its credentials", async (t) => {
  const house = await fakeHouse(t);
  const { json: auth } = await house.call("POST", PATH, made);
  const template = { name: "t", imageName: "i", isPublic: true, containerRegistryAuthId: auth.id };
  const { json: kept } = await house.call("POST", "/v1/templates", template);
  const stranger = await makeStranger(house);
  const body = { ...POD, templateId: kept.id };
  const { json: theirs } = await house.call("POST", "/v1/pods", body, stranger);
  assert.ok(!("containerRegistryAuthId" in theirs));
  const named = { ...body, containerRegistryAuthId: auth.id };
  assert.equal((await house.call("POST", "/v1/pods", named, stranger)).status, 400);
});
