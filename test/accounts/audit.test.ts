// Tests of the audit log: it has the actor of every change over every interface, rejected ones too,
// and never the request's content.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openapi } from "../../src/contract/openapi.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";
import { graphql } from "./separation/graphql.ts";
import { routes } from "./separation/routes.ts";
import { setScene } from "./separation/scene.ts";

interface Entry {
  id: string;
  actor: string;
  operation: string;
  outcome: string;
  resourceType: string;
  resourceId?: string;
  [member: string]: unknown;
}

const POD = { driver: "simulated", imageName: "i", computeType: "CPU", volumeInGb: 0 };

async function log(service: Pick<TestService, "call">, query = "", key?: string): Promise<Entry[]> {
  const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {};
  const answer = await service.call("GET", `/v1/audit?limit=1000&${query}`, undefined, headers);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

async function devOf(service: TestService) {
  const { token } = (
    await service.call("POST", "/v1/invitations", { email: "ada@example.org", role: "dev" })
  ).json;
  const { json } = await service.call("POST", "/v1/invitations/accept", { token });
  const headers = { authorization: `Bearer ${json.key}` };
  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, path, body, headers);
  return { id: json.member.id as string, keyId: json.keyId as string, call };
}

test("a Pod's audit entries have the actor, the interface and what the service did", async (t) => {
  const service = await simulatedService(t);
  const dev = await devOf(service);
  const { json: pod } = await dev.call("POST", "/v1/pods", { ...POD, env: { TOKEN: "hidden" } });
  await until(podsOf(service).reached, pod.id);
  const query = `mutation { podStop(input: {podId: "${pod.id}"}) { id } }`;
  await service.call("POST", "/graphql", { query });
  await dev.call("POST", `/v1/pods/${pod.id}/start`);
  for (const amount of [5, -5]) await service.call("POST", "/v1/balance/credits", { amount });
  await until(podsOf(service).exited, pod.id);
  const entries = await log(service, `resourceId=${pod.id}`);
  const lines = entries.map(({ actor, via, operation, outcome }) => [
    actor,
    via,
    operation,
    outcome,
  ]);
  assert.deepEqual(lines.reverse(), [
    ["member", "rest", "createPod", "done"],
    ["key", "graphql", "podStop", "done"],
    ["member", "rest", "startPod", "done"],
    ["system", "system", "stopPod", "done"],
  ]);
  assert.match(String(entries[0]?.detail), /no credits left/);
  const first = entries.at(-1)!;
  assert.partialDeepStrictEqual(first, {
    resourceType: "pod",
    keyId: dev.keyId,
    memberId: dev.id,
    memberEmail: "ada@example.org",
    address: "127.0.0.1",
  });
  assert.ok(!JSON.stringify(entries).includes("hidden"));
});

