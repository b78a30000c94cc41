// What is answered is what the document says: every member known, every member of its type. All that tests
// ask of a house goes through here.

import assert from "node:assert/strict";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { operations } from "../../src/contract/openapi.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { RouteTable } from "../routes.ts";

interface Answered {
  status: number;
  headers: Headers;
  text: string;
  json: unknown;
}

/** Errors there have the form that the clients of others read. */
const IN_ANOTHERS_FORM = /\/openai\//;

/**
 * Fails where an answer is not as its operation is documented; what is not documented passes. Returns the
 * operation whose JSON it is.
 */
export function conforms(method: string, path: string, answer: Answered): Operation | null {
  const route = asked.at(method, path);
  if (route === null || IN_ANOTHERS_FORM.test(path)) return null;
  const what = `${method} ${path}: ${answer.status} ${answer.text.slice(0, 2_000)}`;
  const { status, schema } = route.operation.answer;
  if (answer.status >= 400) {
    const fault = answer.json as Record<string, unknown> | null;
    const { error, message, code, status: told } = fault ?? {};
    assert.ok(typeof error === "string" && typeof code === "string", what);
    assert.deepEqual([message, told], [error, answer.status], what);
    return null;
  }
  assert.equal(answer.status, status, what);
  const type = answer.headers.get("content-type") ?? "";
  if (!schema || !type.startsWith("application/json")) return null;
  route.check ??= Compile(documented(schema));
  if (!route.check.Check(answer.json)) {
    assert.deepEqual([...route.check.Errors(answer.json)], [], what);
  }
  return route.operation;
}

interface Asked {
  method: string;
  path: string;
  operation: Operation;
  check?: ReturnType<typeof Compile>;
}

const asked = new RouteTable<Asked>(
  Object.values(operations).flatMap((operation) =>
    [operation, ...(operation.also ?? [])].map(({ method, path }) => ({ method, path, operation })),
  ),
);

/** A schema that takes nothing but what it names. */
export function documented(schema: TSchema): TSchema {
  return closed(schema) as TSchema;
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
