// The body of a GraphQL request: a document, its variables, and which of its operations is meant.

import { Fault } from "../../domain/fault.ts";
import { shown } from "../rest-v1/describe.ts";

export interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown>;
  operationName: string | null;
}

/** Deeper than any input, and shallow enough for whatever walks through it. */
const DEEPEST = 64;

/** Throws the fault that says what is wrong with it. */
export function readRequest(body: unknown): GraphqlRequest {
  if (!isObject(body)) {
    const detail = `The body must be a JSON object such as {"query": "{ myself { id } }"}; it is ${shown(body)}.`;
    throw new Fault("invalid_body", { detail });
  }
  const { query, variables, operationName } = body;
  if (typeof query !== "string" || query.trim() === "") {
    throw wrong("query", "a GraphQL document", query);
  }
  if (variables !== undefined && variables !== null && !isObject(variables)) {
    throw wrong("variables", "an object or null", variables);
  }
  if (operationName !== undefined && operationName !== null && typeof operationName !== "string") {
    throw wrong("operationName", "a string or null", operationName);
  }
  if (isTooDeep(variables)) throw new Fault("too_deep", { limit: DEEPEST });
  return { query, variables: variables ?? {}, operationName: operationName || null };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wrong(field: string, takes: string, value: unknown): Fault {
  const detail = `"${field}" must be ${takes}; it is ${shown(value)}.`;
  return new Fault("invalid_body", { detail });
}

/** Layer by layer: the depth of what came must not become that of the stack. */
function isTooDeep(value: unknown): boolean {
  let layer = [value];
  for (let depth = 0; layer.length > 0; depth++) {
    if (depth > DEEPEST) return true;
    layer = layer.flatMap((each) =>
      typeof each === "object" && each !== null ? Object.values(each) : [],
    );
  }
  return false;
}
