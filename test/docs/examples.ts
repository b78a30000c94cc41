// The examples of the OpenAPI document, recorded from requests and responses of tests. With
// FREEHOLD_EXAMPLES=write, tests record missing and outdated ones.

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { operations } from "../../src/contract/openapi.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { documented } from "./conforms.ts";

const FILE = path.join(import.meta.dirname, "..", "..", "src", "contract", "examples.json");

export interface Example {
  body?: unknown;
  answer?: unknown;
}

/** The committed examples by operation id. */
export function readExamples(): Record<string, Example> {
  return JSON.parse(readFileSync(FILE, "utf8"));
}

/** The errors of an example; empty if it is valid. */
export function faultsOf(operation: Operation, example: Example = {}): string[] {
  const { body, answer } = operation;
  return [
    ...partFaults("body", body, example.body),
    ...partFaults("answer", answer.schema, example.answer),
  ];
}

function partFaults(part: string, schema: TSchema | undefined, value: unknown): string[] {
  if (!schema) return [];
  if (value === undefined) return [`no ${part}`];
  const check = Compile(documented(schema));
  return check.Check(value)
    ? []
    : [...check.Errors(value)].map(({ message }) => `${part} ${message}`);
}

/** Records a response as the example of its operation, if one is missing and recording is on. */
export function keepExample(operation: Operation, body: unknown, answer: unknown): void {
  if (process.env.FREEHOLD_EXAMPLES !== "write") return;
  const [name] = Object.entries(operations).find(([, each]) => each === operation)!;
  const all = readExamples();
  const example = {
    ...(operation.body && body !== undefined && { body: plain(body) }),
    ...(operation.answer.schema && { answer: plain(answer) }),
  };
  if (faultsOf(operation, all[name]).length === 0 || faultsOf(operation, example).length > 0)
    return;
  const sorted = Object.entries({ ...all, [name]: example }).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

const LONGEST_LIST = 2;

/** Shortened, without usable keys or test ports. */
function plain(value: unknown): unknown {
  if (typeof value === "string") {
    return value
      .replace(/\b(fh[ci]?_|whsec_|rps_)[\w/+=-]{16,}/g, "$1...")
      .replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:8700");
  }
  if (Array.isArray(value)) return value.slice(0, LONGEST_LIST).map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
}
