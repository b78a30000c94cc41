// What is answered is what the document says: every member known, every member of its type. All that tests
// ask of a house goes through here.

import assert from "node:assert/strict";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { operations } from "../../src/contract/openapi.ts";
import type { Operation } from "../../src/contract/operation.ts";

interface Answered {
  status: number;
  headers: Headers;
  text: string;
  json: unknown;
}

/** Errors there have the form that the clients of others read. */
const IN_ANOTHERS_FORM = /\/openai\//;

/** Fails where an answer is not as its operation is documented; what is not documented passes. */
export function conforms(method: string, path: string, answer: Answered): void {
  const asked = operationAt(method, path);
  if (asked === null || IN_ANOTHERS_FORM.test(path)) return;
  const what = `${method} ${path}: ${answer.status} ${answer.text.slice(0, 2_000)}`;
  const { status, schema } = asked.operation.answer;
  if (answer.status >= 400) {
    const fault = answer.json as Record<string, unknown> | null;
    const { error, message, code, status: told } = fault ?? {};
    assert.ok(typeof error === "string" && typeof code === "string", what);
    assert.deepEqual([message, told], [error, answer.status], what);
    return;
  }
  assert.equal(answer.status, status, what);
  const type = answer.headers.get("content-type") ?? "";
  if (!schema || !type.startsWith("application/json")) return;
  asked.check ??= Compile(closed(schema) as TSchema);
  if (!asked.check.Check(answer.json)) {
    assert.deepEqual([...asked.check.Errors(answer.json)], [], what);
  }
}

interface Asked {
  operation: Operation;
  pattern: RegExp;
  check?: ReturnType<typeof Compile>;
}

const byMethod = new Map<string, Asked[]>();
for (const operation of Object.values(operations)) {
  for (const { method, path } of [operation, ...(operation.also ?? [])]) {
    const pattern = new RegExp(`^${path.replace("{path}", ".+").replace(/\{\w+\}/g, "[^/]+")}$`);
    byMethod.set(method, [...(byMethod.get(method) ?? []), { operation, pattern }]);
  }
}
// A word of its own goes before a variable, as in the router.
for (const all of byMethod.values()) {
  all.sort((a, b) => a.pattern.source.split("[^/]").length - b.pattern.source.split("[^/]").length);
}

function operationAt(method: string, path: string): Asked | null {
  const place = path.split("?")[0]!.replace(/\/{2,}/g, "/");
  return byMethod.get(method)?.find(({ pattern }) => pattern.test(place)) ?? null;
}

/** The same schema where no object takes a member that it does not name. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const inside = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, closed(value)]),
  );
  const names = Object.keys((schema as { properties?: object }).properties ?? {});
  if (names.length === 0 || "additionalProperties" in schema) return inside;
  return { ...inside, additionalProperties: false };
}
