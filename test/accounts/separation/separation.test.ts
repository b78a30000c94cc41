// Tests that one account cannot see or change another's resources, over every interface. Routes and
// fields are read from the service; one without a case fails.

import assert from "node:assert/strict";
import { test } from "node:test";
import { buildSchema, type GraphQLObjectType, isLeafType, isObjectType } from "graphql";
import { WebSocket } from "ws";
import { schemaText } from "../../../src/contract/graphql/text.ts";
import { notOfferedResolvers } from "../../../src/edge/graphql/not-offered.ts";
import type { Answer } from "../../fixtures/service/service.ts";
import { visit } from "../../proxy/client.ts";
import type { Outcome } from "./case.ts";
import { graphql } from "./graphql.ts";
import { routes } from "./routes.ts";
import { type Scene, setScene, withoutGrowth } from "./scene.ts";

const statuses: Record<Outcome, number[]> = {
  hidden: [404],
  own: [200, 201, 204],
  refused: [403],
  invalid: [400, 404],
  open: [200, 400, 404, 405],
  endless: [],
};

/** Parameters that are the same for every account. */
const NOT_OWN = new Set([
  "faultName",
  "version",
  "machineId",
  "n",
  "file",
  "*",
  "gpuTypeName",
  "cpuFlavorName",
  "dataCenterName",
]);

/** Fails if a response contains alpha's text, other than what the request itself contained. */
function assertRevealsNothing(answer: string, sent: string, { ids }: Scene, place: string): void {
  const own = Object.entries(ids).filter(([name]) => !NOT_OWN.has(name));
  for (const mark of ["alpha", ...own.map(([, id]) => id)]) {
    if (!sent.includes(mark))
      assert.ok(!answer.includes(mark), `${place} tells ${mark}: ${answer}`);
  }
}

function filled(path: string, ids: Record<string, string>): string {
  return path.replace(/:(\w+)|\*/g, (whole, name: string | undefined) => {
    const id = ids[name ?? "*"];
    assert.ok(id, `the scene has no ${whole} for ${path}`);
    return id;
  });
}

/** Alpha's view of its resources by path, without fields that change by themselves. */
async function seenByAlpha({ send, ids }: Scene): Promise<string[]> {
  const moving =
    /\/(?:exec|logs|metrics|balance|why|billing|accounts|idle-gpu-hours|installation|faults|audit|events|changes|history)(?:\/|$)/;
  const answers: string[] = [];
  for (const [name, { outcome }] of Object.entries(routes)) {
    const path = name.replace("GET ", "");
    if (!path.startsWith("/v1/") || outcome === "open" || moving.test(path)) continue;
    const { status, text } = await send("GET", filled(path, ids));
    assert.equal(status, 200, `${path} ${text}`);
    answers.push(`${path} ${withoutGrowth(text)}`);
  }
  return answers;
}

test("every route of the service has a case, and every case has a route", async (t) => {
  const { service } = await setScene(t);
  const there = service.service.routes.map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(Object.keys(routes).sort(), there.sort());
});

test("over every route, another account's resources are not found and not changed", async (t) => {
  const scene = await setScene(t);
  const { ids, beta, own, send } = scene;
  const before = await seenByAlpha(scene);
  for (const [name, { outcome, body }] of Object.entries(routes)) {
    const [method, path] = name.split(" ") as [string, string];
    const address = filled(path, ids);
    const payload = body?.(ids, own);
    const sent = `${address} ${JSON.stringify(payload)}`;
    if (outcome !== "endless") {
      const answer = await send(method, address, payload, beta.account);
      const { status, text } = answer;
      assert.ok(statuses[outcome].includes(status), `${name} ${status} ${text}`);
      if (outcome !== "open") assertRevealsNothing(text, sent, scene, name);
    }
    for (const key of [beta.worker, beta.pod]) {
      const { status, text } = await send(method, address, payload, key);
      const may =
        outcome === "open" || name === "POST /graphql" ? [200, 400, 403, 404, 405] : [403];
      assert.ok(may.includes(status), `${name} ${status} ${text}`);
      if (outcome !== "open") assertRevealsNothing(text, sent, scene, name);
    }
  }
  assert.deepEqual(await seenByAlpha(scene), before);
});

