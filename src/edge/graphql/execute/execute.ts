// Executes one request. A reply without errors has no `errors` field: some clients take its presence for a
// failure.

import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
} from "graphql";
import { Fault } from "../../../domain/fault.ts";
import { faultBody } from "../../http/faults.ts";
import type { GraphqlContext } from "../schema/context.ts";
import { refusalOf } from "../schema/graphql-error.ts";
import type { DocumentCache } from "./documents.ts";
import type { ResolverDeps } from "./executable-schema.ts";
import { type GraphqlReply, statusFault } from "./reply.ts";
import { type GraphqlRequest, requireReadOnly } from "./request.ts";
import { withoutEmptyEnums } from "./variables.ts";

export interface ExecuteDeps {
  schema: GraphQLSchema;
  documents: DocumentCache;
  /** Logs an unexpected error and returns the fault that the client gets. */
  reportError: (error: unknown) => Fault;
}

export async function executeRequest(
  { schema, documents, reportError }: ExecuteDeps,
  request: GraphqlRequest,
  context: GraphqlContext<ResolverDeps>,
): Promise<GraphqlReply> {
  const { query, variables, operationName } = request;
  const document = documents.read(query);
  if (!("kind" in document)) return renderResult({ errors: document }, reportError);
  const operation = selectOperation(document, operationName);
  requireReadOnly(request, operation.operation);
  if (context.once && (operation.operation !== "mutation" || countRoots(operation) !== 1)) {
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
  return renderResult(result, reportError);
}

function renderResult(
  { data = null, errors }: ExecutionResult | { data?: null; errors: readonly GraphQLError[] },
  reportError: ExecuteDeps["reportError"],
): GraphqlReply {
  if (!errors || errors.length === 0) {
    return { status: 200, retryAfterS: null, body: JSON.stringify({ data }) };
  }
  const refusals = errors.map((error) => refusalOf(error, reportError));
  const fault = statusFault(refusals.map((each) => each.fault));
  const body = {
    ...(fault && faultBody(fault)),
    data,
    errors: refusals.map(({ refusal }) => refusal),
  };
  return {
    status: fault?.status ?? 200,
    retryAfterS: fault?.retryAfterS ?? null,
    body: JSON.stringify(body),
  };
}

function selectOperation(document: DocumentNode, name: string | null): OperationDefinitionNode {
  const operation = getOperationAST(document, name);
  if (operation) return operation;
  const detail = name
    ? `The document has no operation "${name.slice(0, 80)}".`
    : 'The document has several operations; "operationName" must say which is meant.';
  throw new Fault("invalid_document", { detail });
}

/** Counts the selections at the root. A fragment counts as two, since it may select several fields. */
function countRoots({ selectionSet }: OperationDefinitionNode): number {
  const { selections } = selectionSet;
  return selections.length + selections.filter(({ kind }) => kind !== "Field").length;
}
