// Variables as clients send them: an empty string where an enumeration is wanted means that nothing is
// chosen. What a document does not declare is left alone, and never looked at.

import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  type OperationDefinitionNode,
  typeFromAST,
} from "graphql";

type Variables = Record<string, unknown>;

export function withoutEmptyEnums(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Variables,
): Variables {
  const variables: Variables = {};
  for (const { variable, type: written } of variableDefinitions) {
    const name = variable.name.value;
    if (!Object.hasOwn(given, name)) continue;
    const type = typeFromAST(schema, written as never);
    variables[name] = isInputType(type) ? mended(type, given[name]) : given[name];
  }
  return variables;
}

function mended(wanted: GraphQLInputType, value: unknown): unknown {
  const type = getNullableType(wanted) as GraphQLInputType;
  if (isEnumType(type)) return value === "" ? null : value;
  if (isListType(type) && Array.isArray(value)) {
    return value.map((each) => mended(type.ofType, each));
  }
  if (!isInputObjectType(type) || typeof value !== "object" || value === null) return value;
  const fields = type.getFields();
  const entries = Object.entries(value).map(([name, member]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return [name, field ? mended(field.type, member) : member];
  });
  return Object.fromEntries(entries);
}
