// The custom scalars.

import { GraphQLError, type GraphQLScalarType, Kind, valueFromASTUntyped } from "graphql";

type Scalar = Partial<Pick<GraphQLScalarType, "serialize" | "parseValue" | "parseLiteral">>;

/**
 * Clients send a date, with an offset or in UTC, or an empty text where none is set; resolvers return milliseconds since
 * the epoch.
 */
const dateTime: Scalar = {
  serialize: instantText,
  parseValue: instantOrNull,
  parseLiteral: (node) => instantOrNull(node.kind === Kind.STRING ? node.value : undefined),
};

function instantOrNull(value: unknown): string | null {
  return value === "" ? null : instantText(value);
}

function instantText(value: unknown): string {
  const at = typeof value === "number" ? value : isDateText(value) ? parseDate(value) : Number.NaN;
  if (Number.isNaN(new Date(at).getTime())) {
    throw new GraphQLError("A DateTime takes ISO 8601, such as 2030-01-31T18:00:00Z.");
  }
  return new Date(at).toISOString();
}

function isDateText(value: unknown): value is string {
  const [, day, dayOfMonth] =
    (typeof value === "string" && /^(\d{4}-\d\d-(\d\d))(?:[T ]|$)/.exec(value)) || [];
  // JavaScript reads 30 February as 2 March.
  return day !== undefined && new Date(day).getUTCDate() === Number(dayOfMonth);
}

/** JavaScript reads a time without an offset in the time zone of the service's machine, and a date alone in UTC. */
function parseDate(text: string): number {
  const hasOffset = /^.{11}.*[a-z+-]/i.test(text);
  return Date.parse(text.length === 10 || hasOffset ? text : `${text}Z`);
}

const json: Scalar = {
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: valueFromASTUntyped,
};

const port: Scalar = {
  serialize: String,
  parseValue: portText,
  parseLiteral: (node) =>
    portText(node.kind === Kind.INT || node.kind === Kind.STRING ? node.value : undefined),
};

function portText(value: unknown): string {
  const text = typeof value === "number" || typeof value === "string" ? String(value).trim() : "?";
  if (/^\d{0,5}$/.test(text)) return text;
  throw new GraphQLError("A Port takes a number from 1 to 65535.");
}

const nullOnly: Scalar = {
  serialize: () => null,
  parseValue: () => null,
  parseLiteral: () => null,
};

export const scalars: Record<string, Scalar> = {
  DateTime: dateTime,
  JSON: json,
  Port: port,
  Void: nullOnly,
};
