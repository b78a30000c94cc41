// Checks responses against the OpenAPI document: every field is known and has its type. Every
// request of a test's service passes through here.

import assert from "node:assert/strict";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { operations } from "../../src/contract/openapi.ts";
import type { Operation, Operations } from "../../src/contract/operation.ts";
import { operationsV2 } from "../../src/contract/rest-v2/operations.ts";
import { problem } from "../../src/contract/rest-v2/problem.ts";
import { isRestV2Path } from "../../src/domain/reserved-words.ts";
import { RouteTable } from "../fixtures/routes.ts";

interface Answered {
  status: number;
  headers: Headers;
  text: string;
  json: unknown;
}

/** Errors of these routes have the form that the platform's clients expect. */
const IN_ANOTHERS_FORM = /\/openai\//;

/**
 * Fails if a response differs from its operation's documentation; undocumented routes pass. Returns
 * the operation if its response is JSON, or has no schema.
 */
export function conforms(method: string, path: string, answer: Answered): Operation | null {
  const routeV2 = routesV2.routeFor(method, path);
  if (routeV2) return conformsToV2(routeV2, method, path, answer);
  const route = contractRoutes.routeFor(method, path);
  if (route === null || IN_ANOTHERS_FORM.test(path) || isRestV2Path(path)) return null;
  const what = describe(method, path, answer);
  if (answer.status >= 400) {
    const fault = answer.json as Record<string, unknown> | null;
    const { error, message, code, status: statusInBody } = fault ?? {};
    assert.ok(typeof error === "string" && typeof code === "string", what);
    assert.deepEqual([message, statusInBody], [error, answer.status], what);
    return null;
  }
  return conformsToSchema(route, answer, what);
}

const describe = (method: string, path: string, { status, text }: Answered) =>
  `${method} ${path}: ${status} ${text.slice(0, 2_000)}`;

/** The operations of REST v2 have no examples, so none is returned. */
function conformsToV2(route: Asked, method: string, path: string, answer: Answered): null {
  const what = describe(method, path, answer);
  assert.match(answer.headers.get("x-request-id") ?? "", /^[\w-]{5,}$/, what);
  if (answer.status < 400) {
    conformsToSchema(route, answer, what);
    return null;
  }
  assert.match(answer.headers.get("content-type") ?? "", /^application\/problem\+json/, what);
  assert.deepEqual([...problems.Errors(answer.json)], [], what);
  assert.equal((answer.json as { status: number }).status, answer.status, what);
  return null;
}

function conformsToSchema(route: Asked, answer: Answered, what: string): Operation | null {
  const { status, schema } = route.operation.answer;
  const isLastStep = answer.status === 204 && route.operation.alsoNoContent === true;
  if (!isLastStep) assert.equal(answer.status, status, what);
  const type = answer.headers.get("content-type") ?? "";
  if (!schema) return route.operation;
  if (isLastStep || !type.startsWith("application/json")) return null;
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

const contractRoutes = tableOf(operations);
const routesV2 = tableOf(operationsV2);
const problems = Compile(documented(problem));

function tableOf(described: Operations): RouteTable<Asked> {
  return new RouteTable(
    Object.values(described).flatMap((operation) =>
      [operation, ...(operation.also ?? [])].map(({ method, path }) => {
        return { method, path, operation };
      }),
    ),
  );
}

/** A schema that accepts only the named fields. */
export function documented(schema: TSchema): TSchema {
  return closed(schema) as TSchema;
}

/** The same schema, without additional fields in any object. */
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
