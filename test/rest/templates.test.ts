// Tests of templates over HTTP: every field with its default and limits, names, changes, releases
// and deletion.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createOtherAccount } from "../fixtures/service/other-account.ts";
import { startService } from "../fixtures/service/service.ts";

const defaults = {
  category: "NVIDIA",
  containerDiskInGb: 50,
  containerRegistryAuthId: "",
  dockerEntrypoint: [],
  dockerStartCmd: [],
  driver: null,
  earned: 0,
  env: {},
  isPublic: false,
  isRunpod: false,
  isServerless: false,
  portLabels: {},
  ports: ["8888/http", "22/tcp"],
  readme: "",
  runtimeInMin: 0,
  volumeInGb: 20,
  volumeMountPath: "/workspace",
};

test("a template has the documented defaults, and is returned complete", async (t) => {
  const service = await startService(t);
  const creation = await service.call("POST", "/v1/templates", { name: "t", imageName: "img:1" });
  assert.equal(creation.status, 200, creation.text);
  const { id, ...rest } = creation.json;
  assert.match(id, /^[a-z0-9]{10}$/);
  assert.deepEqual(rest, { name: "t", imageName: "img:1", ...defaults });
  const read = await service.call("GET", `/v1/templates/${id}`);
  assert.deepEqual(read.json, creation.json);
});

test("every setting is stored as sent", async (t) => {
  const service = await startService(t);
  const settings = {
    name: "Ünïcode 😀",
    imageName: `registry.example.org/a/b@sha256:${"0f".repeat(32)}`,
    category: "CPU",
    containerDiskInGb: 0,
    dockerEntrypoint: ["/bin/sh", "-c"],
    dockerStartCmd: ["echo", "$A"],
    driver: "docker",
    env: { A: "1", __proto__: null, "with.dot": "" },
    isPublic: true,
    isServerless: true,
    portLabels: { "65535": "Last" },
    ports: ["1/tcp", "65535/http"],
    readme: "# Title",
    volumeInGb: 2_147_483_647,
    volumeMountPath: "/",
  };
  const body = JSON.stringify(settings).replace('"with.dot"', '"__proto__":"p","with.dot"');
  const creation = await service.call("POST", "/v1/templates", body);
  assert.equal(creation.status, 200, creation.text);
  const { id, earned, isRunpod, runtimeInMin, containerRegistryAuthId, ...saved } = creation.json;
  assert.deepEqual(saved, JSON.parse(body));
  assert.ok(Object.hasOwn(saved.env, "__proto__"));
  assert.deepEqual((await service.call("GET", `/v1/templates/${id}`)).json, creation.json);
});

const refusals: [title: string, change: Record<string, unknown>, code: string, says: RegExp][] = [
  [
    "no name",
    { name: undefined },
    "invalid_body",
    /"name" is missing; it must be a string of 1 to/,
  ],
  ["no image", { imageName: undefined }, "invalid_body", /"imageName" is missing/],
  ["an empty name", { name: "" }, "invalid_body", /"name" .* 1 to 191 characters; it is ""/],
  ["a long name", { name: "😀".repeat(192) }, "invalid_body", /"name" .*\(192 characters\)/],
  ["a number as image", { imageName: 7 }, "invalid_body", /"imageName" must be .*; it is 7\./],
  ["a category", { category: "TPU" }, "invalid_body", /"category" must be one of "NVIDIA", "AMD"/],
  ["a fraction", { volumeInGb: 1.5 }, "invalid_body", /"volumeInGb" must be a whole number from 0/],
  ["a numeral", { volumeInGb: "20" }, "invalid_body", /"volumeInGb" .* it is "20"/],
  ["too much", { volumeInGb: 2 ** 31 }, "invalid_body", /"volumeInGb"/],
  [
    "a command as text",
    { dockerStartCmd: "a b" },
    "invalid_body",
    /"dockerStartCmd" must be a list/,
  ],
  ["a port", { ports: ["22/tcp", "22/udp"] }, "invalid_body", /"ports\[1\]" .* it is "22\/udp"/],
  ["port 0", { ports: ["0/tcp"] }, "invalid_body", /"0\/tcp"; a port is a number from 1 to 65535/],
  [
    "a path",
    { volumeMountPath: "a" },
    "invalid_body",
    /"volumeMountPath" must be an absolute path/,
  ],
  ["env as a list", { env: [{ key: "A", value: "1" }] }, "invalid_body", /"env" must be .* a list/],
  [
    "an env number",
    { env: { PORT: 80 } },
    "invalid_body",
    /"env\.PORT" must be a string; it is 80/,
  ],
  ["an env name", { env: { "A=B": "1" } }, "invalid_body", /"env" has the name "A=B"/],
  ["a driver", { driver: "podman" }, "invalid_body", /"driver" must be one of "docker"/],
  ["no command", { driver: "process" }, "invalid_body", /an image alone is not enough/],
  ["an unknown key", { imgeName: "x" }, "unknown_field", /"imgeName"\. Did you mean "imageName"\?/],
  ["a read-only key", { earned: 1 }, "unknown_field", /"earned" cannot be set here/],
  ["a registry auth", { containerRegistryAuthId: "a" }, "invalid_body", /there is no "a"/],
];