test("the audit log is filtered and paged, and only account managers can read it", async (t) => {
  const service = await simulatedService(t);
  const dev = await devOf(service);
  for (const name of ["a", "b", "c"]) {
    assert.equal((await dev.call("POST", "/v1/secrets", { name, value: "v" })).status, 200);
  }
  assert.equal((await dev.call("POST", "/v1/secrets", { name: "a", value: "v" })).status, 400);
  assert.equal((await dev.call("GET", "/v1/audit")).status, 403);
  assert.equal((await dev.call("PATCH", "/v1/account", { webhookSecret: null })).status, 403);
  const own = await log(service, `memberId=${dev.id}`);
  assert.deepEqual(
    own.map(({ operation, outcome, detail = "" }) => `${operation} ${outcome} ${detail}`),
    [
      "updateAccount refused forbidden",
      "createSecret refused name_taken",
      "createSecret done ",
      "createSecret done ",
      "createSecret done ",
      "acceptInvitation done ",
    ],
  );
  const { json: secrets } = await service.call("GET", "/v1/secrets");
  const entries = await log(service, "operation=createSecret&outcome=done");
  const ids = entries.map(({ resourceId }) => resourceId);
  assert.deepEqual(ids.toSorted(), secrets.map(({ id }: { id: string }) => id).toSorted());
  assert.equal((await log(service, `keyId=${dev.keyId}&outcome=refused`)).length, 2);
  assert.deepEqual(await log(service, "endTime=2020-01-01T00:00:00Z"), []);
  const paged: Entry[] = [];
  for (let before = ""; ; ) {
    const page = (await service.call("GET", `/v1/audit?limit=2${before}`)).json as Entry[];
    paged.push(...page);
    if (page.length < 2) break;
    before = `&before=${page.at(-1)!.id}`;
  }
  assert.deepEqual(paged, await log(service));
  for (const wrong of ["limit=0", "before=x", "outcome=maybe", "startTime=yesterday"]) {
    assert.equal((await service.call("GET", `/v1/audit?${wrong}`)).status, 400, wrong);
  }
  const earlier = new Set((await log(service)).map(({ resourceId }) => resourceId));
  await t.test("a repeated request with its Idempotency-Key is no second change", async () => {
    const creations: [string, string, object][] = [
      ["createSecret", "secrets", { name: "once", value: "v" }],
      ["createKey", "keys", { name: "once" }],
      ["createTemplate", "templates", { name: "once", imageName: "x" }],
      ["createBudget", "budgets", { name: "once", period: "day", limit: 1 }],
      ["createPod", "pods", POD],
    ];
    for (const [operation, path, body] of creations) {
      const headers = { "idempotency-key": operation };
      const [first, second] = [
        await service.call("POST", `/v1/${path}`, body, headers),
        await service.call("POST", `/v1/${path}`, body, headers),
      ];
      assert.equal(first.status < 300, true, first.text);
      assert.deepEqual(second.json, first.json);
      const { id } = first.json;
      const entries = await log(service, `operation=${operation}`);
      const about = entries
        .map(({ resourceId }) => resourceId)
        .filter((each) => !earlier.has(each));
      assert.deepEqual(about, [id], operation);
    }
  });
});

test("every change over the management interface is audited, rejected ones too", async (t) => {
  const { ids, own, beta, send, service } = await setScene(t);
  const { paths } = openapi();
  const expected: string[] = [];
  for (const [name, { body }] of Object.entries(routes)) {
    const [method, path] = name.split(" ") as [string, string];
    const operation = paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
    const { operationId, "x-same-as": same } = operation ?? {};
    if (!path.startsWith("/v1/") || ["GET", "HEAD"].includes(method) || operation?.security)
      continue;
    // Jobs have their own history; a quote and a request to workers change nothing; signing out affects only the
    // caller's session.
    const untold = ["signOut", "createQuote", "callEndpoint"].includes(operationId ?? "");
    if (/^\/v1\/(jobs|job-operations|batches)\b/.test(path) || untold) continue;
    const address = path.replace(/:(\w+)/g, (_, param: string) => ids[param]!);
    const { status } = await send(method, address, body?.(ids, own), beta.account);
    expected.push(`${same ?? operationId} ${status < 400 ? "done" : "refused"}`);
  }
  assert.ok(expected.length > 40);
  const earlier = new Set(["createTemplate done", "createEndpoint done", "createPod done"]);
  const entries = (await log(service, "", beta.account))
    .filter(({ via }) => via === "rest")
    .map(({ operation, outcome }) => `${operation} ${outcome}`)
    .filter((line) => !earlier.has(line) || expected.includes(line));
  assert.deepEqual(entries.toSorted(), expected.toSorted());
});

test("every mutation of an account is audited", async (t) => {
  const { ids, beta, send, service } = await setScene(t);
  const expected: string[] = [];
  for (const [name, { document, outcome }] of Object.entries(graphql)) {
    const [type, root] = name.split(".");
    // A login begins without an account.
    if (type !== "Mutation" || root === "createFlashAuthRequest") continue;
    await send("POST", "/graphql", { query: document(ids) }, beta.account);
    expected.push(`${root} ${outcome === "own" ? "done" : "refused"}`);
  }
  const all = await log(service, "", beta.account);
  const entries = all.filter(({ via }) => via === "graphql");
  assert.deepEqual(
    entries.map(({ operation, outcome }) => `${operation} ${outcome}`).toSorted(),
    expected.toSorted(),
  );
  for (const { operation, resourceType } of entries) assert.notEqual(resourceType, "", operation);
});

test("audit entries are deleted after their retention", async (t) => {
  const service = await simulatedService(t, { protocol: { auditKeepMs: 0 } });
  await service.call("POST", "/v1/secrets", { name: "a", value: "v" });
  await until(async () => (await log(service)).length === 0, "");
});
