// Validation of request bodies by their schemas, as the console's forms use it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type BodySchema, fieldsInMessage, validateBody } from "../../console/src/validate-body.ts";

const schema: BodySchema = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", minLength: 1, maxLength: 5 },
    size: { type: "integer", minimum: 1, maximum: 10 },
    disk: { anyOf: [{ type: "integer", minimum: 0 }, { type: "null" }] },
    timeout: {
      type: "integer",
      anyOf: [{ const: 0 }, { minimum: 5_000 }],
      "x-takes": "0 or 5000 and more",
    },
    rule: {
      anyOf: [
        { type: "object", properties: { minutes: { type: "integer", minimum: 1 } } },
        { type: "null" },
      ],
      "x-takes": "an object with minutes, or null",
    },
    path: { type: "string", pattern: "^/", "x-takes": "an absolute path" },
    period: { type: "string", enum: ["day", "month"] },
    ports: {
      type: "array",
      items: { type: "string", pattern: "^[0-9]+/tcp$", "x-takes": "a port" },
    },
    limits: {
      type: "object",
      additionalProperties: { anyOf: [{ type: "integer", minimum: 0 }, { type: "null" }] },
    },
  },
};

const examples: [body: object, errors: Record<string, string>][] = [
  [{ name: "a" }, {}],
  [{}, { name: "Required" }],
  [{ name: "" }, { name: "Required" }],
  [{ name: "longer" }, { name: "At most 5 characters" }],
  [{ name: "a", size: Number.NaN }, { size: "Enter a number" }],
  [{ name: "a", size: 1.5 }, { size: "Enter a whole number" }],
  [{ name: "a", rule: { minutes: 0 } }, { rule: "Must be at least 1" }],
  [{ name: "a", rule: "x" }, { rule: "Must be an object with minutes, or null" }],
  [{ name: "a", size: 0 }, { size: "Must be at least 1" }],
  [{ name: "a", size: 11 }, { size: "Must be at most 10" }],
  [{ name: "a", disk: null }, {}],
  [{ name: "a", disk: -1 }, { disk: "Must be at least 0" }],
  [{ name: "a", timeout: 0 }, {}],
  [{ name: "a", timeout: 7 }, { timeout: "Must be 0 or 5000 and more" }],
  [{ name: "a", path: "workspace" }, { path: "Must be an absolute path" }],
  [{ name: "a", period: "year" }, { period: "Must be one of day, month" }],
  [{ name: "a", ports: ["22/tcp", "x"] }, { ports: "x: Must be a port" }],
  [{ name: "a", limits: { A40: 2, L4: null } }, {}],
  [{ name: "a", limits: { A40: Number.NaN } }, { limits: "A40: Enter a number" }],
];

test("each schema rule has a message", () => {
  for (const [body, errors] of examples) {
    assert.deepEqual(validateBody(schema, body), errors, JSON.stringify(body));
  }
});

test("the sentences of an error are assigned to the fields that they name", () => {
  const message = '"name" must be a string. "ports[0]" takes a port. Try again.';
  assert.deepEqual(fieldsInMessage(message, ["name", "ports"]), {
    name: '"name" must be a string.',
    ports: '"ports[0]" takes a port. Try again.',
  });
  assert.deepEqual(fieldsInMessage("No capacity.", ["name"]), {});
});
