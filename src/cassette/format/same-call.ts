// When two calls are the same, and which calls change nothing.

import { isObject } from "./body.ts";
import type { RecordedCall } from "./cassette.ts";

export type Request = Pick<RecordedCall, "method" | "path" | "body">;

/** Calls that change nothing may be repeated. */
export function isRead({ method, path, body }: Request): boolean {
  if (method === "GET" || method === "HEAD") return true;
  const json = body && "json" in body && isObject(body.json) ? body.json : {};
  const isQuery = typeof json.query === "string" && !/\bmutation\b/.test(json.query);
  return /\/graphql(?:\?|$)/.test(path) && isQuery;
}

/** A client's own UUIDs and instants match any others. */
export function callKey({ method, path, body }: Request): string {
  const text = JSON.stringify([method, path, body && sorted(body)]);
  return text.replace(/\{\{(uuid|time)[^{}]*\}\}/g, "{{$1}}");
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}
