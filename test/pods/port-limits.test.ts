// Tests of port limits: of one Pod or template, and of the public TCP ports of an account.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createOtherAccount } from "../fixtures/service/other-account.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { simulatedService } from "./fixture.ts";

const tcp = (count: number) => Array.from({ length: count }, (_, n) => `${70_000 + n}/tcp`);
const pod = { driver: "simulated", imageName: "i" };

function graphql(service: TestService, query: string, variables: unknown) {
  return service.call("POST", "/graphql", { query, variables });
}

test("a Pod with more ports than the setting is refused on create and on update", async (t) => {
  const service = await simulatedService(t);
  const refused = await service.call("POST", "/v1/pods", { ...pod, ports: tcp(40) });
  assert.equal(refused.status, 400, refused.text);
  assert.match(refused.json.error, /"ports" holds 40 ports; a Pod or template may have 16/);
  const created = await service.call("POST", "/v1/pods", { ...pod, ports: tcp(16) });
  assert.equal(created.status, 201, created.text);
  const path = `/v1/pods/${created.json.id}`;
  const update = await service.call("PATCH", path, { ports: tcp(17) });
  assert.equal(update.status, 400);
  assert.match(update.json.error, /"ports" holds 17 ports/);
  const renamed = await service.call("PATCH", path, { name: "renamed", ports: tcp(16) });
  assert.equal(renamed.status, 200, renamed.text);
});

test("GraphQL and templates have the same limit", async (t) => {
  const service = await simulatedService(t, { env: { FREEHOLD_PORTS_PER_POD: "3" } });
  const query = `mutation ($input: PodFindAndDeployOnDemandInput!) {
    podFindAndDeployOnDemand(input: $input) { id } }`;
  const input = { imageName: "i", name: "n", gpuTypeId: "NVIDIA A40", ports: tcp(4).join(",") };
  const deployed = await graphql(service, query, { input });
  assert.match(deployed.json.errors?.[0].message, /"ports" holds 4 ports; .* may have 3/);
  const template = { name: "t", imageName: "i", ports: tcp(4) };
  const refused = await service.call("POST", "/v1/templates", template);
  assert.match(refused.json.error, /"ports" holds 4 ports/);
  const saved = await service.call("POST", "/v1/templates", { ...template, ports: tcp(3) });
  const change = await service.call("PATCH", `/v1/templates/${saved.json.id}`, { ports: tcp(4) });
  assert.match(change.json.error, /"ports" holds 4 ports/);
  const save = `mutation ($input: SaveTemplateInput!) { saveTemplate(input: $input) { id } }`;
  const viaGraphql = await graphql(service, save, {
    input: {
      name: "u",
      imageName: "i",
      ports: tcp(4).join(","),
      containerDiskInGb: 1,
      volumeInGb: 0,
      dockerArgs: "",
      env: [],
    },
  });
  assert.match(viaGraphql.json.errors?.[0].message, /"ports" holds 4 ports/);
});

test("an account's Pods together have at most the public ports of its quota", async (t) => {
  const service = await simulatedService(t, { env: { FREEHOLD_PORTS_PER_ACCOUNT: "5" } });
  const create = (ports: string[], headers?: Record<string, string>) =>
    service.call("POST", "/v1/pods", { ...pod, ports }, headers);
  const first = await create(["80/http", ...tcp(3)]);
  assert.equal(first.status, 201, first.text);
  const refused = await create(tcp(3));
  assert.equal(refused.json.code, "too_many_ports", refused.text);
  assert.match(refused.json.error, /3 public ports.* 3 of .* 5/);
  const second = await create(tcp(2));
  assert.equal(second.status, 201, second.text);
  const grown = await service.call("PATCH", `/v1/pods/${second.json.id}`, { ports: tcp(3) });
  assert.equal(grown.json.code, "too_many_ports", grown.text);
  const same = await service.call("PATCH", `/v1/pods/${second.json.id}`, { ports: tcp(2) });
  assert.equal(same.status, 200, same.text);
  assert.equal((await create(["80/http"])).status, 201);
  // A stopped Pod keeps its ports; a deleted one returns them.
  await service.call("POST", `/v1/pods/${first.json.id}/stop`);
  assert.equal((await create(tcp(1))).json.code, "too_many_ports");
  await service.call("DELETE", `/v1/pods/${first.json.id}`);
  assert.equal((await create(tcp(3))).status, 201);
  const other = await createOtherAccount(service);
  assert.equal((await create(tcp(5), other)).status, 201);
});
