// Values in the text of a document: numbers that no Float holds, and errors that name their field.

import {
  type ASTNode,
  BREAK,
  type DocumentNode,
  GraphQLError,
  isValueNode,
  Kind,
  type ValidationRule,
  visit,
} from "graphql";

/** graphql-js reads 1e400 in a document as Infinity, where it refuses the same number in a variable. */
export const finiteNumbers: ValidationRule = (context) => {
  const check = (node: ASTNode & { value: string }) => {
    if (Number.isFinite(Number(node.value))) return;
    const message = `Float cannot represent a value beyond ${Number.MAX_VALUE}: ${node.value}`;
    context.reportError(new GraphQLError(message, { nodes: node }));
  };
  return { IntValue: check, FloatValue: check };
};

/** The error, with the name of the argument or field whose value is wrong. */
export function nameField(document: DocumentNode, error: GraphQLError): GraphQLError {
  const node = error.nodes?.[0];
  const field = node && isValueNode(node) ? fieldOf(document, node) : "";
  if (field === "") return error;
  const message = `"${field}" has an invalid value: ${error.message}`;
  return new GraphQLError(message, { nodes: error.nodes ?? null });
}

/** Such as "input.gpuCount". */
function fieldOf(document: DocumentNode, value: ASTNode): string {
  let names: string[] = [];
  visit(document, {
    enter(node, _key, parent, _path, ancestors) {
      if (node !== value || parent === undefined) return undefined;
      names = [...ancestors, parent].flatMap((each) => ("kind" in each ? nameOf(each) : []));
      return BREAK;
    },
  });
  return names.join(".");
}

function nameOf(node: ASTNode): string[] {
  if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) return [node.name.value];
  return node.kind === Kind.VARIABLE_DEFINITION ? [`$${node.variable.name.value}`] : [];
}
