// No resolver answers with a constant where the schema promises a fact. The test fills a service, reads
// every field of the schema, and reports fields that are empty everywhere.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  buildSchema,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from "graphql";
import { schemaText } from "../../src/contract/graphql/text.ts";
import { ask } from "./ask.ts";
import { absentFields, unshownFields } from "./empty-fields.ts";
import { fillService } from "./filled-service.ts";

const schema = buildSchema(schemaText);

/** Every value that was read, by type and field. */
type Values = Map<string, Set<string>>;

const EMPTY = new Set(["null", "[]", "0", "false", '""', "{}"]);

test("every field is a fact somewhere, or is listed with the reason why it is not", async (t) => {
  const service = await fillService(t);
  const values: Values = new Map();
  const query = schema.getQueryType()!;
  for (const field of Object.values(query.getFields())) {
    // A Pod is read as one of the account's.
    if (field.args.some(isRequiredArgument) || field.name === "pod") continue;
    for (const selection of selections(field)) {
      record(values, query, await ask(service, `{ ${selection} }`));
    }
  }
  const empty = [...values]
    .filter(([, found]) => [...found].every((value) => EMPTY.has(value)))
    .map(([field]) => field);
  const unlisted = empty.filter((field) => !absentFields.has(field) && !unshownFields.has(field));
  assert.deepEqual(unlisted, []);
  const stale = [...absentFields].filter((field) => !empty.includes(field));
  assert.deepEqual(stale, [], "these fields are facts now");
});

/** Documents for a field: one for each of the fields below it, so that none is too large. */
function selections(field: GraphQLField<unknown, unknown>): string[] {
  const type = getNamedType(field.type);
  if (!isObjectType(type)) return [field.name];
  return Object.values(type.getFields()).flatMap((inner) => {
    const selection = select(inner, [type.name]);
    return selection === null ? [] : [`${field.name} { ${selection} }`];
  });
}

const MAX_DEPTH = 4;
/** Types whose fields are read nearer to the root. */
const WHOLE_ELSEWHERE = new Set([
  "GpuType",
  "GpuAvailability",
  "Endpoint",
  "SavingsPlan",
  "NetworkVolume",
  "CpuFlavor",
]);

/** Null for a field that needs arguments, or whose type is on the way already. */
function select(field: GraphQLField<unknown, unknown>, path: string[]): string | null {
  if (field.args.some(isRequiredArgument)) return null;
  const type = getNamedType(field.type);
  if (isLeafType(type)) return field.name;
  if (!isObjectType(type) || path.length >= MAX_DEPTH) return null;
  if (path.length > 1 && WHOLE_ELSEWHERE.has(type.name)) return `${field.name} { id }`;
  if (path.includes(type.name)) return null;
  const inner = Object.values(type.getFields()).map((each) => select(each, [...path, type.name]));
  const present = inner.filter((each) => each !== null);
  return present.length === 0 ? null : `${field.name} { ${present.join(" ")} }`;
}

function record(values: Values, type: GraphQLObjectType, value: unknown): void {
  for (const [name, member] of Object.entries(value as object)) {
    const field = type.getFields()[name]!;
    const inner = getNamedType(field.type);
    const key = `${type.name}.${name}`;
    const found = values.get(key) ?? new Set();
    values.set(key, found);
    const members = [member].flat();
    if (isObjectType(inner)) {
      for (const each of members) if (each !== null) record(values, inner, each);
      found.add(members.some((each) => each !== null) ? "an object" : JSON.stringify(member));
    } else found.add(JSON.stringify(member));
  }
}
