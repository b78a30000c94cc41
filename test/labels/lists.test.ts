// Labels of what costs nothing by itself, and the lists of REST v2 by labels.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestService } from "../fixtures/service/service.ts";
import { newSshKey } from "../fixtures/service/ssh-key.ts";
import { simulatedService } from "../pods/fixture.ts";

const labels = { team: "search", run: "a=b,c" };

/** They are created anew instead of being changed. */
const unchanging = new Set(["ssh-keys", "s3-keys", "containerregistryauth"]);

/** A change of something else, by path. */
const others: Record<string, object> = {
  secrets: { description: "d" },
  reservations: { note: "n" },
};

/** What has labels and costs nothing by itself, with the fields of a body that creates it. */
async function plainBodies({ call }: TestService): Promise<Record<string, object>> {
  const { json: queue } = await call("POST", "/v1/templates", {
    name: "queue",
    imageName: "i",
    isServerless: true,
  });
  const { json: endpoint } = await call("POST", "/v1/endpoints", { templateId: queue.id });
  const until = new Date(Date.now() + 3_600_000).toISOString();
  return {
    templates: { name: "labeled", imageName: "i" },
    schedules: { name: "nightly", endpointId: endpoint.id, cron: "0 2 * * *", input: {} },
    secrets: { name: "token", value: "x" },
    keys: { name: "ci" },
    reservations: { gpuTypeId: "NVIDIA A40", until },
    "ssh-keys": { publicKey: newSshKey().publicKey },
    "s3-keys": { name: "laptop" },
    containerregistryauth: { name: "hub", username: "u", password: "p" },
    budgets: { period: "month", limit: 100 },
  };
}

test("what costs nothing by itself has labels, and lists select by them", async (t) => {
  const service = await simulatedService(t);
  const { call } = service;
  for (const [path, body] of Object.entries(await plainBodies(service))) {
    const { json, text } = await call("POST", `/v1/${path}`, { ...body, labels });
    assert.deepEqual(json.labels, labels, text);
    const listed = async (...filters: string[]) => {
      const query = filters.map((each) => `labels=${encodeURIComponent(each)}`).join("&");
      const list = await call("GET", `/v1/${path}?${query}`);
      return list.json.map((each: { id: string }) => each.id);
    };
    assert.deepEqual(await listed("team=search", "run=a=b,c"), [json.id], path);
    assert.deepEqual(await listed("team=search", "run=a=b"), [], path);
    assert.deepEqual((await call("GET", `/v1/${path}/${json.id}`)).json.labels, labels, path);
    if (unchanging.has(path)) continue;
    const other = others[path] ?? { name: "renamed" };
    const renamed = await call("PATCH", `/v1/${path}/${json.id}`, other);
    assert.deepEqual(renamed.json.labels, labels, renamed.text);
    const changed = await call("PATCH", `/v1/${path}/${json.id}`, { labels: { team: "" } });
    assert.deepEqual(changed.json.labels, { team: "" }, changed.text);
    assert.deepEqual(await listed("team="), [json.id], path);
    const none = await call("PATCH", `/v1/${path}/${json.id}`, { labels: {} });
    assert.deepEqual([none.status, none.json.labels], [200, undefined], none.text);
  }
});

test("GraphQL creates and reads templates, secrets, keys and registry credentials with labels", async (t) => {
  const { call } = await simulatedService(t);
  const list = [{ key: "team", value: "search" }];
  const shown = "labels { key value }";
  const creations: [mutation: string, type: string, input: object, path: string][] = [
    [`saveTemplate(input: $input) { ${shown} }`, "SaveTemplateInput", template, ""],
    [
      `secretCreate(input: $input) { ${shown} }`,
      "SecretCreateInput!",
      { name: "s", value: "v" },
      "",
    ],
    [
      `apiKeyCreate(input: $input) { apiKey { ${shown} } }`,
      ...(["ApiKeyCreateInput!", { name: "k" }, "apiKey"] as const),
    ],
    [
      `saveRegistryAuth(input: $input) { ${shown} }`,
      ...(["SaveRegistryAuthInput", { name: "hub", username: "u", password: "p" }, ""] as const),
    ],
  ];
  for (const [mutation, type, input, path] of creations) {
    const query = `mutation ($input: ${type}) { one: ${mutation} }`;
    const variables = { input: { ...input, labels: list } };
    const { json, text } = await call("POST", "/graphql", { query, variables });
    const { one } = json.data ?? {};
    assert.deepEqual((path === "" ? one : one?.[path])?.labels, list, text);
  }
  const query = `{ myself { podTemplates { ${shown} } secrets { ${shown} } apiKeys { ${shown} } containerRegistryCreds { ${shown} } } }`;
  const { myself } = (await call("POST", "/graphql", { query })).json.data;
  for (const [name, all] of Object.entries(myself as Record<string, object[]>))
    assert.deepEqual(all.at(-1), { labels: list }, name);
});

const template = { name: "t", imageName: "i" };

