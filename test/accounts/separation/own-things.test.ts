// Tests that a member of the role "member" cannot see or change what others of the account have, over every interface.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { buildSchema, type GraphQLObjectType, isInputObjectType } from "graphql";
import { schemaText } from "../../../src/contract/graphql/text.ts";
import { ownFields } from "../../../src/edge/graphql/schema/own-fields.ts";
import { referenceFields } from "../../../src/edge/http/auth/own/references.ts";
import { hasRule, ownRuleOf } from "../../../src/edge/http/auth/own/rules.ts";
import { graphql } from "./graphql.ts";
import { routes } from "./routes.ts";
import { type Ids, memberKey, type Scene, setScene, withoutGrowth } from "./scene.ts";

const schema = buildSchema(schemaText);
const userType = schema.getType("User") as GraphQLObjectType;

interface Needs {
  of?: string;
  area?: string;
}

/** The routes of resources and jobs. Roles alone decide on the others. */
function limitedRoutes({ service }: Scene): string[] {
  const isLimited = (needs: string) => {
    const { of, area } = (JSON.parse(needs) ?? {}) as Needs;
    if (of !== "rest" && of !== "queue") return false;
    return area === undefined || area === "resources" || area === "use";
  };
  return service.service.routes
    .filter(({ needs }) => isLimited(needs))
    .map(({ method, path }) => `${method} ${path}`);
}

const OWNER_RULE = /Your role, member, reaches only what belongs to you: /;

const parts = (name: string) => name.split(" ") as [string, string];

const filled = (path: string, ids: Ids) =>
  path.replace(/:(\w+)|\*/g, (_, name: string | undefined) => ids[name ?? "*"]!);

/** Names of ids that are the same for everyone. */
const COMMON = new Set(["version", "n", "file", "*", "machineId", "accountId"]);
for (const name of ["gpuTypeName", "cpuFlavorName", "dataCenterName", "faultName"])
  COMMON.add(name);

function assertRevealsNothing(answer: string, sent: string, { ids }: Scene, place: string): void {
  const own = Object.entries(ids).filter(([name]) => !COMMON.has(name));
  for (const mark of ["alpha value", ...own.map(([, id]) => id)]) {
    if (!sent.includes(mark))
      assert.ok(!answer.includes(mark), `${place} tells ${mark}: ${answer}`);
  }
}

/** Each of alpha's resources by its path, without what changes by itself. */
async function seenByAlpha({ send, ids, alphaKey }: Scene): Promise<string[]> {
  const moving = /\/(?:exec|logs|metrics|why|events|changes|history)(?:\/|$)/;
  const answers: string[] = [];
  for (const [name, { outcome }] of Object.entries(routes)) {
    const [method, path] = parts(name);
    if (method !== "GET" || outcome !== "hidden" || moving.test(path)) continue;
    if (!/^\/v1\/.*:/.test(path)) continue;
    const { text } = await send("GET", filled(path, ids), undefined, alphaKey);
    answers.push(`${path} ${withoutGrowth(text)}`);
  }
  return answers;
}

test("every route of resources and jobs has a rule for roles that see only their own", async (t) => {
  const scene = await setScene(t, { byMember: true });
  const all = limitedRoutes(scene);
  assert.ok(all.length > 150);
  assert.deepEqual(
    all.filter((name) => !hasRule(...parts(name))),
    [],
  );
  const before = await seenByAlpha(scene);
  const key = await memberKey(scene.send, "member");
  const { ids, own, send } = scene;
  for (const name of all) {
    const [method, path] = parts(name);
    const rule = ownRuleOf(method, path);
    if (rule === "use") continue;
    const body = routes[name]!.body?.(ids, own);
    const answer = await send(method, filled(path, ids), body, key);
    const isList = rule === "collection" && routes[name]!.outcome === "own";
    const { status, text } = answer;
    if (name === "GET /v1/schedule-preview") continue;
    if (isList) assert.ok(status < 300, `${name} ${status} ${text}`);
    else assert.equal(status, 403, `${name} ${status} ${text}`);
    if (!isList && method !== "HEAD") assert.match(text, OWNER_RULE, `${name} ${text}`);
    assertRevealsNothing(text, `${filled(path, ids)} ${JSON.stringify(body)}`, scene, name);
  }
  for (const [name, { document }] of Object.entries(graphql)) {
    const query = document(ids);
    const { text, json } = await send("POST", "/graphql", { query }, key);
    assertRevealsNothing(text, query, scene, name);
    // A key of the member's own may be limited to any endpoint of the account.
    if (graphql[name]!.outcome !== "hidden" || name === "Mutation.apiKeyCreate") continue;
    const nothing = JSON.stringify(json.data ?? null).replace(/"\w+":/g, "");
    assert.match(nothing, /^(?:null|\{+null\}+)$/, `${name} ${text}`);
  }
  assert.deepEqual(await seenByAlpha(scene), before);
});

