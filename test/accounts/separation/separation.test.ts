// What one account has is not there for another, over every way in that there is. Routes and fields are
// read from the service itself: one that has no case here fails.

import assert from "node:assert/strict";
import { test } from "node:test";
import { buildSchema, type GraphQLObjectType, isLeafType, isObjectType } from "graphql";
import { WebSocket } from "ws";
import { schemaText } from "../../../src/contract/graphql/text.ts";
import { notOfferedFields } from "../../../src/edge/graphql/not-offered.ts";
import type { Answer } from "../../house.ts";
import { visit } from "../../proxy/client.ts";
import { graphql } from "./graphql.ts";
import { type Outcome, routes } from "./routes.ts";
import { type Scene, setScene } from "./scene.ts";

const statuses: Record<Outcome, number[]> = {
  hidden: [404],
  own: [200, 201, 204],
  refused: [403],
  invalid: [400, 404],
  open: [200, 400, 404, 405],
  endless: [],
};

/** Nothing of alpha's is in an answer but what the asker had said himself. */
function mustNotTell(answer: string, asked: string, { ids }: Scene, place: string): void {
  const { machineId: _, n: __, file: ___, "*": ____, ...own } = ids;
  for (const mark of ["alpha", ...Object.values(own)]) {
    if (!asked.includes(mark))
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

/** What alpha sees of its own, path by path, but for what changes by itself. */
async function seenByAlpha({ send, ids }: Scene): Promise<string[]> {
  const moving =
    /\/(?:exec|logs|metrics|balance|why|billing|accounts|audit|events|changes)(?:\/|$)/;
  const seen: string[] = [];
  for (const [name, { outcome }] of Object.entries(routes)) {
    const path = name.replace("GET ", "");
    if (!path.startsWith("/v1/") || outcome === "open" || moving.test(path)) continue;
    const { status, text } = await send("GET", filled(path, ids));
    assert.equal(status, 200, `${path} ${text}`);
    // A job's story counts on.
    seen.push(`${path} ${text.replace(/"story":"[^"]*"/, "")}`);
  }
  return seen;
}

test("every route of the service has its case, and every case its route", async (t) => {
  const { house } = await setScene(t);
  const there = house.house.routes.map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(Object.keys(routes).sort(), there.sort());
});

test("over every route, what another account has is not there and stays as it is", async (t) => {
  const scene = await setScene(t);
  const { ids, beta, own, send } = scene;
  const before = await seenByAlpha(scene);
  for (const [name, { outcome, body }] of Object.entries(routes)) {
    const [method, path] = name.split(" ") as [string, string];
    const address = filled(path, ids);
    const given = body?.(ids, own);
    const asked = `${address} ${JSON.stringify(given)}`;
    if (outcome !== "endless") {
      const answer = await send(method, address, given, beta.account);
      const { status, text } = answer;
      assert.ok(statuses[outcome].includes(status), `${name} ${status} ${text}`);
      if (outcome !== "open") mustNotTell(text, asked, scene, name);
    }
    for (const key of [beta.worker, beta.pod]) {
      const { status, text } = await send(method, address, given, key);
      const may =
        outcome === "open" || name === "POST /graphql" ? [200, 400, 403, 404, 405] : [403];
      assert.ok(may.includes(status), `${name} ${status} ${text}`);
      if (outcome !== "open") mustNotTell(text, asked, scene, name);
    }
  }
  assert.deepEqual(await seenByAlpha(scene), before);
});

const schema = buildSchema(schemaText);

/** Roots, and fields of the account that something resolves. */
function fieldsThere(): string[] {
  const notOffered = new Set(
    Object.entries(notOfferedFields).flatMap(([type, fields]) =>
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
  const constant = ["cluster", "clusters", "flashApps"];
  constant.push("serverlessDiscount");
  assert.ok(isObjectType(schema.getType("User")));
  return [...of("Query"), ...of("Mutation"), ...user]
    .map(({ name }) => name)
    .filter((name) => !notOffered.has(name))
    .filter((name) => !constant.some((each) => name === `User.${each}`));
}

test("every field of GraphQL has its case, and every case its field", () => {
  assert.deepEqual(Object.keys(graphql).sort(), fieldsThere().sort());
});

test("over GraphQL, what another account has is not there and stays as it is", async (t) => {
  const scene = await setScene(t);
  const { ids, beta, send } = scene;
  const before = await seenByAlpha(scene);
  for (const [name, { outcome, document }] of Object.entries(graphql)) {
    const query = document(ids);
    const ask = (key: string) => send("POST", "/graphql", { query }, key);
    const answer = await ask(beta.account);
    if (outcome === "hidden") mustHide(name, answer);
    else assert.equal(answer.json.errors, undefined, `${name} ${answer.text}`);
    if (outcome !== "open") mustNotTell(answer.text, query, scene, name);
    for (const key of [beta.worker, beta.pod]) {
      const { text } = await ask(key);
      if (outcome !== "open") mustNotTell(text, query, scene, name);
    }
  }
  assert.deepEqual(await seenByAlpha(scene), before);
});

/** Refused as what is not there or not one's own, or nothing. */
function mustHide(name: string, { json, text }: Answer): void {
  const codes = ["not_found", "invalid_body", "template_not_found"];
  const refused = (json.errors ?? []).map(
    (each: { extensions: { code: string } }) => each.extensions.code,
  );
  for (const code of refused as string[]) {
    assert.ok(codes.includes(code) || code.endsWith("_not_found"), `${name} ${text}`);
  }
  const nothing = JSON.stringify(json.data ?? null).replace(/"\w+":/g, "");
  assert.match(nothing, /^(?:null|\{+null\}+)$/, `${name} ${text}`);
}

test("no terminal in another's Pod, and no look through the proxy with its owner's rights", async (t) => {
  const { house, ids, beta } = await setScene(t);
  const url = `${house.origin.replace("http", "ws")}/v1/pods/${ids.podId}/exec?command=true`;
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
  // A page is for whoever knows its address: that is what it is published for. Nothing else is reached.
  const page = await visit(house.origin, ids.podId!, 8_888);
  assert.equal(page.status, 200);
  const headers = { authorization: `Bearer ${beta.account}` };
  for (const port of [22, 8_889]) {
    assert.equal((await visit(house.origin, ids.podId!, port, { headers })).status, 404);
  }
});
