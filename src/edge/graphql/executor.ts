// What answers documents: the schema with all that is behind its fields, and the documents read lately.

import { answer } from "./answer.ts";
import type { Answered } from "./answered.ts";
import type { Context, GraphqlDeps } from "./context.ts";
import { Documents } from "./documents.ts";
import type { GraphqlRequest } from "./request.ts";
import { executableSchema } from "./schema.ts";

export type Executor = (
  asked: GraphqlRequest,
  context: Context,
  /** Logs what nobody foresaw, and says what is told of it. */
  unforeseen: Parameters<typeof answer>[0]["unforeseen"],
) => Promise<Answered>;

export function openExecutor(deps: GraphqlDeps): Executor {
  const schema = executableSchema();
  const documents = new Documents(schema, deps);
  return (asked, context, unforeseen) => answer({ schema, documents, unforeseen }, asked, context);
}
