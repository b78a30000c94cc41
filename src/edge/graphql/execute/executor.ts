// The executor: the schema with its resolvers, and the cache of documents.

import type { GraphqlContext } from "../schema/context.ts";
import { DocumentCache } from "./documents.ts";
import { executableSchema, type ResolverDeps } from "./executable-schema.ts";
import { type ExecuteDeps, executeRequest } from "./execute.ts";
import type { GraphqlReply } from "./reply.ts";
import type { GraphqlRequest } from "./request.ts";

export type Executor = (
  request: GraphqlRequest,
  context: GraphqlContext<ResolverDeps>,
  reportError: ExecuteDeps["reportError"],
) => Promise<GraphqlReply>;

export function openExecutor(limits: { introspection: boolean }): Executor {
  const schema = executableSchema();
  const documents = new DocumentCache(schema, limits);
  return (request, context, reportError) =>
    executeRequest({ schema, documents, reportError }, request, context);
}
