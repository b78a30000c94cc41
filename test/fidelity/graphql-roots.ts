// The roots of the schema that a document requested and that were answered.

import { Kind, type OperationDefinitionNode, parse } from "graphql";

/** Names such as "query myself"; none if the document or the response is incomplete. */
export function provenRoots(body: string, answer: string): string[] {
  const { query, operationName } = parsed(body);
  const { data, errors = [] } = parsed(answer);
  if (typeof query !== "string" || !data) return [];
  const operations = parse(query).definitions.filter(
    (each): each is OperationDefinitionNode => each.kind === Kind.OPERATION_DEFINITION,
  );
  const operation =
    operations.length === 1
      ? operations[0]
      : operations.find(({ name }) => name?.value === operationName);
  const failed = new Set((errors as { path?: string[] }[]).map(({ path }) => path?.[0]));
  return (operation?.selectionSet.selections ?? []).flatMap((field) => {
    if (field.kind !== Kind.FIELD || field.name.value.startsWith("__")) return [];
    const shown = field.alias?.value ?? field.name.value;
    return shown in data && !failed.has(shown)
      ? [`${operation!.operation} ${field.name.value}`]
      : [];
  });
}

// biome-ignore lint/suspicious/noExplicitAny: it reads whatever came
function parsed(text: string): any {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
