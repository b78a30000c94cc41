// Variables as clients send them: an empty string for an enum means null. Variables that the document does
// not declare are ignored.

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
  sent: Variables,
): Variables {
  const variables: Variables = {};
  for (const { variable, type: written } of variableDefinitions) {
    const name = variable.name.value;
    if (!Object.hasOwn(sent, name)) continue;
    const type = typeFromAST(schema, written as never);
    variables[name] = isInputType(type) ? withoutEmptyEnum(type, sent[name]) : sent[name];
  }
  return variables;
}

function withoutEmptyEnum(inputType: GraphQLInputType, value: unknown): unknown {
  const type = getNullableType(inputType) as GraphQLInputType;
  if (isEnumType(type)) return value === "" ? null : value;
  if (isListType(type) && Array.isArray(value)) {
    return value.map((each) => withoutEmptyEnum(type.ofType, each));
  }
  if (!isInputObjectType(type) || typeof value !== "object" || value === null) return value;
  const fields = type.getFields();
  const entries = Object.entries(value).map(([name, member]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return [name, field ? withoutEmptyEnum(field.type, member) : member];
  });
  return Object.fromEntries(entries);
}
