// A GraphQL request: a document, its variables and the name of the operation to run, in a body or in a query string.

import { isObject } from "../../../base/json/is-object.ts";
import { Fault } from "../../../domain/fault.ts";
import { shown } from "../../management/serve/describe-schema.ts";

export interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown>;
  operationName: string | null;
  /** False for a GET, which anything on the way may repeat or cache. */
  mayWrite: boolean;
}

/** Whether a GET may run it; throws a fault otherwise. */
export function requireReadOnly({ mayWrite }: GraphqlRequest, operation: string): void {
  if (!mayWrite && operation !== "query") throw postOnly();
}

/** Deeper than any input, and shallow enough for recursive code. */
const MAX_DEPTH = 64;

/** Throws a fault for an invalid body. */
export function readRequest(body: unknown): GraphqlRequest {
  if (!isObject(body)) {
    const detail = `The body must be a JSON object such as {"query": "{ myself { id } }"}; it is ${shown(body)}.`;
    throw new Fault("invalid_body", { detail });
  }
  const { query, variables, operationName, extensions } = body;
  if (query === undefined && isPersistedQuery(extensions)) {
    throw new Fault("persisted_query_not_supported");
  }
  if (typeof query !== "string" || query.trim() === "") {
    throw invalidField("query", "a GraphQL document", query);
  }
  if (variables !== undefined && variables !== null && !isObject(variables)) {
    throw invalidField("variables", "an object or null", variables);
  }
  if (operationName !== undefined && operationName !== null && typeof operationName !== "string") {
    throw invalidField("operationName", "a string or null", operationName);
  }
  if (isTooDeep(variables)) throw new Fault("too_deep", { limit: MAX_DEPTH });
  return {
    query,
    variables: variables ?? {},
    operationName: operationName || null,
    mayWrite: true,
  };
}

/** Reads the request of a GET, as urql sends queries: the members of the body as parameters, the objects as JSON. */
export function readQueryString(parameters: unknown): GraphqlRequest {
  const { query, variables, operationName, extensions } = parameters as Record<string, unknown>;
  if (query === undefined && extensions === undefined) throw postOnly();
  const body = {
    query,
    variables: parseParameter("variables", variables),
    operationName,
    extensions: parseParameter("extensions", extensions),
  };
  return { ...readRequest(body), mayWrite: false };
}

function parseParameter(name: string, value: unknown): unknown {
  if (value === undefined || value === "") return undefined;
  try {
    return JSON.parse(String(value));
  } catch {
    throw invalidField(name, "a JSON object", value);
  }
}

const postOnly = () =>
  new Fault("method_not_allowed", { method: "GET", path: "/graphql", allowed: "POST" });

/** A hash in place of the document, as Apollo's clients and urql send it. */
function isPersistedQuery(extensions: unknown): boolean {
  return isObject(extensions) && isObject(extensions.persistedQuery);
}

function invalidField(field: string, takes: string, value: unknown): Fault {
  const detail = `"${field}" must be ${takes}; it is ${shown(value)}.`;
  return new Fault("invalid_body", { detail });
}

/** Walks layer by layer, so that the depth of the value does not become that of the stack. */
function isTooDeep(value: unknown): boolean {
  let layer = [value];
  for (let depth = 0; layer.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    layer = layer.flatMap((each) =>
      typeof each === "object" && each !== null ? Object.values(each) : [],
    );
  }
  return false;
}
