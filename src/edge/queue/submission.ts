// The body of run and runsync on its way in: `input` stays the client's own text, the rest is
// checked by its schema.

import type { FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import type { LongText } from "../../base/json/body.ts";
import { KeyTable } from "../../base/json/keys.ts";
import type { JsonValue } from "../../base/json/outline.ts";
import { type Policy, policySchema, s3ConfigSchema } from "../../contract/queue/submit.ts";
import { Fault } from "../../domain/fault.ts";
import { rawBody } from "../http/raw-body.ts";

export const SUBMIT_KEYS = new KeyTable(["input", "webhook", "policy", "s3Config", "stream"]);

export interface Submission {
  input: LongText;
  webhook: string | null;
  extras: string | null;
  policy: Policy;
}

export function readSubmission(request: FastifyRequest): Submission {
  const { scanned } = rawBody(request);
  if (scanned.kind !== "object") {
    throw new Fault("invalid_body", {
      detail: `The body must be a JSON object with an "input"; it is ${named(scanned.kind)}.`,
    });
  }
  const member = (name: string) => present(scanned.members.get(name));
  const text = (value: JsonValue) => scanned.body.cut(value).toString("utf8");
  const webhook = member("webhook");
  const policy = member("policy");
  const s3Config = member("s3Config");
  return {
    input: scanned.body.look(inputOf(scanned.members.get("input"))),
    webhook: webhook ? readWebhook(text(webhook)) : null,
    policy: policy ? (check(readPolicy, "policy", text(policy)) as Policy) : {},
    extras: s3Config ? `"s3Config":${checkedText(text(s3Config))}` : null,
  };
}

/** Clients send null for what they leave out. */
function present(value: JsonValue | undefined): JsonValue | null {
  return value && value.kind !== "null" ? value : null;
}

function inputOf(input: JsonValue | undefined): JsonValue {
  if (!input) throw new Fault("invalid_input", { got: "it is missing" });
  if (input.kind !== "object")
    throw new Fault("invalid_input", { got: `it is ${named(input.kind)}` });
  return input;
}

function named(kind: JsonValue["kind"]): string {
  if (kind === "null") return "null";
  if (kind === "true" || kind === "false") return "a boolean";
  return kind === "array" || kind === "object" ? `an ${kind}` : `a ${kind}`;
}

const readPolicy = Compile(policySchema);
const readS3Config = Compile(s3ConfigSchema);

function checkedText(text: string): string {
  check(readS3Config, "s3Config", text);
  return text;
}

function check<Schema extends TSchema>(
  schema: ReturnType<typeof Compile<Schema>>,
  name: string,
  text: string,
): unknown {
  const value: unknown = JSON.parse(text);
  if (schema.Check(value)) return value;
  const [first] = schema.Errors(value);
  const place = `${name}${first?.instancePath.replaceAll("/", ".") ?? ""}`;
  throw new Fault("invalid_body", { detail: `"${place}" ${first?.message ?? "is not valid"}.` });
}

function readWebhook(text: string): string {
  const value: unknown = JSON.parse(text);
  const fault = (what: string) => new Fault("invalid_body", { detail: `"webhook" ${what}.` });
  if (typeof value !== "string") throw fault("must be a string with an http or https URL");
  if (value === "") throw fault("is empty; leave it out, or give an http or https URL");
  if (value.length > 2048) throw fault("is longer than 2048 characters");
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw fault(`must be an http or https URL; it is "${value.slice(0, 80)}"`);
  }
  return value;
}
