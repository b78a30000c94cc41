// The executor: the schema with its resolvers, and the cache of documents.

import type { Context, GraphqlDeps } from "../schema/context.ts";
import { DocumentCache } from "./documents.ts";
import { executableSchema } from "./executable-schema.ts";
import { type ExecuteDeps, executeRequest } from "./execute.ts";
import type { GraphqlReply } from "./reply.ts";
import type { GraphqlRequest } from "./request.ts";

export type Executor = (
  request: GraphqlRequest,
  context: Context,
  reportError: ExecuteDeps["reportError"],
) => Promise<GraphqlReply>;

export function openExecutor(deps: GraphqlDeps): Executor {
  const schema = executableSchema();
  const documents = new DocumentCache(schema, deps);
  return (request, context, reportError) =>
    executeRequest({ schema, documents, reportError }, request, context);
}
