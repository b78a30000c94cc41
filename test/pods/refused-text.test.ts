// Strings with a NUL character are refused wherever they could reach a container engine, and those with half of a
// surrogate pair wherever a store would keep another character.

import assert from "node:assert/strict";
import { test } from "node:test";
import { simulatedService } from "./fixture.ts";

const NUL = "a\0b";
const image = { imageName: "i" };
const command = ["true", NUL];

const fields: [field: string, body: object][] = [
  ["name", { name: NUL }],
  ["imageName", { imageName: NUL }],
  ["dockerStartCmd[1]", { dockerStartCmd: command }],
  ["dockerEntrypoint[1]", { dockerEntrypoint: command }],
  ["volumeMountPath", { volumeMountPath: `/${NUL}` }],
  ["env.A", { env: { A: `{{ RUNPOD_SECRET_x }}${NUL}` } }],
  ["env", { env: { [NUL]: "v" } }],
];

test("the management interface refuses a NUL character and names the field", async (t) => {
  const service = await simulatedService(t);
  const refuses = async (method: string, path: string, field: string, body: object) => {
    const { status, json, text } = await service.call(method, path, body);
    assert.equal(status, 400, `${method} ${path} ${field}: ${text}`);
    assert.ok(json.error.includes(`"${field}`), `${field}: ${json.error}`);
  };
  await service.call("POST", "/v1/secrets", { name: "x", value: "the-secret-value" });
  const { json: pod } = await service.call("POST", "/v1/pods", { driver: "simulated", ...image });
  const { json: template } = await service.call("POST", "/v1/templates", { name: "t", ...image });
  for (const [field, body] of fields) {
    await refuses("POST", "/v1/pods", field, { driver: "simulated", ...image, ...body });
    await refuses("PATCH", `/v1/pods/${pod.id}`, field, body);
    await refuses("POST", "/v1/templates", field, { name: "u", ...image, ...body });
    await refuses("PATCH", `/v1/templates/${template.id}`, field, body);
  }
  const auth = { name: "hub", username: "me", password: NUL };
  await refuses("POST", "/v1/containerregistryauth", "password", auth);
  const { text } = await service.call("GET", "/v1/audit");
  assert.ok(!text.includes("the-secret-value"));
});

test("the management interfaces refuse half of a surrogate pair, and take a whole one", async (t) => {
  const service = await simulatedService(t);
  const half = "a\ud83d";
  const v1 = await service.call("POST", "/v1/templates", { name: "t", ...image, env: { A: half } });
  assert.deepEqual([v1.status, v1.json.code], [400, "invalid_body"]);
  assert.equal(v1.json.error, '"env.A" has half of a surrogate pair, which no text may have.');
  const v2 = await service.call("POST", "/v2/templates", { name: half, image: "i" });
  assert.equal(v2.status, 422);
  assert.match(v2.text, /\$\.name: has half of a surrogate pair/);
  const query =
    'mutation ($n: String!) { saveTemplate(input: { name: $n, imageName: "i" }) { name } }';
  const save = (n: string) => service.call("POST", "/graphql", { query, variables: { n } });
  assert.match((await save(half)).json.errors[0].message, /"name" has half of a surrogate pair/);
  assert.equal((await save("a\u{1f600}")).json.data.saveTemplate.name, "a\u{1f600}");
});

test("GraphQL refuses it too", async (t) => {
  const service = await simulatedService(t);
  const query = `mutation ($input: PodFindAndDeployOnDemandInput!) {
    podFindAndDeployOnDemand(input: $input) { id } }`;
  const pod = { imageName: "i", name: "n", gpuTypeId: "NVIDIA A40" };
  const env = [{ key: "A", value: NUL }];
  for (const [field, input] of [
    ["env.A", { ...pod, env }],
    ["imageName", { ...pod, imageName: NUL }],
    ["dockerArgs", { ...pod, dockerArgs: NUL }],
  ] as const) {
    const { json } = await service.call("POST", "/graphql", { query, variables: { input } });
    assert.match(json.errors[0].message, /NUL/);
    assert.ok(json.errors[0].message.includes(`"${field}"`), json.errors[0].message);
  }
  const save = `mutation ($input: SaveTemplateInput!) { saveTemplate(input: $input) { id } }`;
  const template = { name: "u", imageName: "i", containerDiskInGb: 1, volumeInGb: 0 };
  const input = { ...template, dockerArgs: "", env };
  const { json } = await service.call("POST", "/graphql", { query: save, variables: { input } });
  assert.match(json.errors[0].message, /"env.A".*NUL/);
});