test("invalid bodies are rejected", async (t) => {
  const service = await startService(t);
  for (const [title, change, code, says] of refusals) {
    await t.test(title, async () => {
      const body = { name: "t", imageName: "i", ...change };
      const answer = await service.call("POST", "/v1/templates", body);
      assert.equal(answer.status, 400, answer.text);
      assert.equal(answer.json.code, code);
      assert.equal(answer.json.status, 400);
      assert.match(answer.json.message, says);
      assert.equal(answer.json.error, answer.json.message);
    });
  }
});

test("all errors are reported at once", async (t) => {
  const service = await startService(t);
  const body = { volumeInGb: -1, ports: [1], nmae: "x", zzz: 1 };
  const { json } = await service.call("POST", "/v1/templates", body);
  for (const part of [
    '"nmae", "zzz"',
    'Did you mean "name"',
    "Valid fields are",
    '"name" is missing',
  ]) {
    assert.ok(json.message.includes(part), json.message);
  }
  assert.match(json.message, /"imageName" is missing.*"ports\[0\]" must be.*"volumeInGb" must be/);
});

test("a body that is not an object, not JSON or too large is rejected", async (t) => {
  const service = await startService(t);
  const post = (body?: string) => service.call("POST", "/v1/templates", body);
  assert.match((await post("[]")).json.message, /The body must be a JSON object; it is a list/);
  assert.equal((await post('{"name":')).json.code, "invalid_json");
  assert.match((await post()).json.message, /"name" is missing/);
  const large = await post(JSON.stringify({ readme: "x".repeat(1_048_576) }));
  assert.equal(large.status, 413);
  assert.match(large.json.message, /1048576 bytes/);
});

test("names are unique in an account, also after a change", async (t) => {
  const service = await startService(t);
  const make = (name: string) => service.call("POST", "/v1/templates", { name, imageName: "i" });
  const first = await make("a");
  const twice = await make("a");
  assert.equal(twice.status, 400);
  assert.equal(twice.json.code, "name_taken");
  const second = await make("b");
  const renamed = await service.call("PATCH", `/v1/templates/${second.json.id}`, { name: "a" });
  assert.equal(renamed.json.code, "name_taken");
  const same = await service.call("PATCH", `/v1/templates/${first.json.id}`, { name: "a" });
  assert.equal(same.status, 200);
});

test("PATCH and POST /update do the same, and change only the given fields", async (t) => {
  const service = await startService(t);
  const creation = await service.call("POST", "/v1/templates", { name: "t", imageName: "i" });
  const address = `/v1/templates/${creation.json.id}`;
  const patched = await service.call("PATCH", address, { readme: "r", env: { A: "1" } });
  assert.deepEqual(patched.json, { ...creation.json, readme: "r", env: { A: "1" } });
  const posted = await service.call("POST", `${address}/update`, { imageName: "j" });
  assert.deepEqual(posted.json, { ...patched.json, imageName: "j" });
  const nothing = await service.call("PATCH", address, {});
  assert.deepEqual(nothing.json, posted.json);
  const fixed = await service.call("PATCH", address, { isServerless: true });
  assert.match(fixed.json.message, /"isServerless" cannot be set here/);
});