const NOUN =
  "pod|endpoint|serverless|worker|cluster|sandbox|schedule|batch|batche|job|template|networkVolume|volume|" +
  "containerRegistryAuth|registryAuth|registry|registrie|secret|sshKey|s3Key|flash\\w*";
const REFERENCE = new RegExp(`^(?:${NOUN})(?:s|Ids?)?$`);

/** They are objects, flags, or fields of operations that the role cannot call. */
const NO_REFERENCES = (
  "cluster endpoint endpoints flashAppName flashAuthRequestId flashBootType flashboot networkVolume pod pods secret " +
  "serverless serverlessId template volumes workers"
).split(" ");

test("every field that can name a resource is checked", () => {
  const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType);
  const roots = [schema.getQueryType()!, schema.getMutationType()!, userType];
  const names = new Set([
    ...inputs.flatMap((type) => Object.keys(type.getFields())),
    ...roots.flatMap((type) =>
      Object.values(type.getFields()).flatMap(({ args }) => args.map(({ name }) => name)),
    ),
    ...["openapi.json", "openapi-v2.json"].flatMap(requestFields),
  ]);
  const references = [...names].filter((name) => REFERENCE.test(name));
  assert.ok(references.length > 8);
  const unchecked = references.filter((name) => !(name in referenceFields));
  assert.deepEqual(unchecked.toSorted(), NO_REFERENCES.toSorted());
});

/** The names of the fields of all bodies and queries of an OpenAPI document. */
function requestFields(file: string): string[] {
  const text = readFileSync(path.join(import.meta.dirname, "../../../docs", file), "utf8");
  const document = JSON.parse(text);
  const names = new Set<string>();
  const visited = new Set<unknown>();
  const collect = (schemaPart: unknown): void => {
    if (typeof schemaPart !== "object" || schemaPart === null || visited.has(schemaPart)) return;
    visited.add(schemaPart);
    const { $ref, properties = {} } = schemaPart as { $ref?: string; properties?: object };
    for (const name of Object.keys(properties)) names.add(name);
    if (typeof $ref === "string") {
      const parts = $ref.slice(2).split("/");
      collect(parts.reduce((at, part) => at[part], document));
    }
    for (const part of Object.values(schemaPart)) collect(part);
  };
  for (const operations of Object.values<Record<string, object>>(document.paths)) {
    for (const operation of Object.values(operations)) {
      const { requestBody, parameters = [] } = operation as {
        requestBody?: object;
        parameters?: { in: string; name: string }[];
      };
      collect(requestBody);
      for (const { in: where, name } of parameters) if (where === "query") names.add(name);
    }
  }
  return [...names];
}

test("every field of GraphQL has a row for roles that see only their own", () => {
  const openRoots = [
    "Query.myself",
    "Query.gpuTypes",
    "Query.cpuTypes",
    "Query.cpuFlavors",
    "Query.dataCenters",
    "Query.flashAuthRequestStatus",
    "Mutation.createFlashAuthRequest",
    "Query.countryCodes",
    "Query.serverlessGpuPools",
  ];
  const without = Object.keys(graphql).filter((name) => !(name in ownFields));
  assert.deepEqual(without.toSorted(), openRoots.toSorted());
  const fieldsOf = (type: GraphQLObjectType) =>
    Object.keys(type.getFields()).map((name) => `${type.name}.${name}`);
  const all = [schema.getQueryType()!, schema.getMutationType()!, userType].flatMap(fieldsOf);
  assert.deepEqual(
    Object.keys(ownFields).filter((name) => !all.includes(name)),
    [],
  );
});