test("REST v2 lists by labels, and a page goes on where the one before it ended", async (t) => {
  const { call } = await simulatedService(t);
  const cpu = { imageName: "i", computeType: "CPU", cpuFlavorIds: ["cpu3c"], vcpuCount: 2 };
  const { json: queue } = await call("POST", "/v1/templates", { ...template, isServerless: true });
  const bodies: [v1: string, v2: string, list: string, body: object][] = [
    ["pods", "pods", "pods", cpu],
    ["endpoints", "serverless", "endpoints", { templateId: queue.id, workersMax: 0 }],
    ["templates", "templates", "templates", { imageName: "i" }],
    [
      ...(["networkvolumes", "network-volumes", "networkVolumes"] as const),
      { size: 1, dataCenterId: "EU-RO-1" },
    ],
    ["secrets", "account/secrets", "secrets", { value: "x" }],
    ["containerregistryauth", "registries", "registries", { username: "u", password: "p" }],
  ];
  for (const [v1, v2, list, body] of bodies) {
    const ids: string[] = [];
    for (const [n, team] of ["a", "b", "a", "a"].entries()) {
      const { json, text } = await call("POST", `/v1/${v1}`, {
        ...body,
        name: `n${n}`,
        labels: { team, run: `"team":"a"` },
      });
      assert.ok(json.id, text);
      if (team === "a") ids.push(json.id);
    }
    const listedIds: string[] = [];
    const isPaged = !["network-volumes", "account/secrets", "registries"].includes(v2);
    let next = isPaged ? "&limit=2" : "";
    for (;;) {
      const { json, text } = await call("GET", `/v2/${v2}?labels=team%3Da${next}`);
      assert.ok(json[list], text);
      listedIds.push(...json[list].map(({ id }: { id: string }) => id));
      if (!json.pagination?.hasNextPage) break;
      const cursor = json.pagination.nextCursor;
      // A cursor belongs to its filters.
      const other = await call("GET", `/v2/${v2}?labels=team%3Db&cursor=${cursor}`);
      assert.equal(other.status, 422, other.text);
      next = `&limit=2&cursor=${cursor}`;
    }
    assert.deepEqual(listedIds.sort(), ids.sort(), v2);
  }
});

test("REST v2 sets labels of secrets", async (t) => {
  const { call } = await simulatedService(t);
  const path = "/v2/account/secrets";
  const body = { name: "token", value: "x", description: "d", labels };
  const { json, text } = await call("POST", path, body);
  assert.deepEqual(json.labels, labels, text);
  const described = await call("PATCH", `${path}/${json.id}`, { description: "e" });
  assert.deepEqual(described.json.labels, labels, described.text);
  const changed = await call("PATCH", `${path}/${json.id}`, { labels: { team: "vision" } });
  assert.deepEqual(
    [changed.json.labels, changed.json.description, changed.json.valueLastUpdatedAt],
    [{ team: "vision" }, "e", json.valueLastUpdatedAt],
  );
  const none = await call("PATCH", `${path}/${json.id}`, { labels: {} });
  assert.deepEqual([none.status, none.json.labels], [200, undefined], none.text);
});

test("a filter takes as many labels as a resource has", async (t) => {
  const { call } = await simulatedService(t);
  const paths = ["templates", "secrets", "reservations", "pods", "endpoints", "keys", "budgets"];
  const v2 = ["pods", "serverless", "templates", "sandboxes", "clusters", "account/secrets"];
  const all = [...paths.map((each) => `/v1/${each}`), ...v2.map((each) => `/v2/${each}`)];
  const filterOf = (count: number) =>
    Array.from({ length: count }, (_, n) => `labels=l${n}=x`).join("&");
  for (const path of all) {
    const taken = await call("GET", `${path}?${filterOf(50)}`);
    assert.equal(taken.status, 200, taken.text);
    // SQLite refuses a query of 1000 conditions.
    for (const count of [51, 1_010]) {
      const refused = await call("GET", `${path}?${filterOf(count)}`);
      assert.equal(refused.status, path.startsWith("/v2") ? 422 : 400, refused.text);
      assert.match(
        refused.text,
        /a list, each a label such as team=search, and at most 50 of them/,
      );
    }
  }
});

test("a cursor belongs to its labels in any order", async (t) => {
  const { call } = await simulatedService(t);
  for (const name of ["one", "two"])
    await call("POST", "/v1/templates", { ...template, name, labels: { team: "a", run: "b" } });
  const pageOf = (filter: string) => call("GET", `/v2/templates?limit=1&${filter}`);
  const { json: first } = await pageOf("labels=team%3Da&labels=run%3Db");
  const cursor = `cursor=${first.pagination.nextCursor}`;
  const { json: second, text } = await pageOf(`labels=run%3Db&labels=team%3Da&${cursor}`);
  const names = [first, second].map(({ templates }) => templates?.[0]?.name);
  assert.deepEqual(names.sort(), ["one", "two"], text);
  assert.equal((await pageOf(`labels=team%3Da&${cursor}`)).status, 422);
});