test("a template in use cannot be deleted, and an unused one can", async (t) => {
  const service = await startService(t);
  const { json: template } = await service.call("POST", "/v1/templates", {
    name: "t",
    imageName: "i",
  });
  const { json: endpoint } = await service.call("POST", "/v1/endpoints", {
    templateId: template.id,
  });
  const refused = await service.call("DELETE", `/v1/templates/${template.id}`);
  assert.equal(refused.status, 400);
  assert.equal(refused.json.code, "template_in_use");
  assert.ok(refused.json.message.includes(endpoint.id));
  await service.call("DELETE", `/v1/endpoints/${endpoint.id}`);
  const deleted = await service.call("DELETE", `/v1/templates/${template.id}`, undefined, {
    "content-type": "application/json",
  });
  assert.equal(deleted.status, 204);
  assert.equal(deleted.text, "");
  assert.equal(deleted.headers.get("content-type"), null);
  assert.equal((await service.call("GET", `/v1/templates/${template.id}`)).status, 404);
  assert.equal((await service.call("DELETE", `/v1/templates/${template.id}`)).status, 404);
});

test("a template is not deleted while a Pod of the account uses it", async (t) => {
  const service = await startService(t, { drivers: "simulated" });
  const body = { name: "t", imageName: "i", isPublic: true };
  const { json: template } = await service.call("POST", "/v1/templates", body);
  const pod = { driver: "simulated", templateId: template.id };
  const { json: own } = await service.call("POST", "/v1/pods", pod);
  const theirs = await service.call("POST", "/v1/pods", pod, await createOtherAccount(service));
  assert.equal(theirs.status, 201, theirs.text);
  const one = `/v1/templates/${template.id}`;
  const refused = await service.call("DELETE", one);
  assert.deepEqual([refused.status, refused.json.code], [400, "template_in_use"]);
  assert.ok(refused.json.message.includes(`is used by Pod ${own.id};`), refused.json.message);
  await service.call("POST", `/v1/pods/${own.id}/stop`);
  assert.equal((await service.call("DELETE", one)).status, 400, "a stopped one too");
  await service.call("DELETE", `/v1/pods/${own.id}`);
  assert.equal((await service.call("DELETE", one)).status, 204);
});

test("lists omit templates that an endpoint uses, unless requested", async (t) => {
  const service = await startService(t);
  const make = (name: string) => service.call("POST", "/v1/templates", { name, imageName: "i" });
  const free = (await make("free")).json;
  const bound = (await make("bound")).json;
  await service.call("POST", "/v1/endpoints", { templateId: bound.id });
  const list = async (query: string) => (await service.call("GET", `/v1/templates${query}`)).json;
  assert.deepEqual(await list(""), [free]);
  assert.deepEqual(await list("?includeEndpointBoundTemplates=true&limit=1"), [free, bound]);
  const wrong = await service.call("GET", "/v1/templates?includePublicTemplates=maybe");
  assert.match(wrong.json.message, /"includePublicTemplates" must be true or false; it is "maybe"/);
  assert.equal((await service.call("GET", `/v1/templates/${bound.id}`)).status, 200);
});

test("an invalid id is 400, and an unknown one 404", async (t) => {
  const service = await startService(t);
  const wrong = await service.call("GET", "/v1/templates/a%20b");
  assert.equal(wrong.status, 400);
  assert.match(wrong.json.message, /The template id "a b" is not valid/);
  const unknown = await service.call("GET", "/v1/templates/nothere");
  assert.equal(unknown.status, 404);
  assert.equal(unknown.json.code, "template_not_found");
});

test("the same Idempotency-Key creates one template", async (t) => {
  const service = await startService(t);
  const make = (name: string, key: string) =>
    service.call("POST", "/v1/templates", { name, imageName: "i" }, { "idempotency-key": key });
  const first = await make("a", "k1");
  assert.deepEqual((await make("a", "k1")).json, first.json);
  const other = await make("b", "k1");
  assert.equal(other.status, 409);
  const taken = await make("a", "k2");
  assert.equal(taken.json.code, "name_taken");
  await service.call("DELETE", `/v1/templates/${first.json.id}`);
  assert.equal((await make("a", "k2")).status, 200);
});