const schema = buildSchema(schemaText);

/** Roots, and fields of the account that have a resolver. */
function fieldsThere(): string[] {
  const notOffered = new Set(
    Object.entries(notOfferedResolvers).flatMap(([type, fields]) =>
      Object.keys(fields).map((field) => `${type}.${field}`),
    ),
  );
  const of = (name: string) =>
    Object.values((schema.getType(name) as GraphQLObjectType).getFields()).map((field) => ({
      name: `${name}.${field.name}`,
      field,
    }));
  const user = of("User").filter(
    ({ name, field }) => !isLeafType(field.type) || name in graphql || field.args.length > 0,
  );
  const constant = ["serverlessDiscount"];
  assert.ok(isObjectType(schema.getType("User")));
  return [...of("Query"), ...of("Mutation"), ...user]
    .map(({ name }) => name)
    .filter((name) => !notOffered.has(name))
    .filter((name) => !constant.some((each) => name === `User.${each}`));
}

test("every GraphQL field has a case, and every case has a field", () => {
  assert.deepEqual(Object.keys(graphql).sort(), fieldsThere().sort());
});

test("over GraphQL, another account's resources are not found and not changed", async (t) => {
  const scene = await setScene(t);
  const { ids, beta, send } = scene;
  const before = await seenByAlpha(scene);
  for (const [name, { outcome, document }] of Object.entries(graphql)) {
    const query = document(ids);
    const ask = (key: string) => send("POST", "/graphql", { query }, key);
    const answer = await ask(beta.account);
    if (outcome === "hidden") mustHide(name, answer);
    else assert.equal(answer.json.errors, undefined, `${name} ${answer.text}`);
    if (outcome !== "open") assertRevealsNothing(answer.text, query, scene, name);
    for (const key of [beta.worker, beta.pod]) {
      const { text } = await ask(key);
      if (outcome !== "open") assertRevealsNothing(text, query, scene, name);
    }
  }
  assert.deepEqual(await seenByAlpha(scene), before);
});

/** Reported as not found or forbidden, or null. */
function mustHide(name: string, { json, text }: Answer): void {
  // Clients compare the code of a missing cluster.
  const codes = ["not_found", "invalid_body", "template_not_found", "Cluster not found"];
  const refused = (json.errors ?? []).map(
    (each: { extensions: { code: string } }) => each.extensions.code,
  );
  for (const code of refused as string[]) {
    assert.ok(codes.includes(code) || code.endsWith("_not_found"), `${name} ${text}`);
  }
  const nothing = JSON.stringify(json.data ?? null).replace(/"\w+":/g, "");
  assert.match(nothing, /^(?:null|\{+null\}+)$/, `${name} ${text}`);
}

test("another account has no terminal in a Pod, and no owner's rights through the proxy", async (t) => {
  const { service, ids, beta } = await setScene(t);
  const url = `${service.origin.replace("http", "ws")}/v1/pods/${ids.podId}/exec?command=true`;
  for (const [key, status] of [
    [beta.account, 404],
    [beta.worker, 403],
    [beta.pod, 403],
  ] as const) {
    const socket = new WebSocket(url, ["freehold.exec.v1", `bearer.${key}`]);
    const answered = await new Promise((resolve) => {
      socket.once("open", () => resolve(101));
      socket.once("unexpected-response", (_, response) => resolve(response.statusCode));
      socket.once("error", () => {});
    });
    socket.terminate();
    assert.equal(answered, status);
  }
  // A published page is public to anyone with its address. Nothing else is reachable.
  const page = await visit(service.origin, ids.podId!, 8_888);
  assert.equal(page.status, 200);
  const headers = { authorization: `Bearer ${beta.account}` };
  for (const port of [22, 8_889]) {
    assert.equal((await visit(service.origin, ids.podId!, port, { headers })).status, 404);
  }
});
