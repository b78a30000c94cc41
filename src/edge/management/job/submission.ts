// The body of run and runsync: `input` stays the client's own text, the rest is validated by its schema.

import Type, { type TSchema } from "typebox";
import type { LongText, TextSpan } from "../../../base/json/body.ts";
import { KeyTable } from "../../../base/json/keys.ts";
import type { JsonValue, Scanned } from "../../../base/json/outline.ts";
import {
  type Policy,
  policySchema,
  s3ConfigSchema,
  submitSchema,
} from "../../../contract/queue/submit.ts";
import { Fault } from "../../../domain/fault.ts";
import { limits } from "../../../domain/protocol.ts";
import { rawBody } from "../../http/body/raw-body.ts";
import type { RouteRequest } from "../../http/request/route.ts";
import { bodyFault, bodyReader } from "../serve/read-body.ts";
import { refusedText } from "../serve/refused-text.ts";

export const SUBMIT_KEYS = new KeyTable(["input", "webhook", "policy", "s3Config", "stream"]);

export interface Submission {
  input: LongText;
  webhook: string | null;
  extras: string | null;
  policy: Policy;
}

export function readSubmission(request: RouteRequest): Submission {
  const { scanned } = rawBody(request);
  if (scanned.kind !== "object") {
    throw new Fault("invalid_body", {
      detail: `The body must be a JSON object with an "input"; it is ${named(scanned.kind)}.`,
    });
  }
  refuseUnknown(scanned);
  const member = (name: string) => present(scanned.members.get(name));
  const text = (value: JsonValue) => scanned.body.cut(value).toString("utf8");
  const webhook = requireShort('"webhook"', member("webhook"));
  const policy = requireShort('"policy"', member("policy"));
  const s3Config = requireShort('"s3Config"', member("s3Config"));
  return {
    input: scanned.body.view(inputOf(scanned.members.get("input"))),
    webhook: webhook ? readWebhook(JSON.parse(text(webhook))) : null,
    policy: policy ? (readPolicy(JSON.parse(text(policy))) as Policy) : {},
    extras: s3Config ? `"s3Config":${checkedText(text(s3Config))}` : null,
  };
}

/** Clients with typed bodies send null for an absent member. */
function present(value: JsonValue | undefined): JsonValue | null {
  return value && value.kind !== "null" ? value : null;
}

/** A longer part of a body than its values need is refused unread: to parse it would keep other requests waiting. */
export function requireShort<Part extends TextSpan | null>(name: string, part: Part): Part {
  if (part === null || part.end - part.start <= limits.memberBytes) return part;
  throw new Fault("invalid_body", {
    detail: `${name} is longer than ${limits.memberBytes} bytes.`,
  });
}

/** The names of members that a body has and its reader does not know. */
export function otherNames({ otherKeys, body }: Scanned): string[] {
  return otherKeys.map((key) => {
    requireShort("The name of a member", key);
    return JSON.parse(body.cut(key).toString("utf8")) as string;
  });
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

/** `name` is a member of the submission. Null in a field of `optional` means that the field is absent. */
function memberReader(name: string, schema: TSchema, optional: readonly string[]) {
  const read = bodyReader(Type.Object({ [name]: schema }), undefined);
  return (sent: unknown) =>
    (read({ [name]: withoutNulls(sent, optional) }) as Record<string, unknown>)[name];
}

function withoutNulls(value: unknown, fields: readonly string[]): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const isAbsent = ([name, field]: [string, unknown]) => field === null && fields.includes(name);
  return Object.fromEntries(Object.entries(value).filter((entry) => !isAbsent(entry)));
}

/** The fields of a policy that clients of the hosted service have types for; those of Freehold have no null. */
const HOSTED_POLICY = ["executionTimeout", "ttl", "lowPriority"];

const readPolicy = memberReader("policy", policySchema, HOSTED_POLICY);
const readS3Config = memberReader(
  "s3Config",
  s3ConfigSchema,
  Object.keys(s3ConfigSchema.properties),
);

/** The text as it was sent, or without the fields that are null. */
function checkedText(text: string): string {
  const sent = JSON.parse(text);
  const value = readS3Config(sent);
  return Object.values(sent).includes(null) ? JSON.stringify(value) : text;
}

const MEMBERS = Object.keys(submitSchema.properties);

/** A misspelled member would be ignored, and the job would run without it. */
function refuseUnknown(scanned: Scanned): void {
  const others = otherNames(scanned);
  if (scanned.members.has("stream")) others.push("stream");
  const unknown = others.map((member) => ({ path: member, member, known: MEMBERS }));
  if (unknown.length > 0) throw bodyFault({ unknown, others: [] });
}

/** `value` is the member "webhook" of a body. */
export function readWebhook(value: unknown): string {
  const fault = (what: string) => new Fault("invalid_body", { detail: `"webhook" ${what}.` });
  if (typeof value !== "string") throw fault("must be a string with an http or https URL");
  if (value === "") throw fault("is empty; leave it out, or give an http or https URL");
  if (value.length > 2048) throw fault("is longer than 2048 characters");
  const refused = refusedText(value);
  if (refused !== null) throw fault(refused.complaint);
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw fault(`must be an http or https URL; it is "${value.slice(0, 80)}"`);
  }
  return value;
}
