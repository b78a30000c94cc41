// One request: its document read, executed, and its answer put into the one form that clients know.
// Where all went well there is no `errors` at all: some take its mere presence for a failure.

import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
} from "graphql";
import { Fault } from "../../domain/fault.ts";
import { faultBody } from "../http/faults.ts";
import { type Answered, statusFault } from "./answered.ts";
import type { Context } from "./context.ts";
import type { Documents } from "./documents.ts";
import { refusalOf } from "./refusals.ts";
import type { GraphqlRequest } from "./request.ts";
import { withoutEmptyEnums } from "./variables.ts";

export interface Executing {
  schema: GraphQLSchema;
  documents: Documents;
  /** Logs what nobody foresaw, and says what is told of it. */
  unforeseen: (error: unknown) => Fault;
}

export async function answer(
  { schema, documents, unforeseen }: Executing,
  { query, variables, operationName }: GraphqlRequest,
  context: Context,
): Promise<Answered> {
  const document = documents.read(query);
  if (!("kind" in document)) return answered({ errors: document }, unforeseen);
  const operation = meant(document, operationName);
  if (context.once && (operation.operation !== "mutation" || rootsOf(operation) !== 1)) {
    const detail = "An Idempotency-Key takes a document of one mutation.";
    throw new Fault("invalid_query", { detail });
  }
  const result = await execute({
    schema,
    document,
    contextValue: context,
    operationName,
    variableValues: withoutEmptyEnums(schema, operation, variables),
  });
  return answered(result, unforeseen);
}

function answered(
  { data = null, errors }: ExecutionResult | { data?: null; errors: readonly GraphQLError[] },
  unforeseen: Executing["unforeseen"],
): Answered {
  if (!errors || errors.length === 0) {
    return { status: 200, retryAfterS: null, body: JSON.stringify({ data }) };
  }
  const told = errors.map((error) => refusalOf(error, unforeseen));
  const fault = statusFault(told.map((each) => each.fault));
  const body = { ...(fault && faultBody(fault)), data, errors: told.map(({ refusal }) => refusal) };
  return {
    status: fault?.status ?? 200,
    retryAfterS: fault?.retryAfterS ?? null,
    body: JSON.stringify(body),
  };
}

function meant(document: DocumentNode, name: string | null): OperationDefinitionNode {
  const operation = getOperationAST(document, name);
  if (operation) return operation;
  const detail = name
    ? `The document has no operation "${name.slice(0, 80)}".`
    : 'The document has several operations; "operationName" must say which is meant.';
  throw new Fault("invalid_document", { detail });
}

/** Fields and fragments at the root; a fragment counts as more than one, for it may hold more. */
function rootsOf({ selectionSet }: OperationDefinitionNode): number {
  const { selections } = selectionSet;
  return selections.length + selections.filter(({ kind }) => kind !== "Field").length;
}
