// Tests of unsupported roots: the list may only shrink, and no other root may respond as
// unsupported or always be empty.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
} from "graphql";
import { schemaText } from "../../src/contract/graphql/text.ts";
import { notOfferedResolvers } from "../../src/edge/graphql/not-offered.ts";
import { startService } from "../fixtures/service/service.ts";
import { post } from "./ask.ts";

const empty = {
  listings: [],
  listing: null,
  listingFromRepo: null,
  allAiApiPublicConfigs: [],
  myModels: [],
  myModel: null,
  podMigrationById: null,
};

const refused: Record<string, string> = {
  addModelToRepo: "not_offered",
  removeModelFromRepo: "not_offered",
  createModelRepoUpload: "not_offered",
  completeModelRepoUpload: "not_offered",
  updateModelVersionStatus: "not_offered",
  migratePod: "not_offered",
};

const schema = buildSchema(schemaText);
const roots = [
  ...Object.values(schema.getQueryType()!.getFields()).map((field) => ({ kind: "query", field })),
  ...Object.values(schema.getMutationType()!.getFields()).map((field) => ({
    kind: "mutation",
    field,
  })),
];

/** The smallest valid value of an argument. */
function valueFor(type: GraphQLInputType): string {
  if (isNonNullType(type)) return valueFor(type.ofType);
  if (isListType(type)) return "[]";
  if (isEnumType(type)) return type.getValues()[0]!.name;
  if (isInputObjectType(type)) {
    const needed = Object.values(type.getFields()).filter(isRequiredInputField);
    return `{${needed.map(({ name, type }) => `${name}: ${valueFor(type)}`).join(", ")}}`;
  }
  return (
    { Int: "1", Float: "1", Boolean: "true", JSON: "{}" }[getNamedType(type).name] ?? '"nobody"'
  );
}

function documentFor({ kind, field }: (typeof roots)[number]): string {
  const required = field.args.filter((each: GraphQLArgument) => {
    return isRequiredArgument(each) || isInputObjectType(getNamedType(each.type));
  });
  const args = required.map(({ name, type }) => `${name}: ${valueFor(type)}`).join(", ");
  const selection = isLeafType(getNamedType(field.type)) ? "" : "{ __typename }";
  return `${kind} { ${field.name}${args === "" ? "" : `(${args})`} ${selection} }`;
}

test("exactly the listed roots are unsupported", async (t) => {
  const listed = [...Object.keys(empty), ...Object.keys(refused)].sort();
  const { Query, Mutation } = notOfferedResolvers;
  const built = Object.keys({ ...Query, ...Mutation });
  assert.deepEqual(built.sort(), listed);
  const service = await startService(t);
  for (const root of roots) {
    const { name } = root.field;
    const { json, text } = await post(service, documentFor(root));
    const code = json.errors?.[0].extensions.code;
    if (name in empty)
      assert.deepEqual(json, { data: { [name]: empty[name as keyof typeof empty] } });
    else if (name in refused) assert.equal(code, refused[name], text);
    else assert.doesNotMatch(text, /not offered here/, name);
    assert.ok(!["internal", "invalid_document"].includes(code), `${documentFor(root)} ${text}`);
  }
});
