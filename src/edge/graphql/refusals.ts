// How a refusal looks in GraphQL: an entry of `errors` whose message is the sentence of the catalogue.
// The status stays 200, for clients look at nothing else then; but what says who may ask, and what the
// service itself is to blame for, keeps its own.

import { GraphQLError } from "graphql";
import { Fault } from "../../domain/fault.ts";
import { faultBody } from "../http/faults.ts";

export interface Refusal {
  message: string;
  locations?: readonly { line: number; column: number }[];
  path?: readonly (string | number)[];
  extensions: Record<string, unknown>;
}

/** A refusal whose words clients compare. */
export class WordedFault extends Error {
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** `unforeseen` logs what nobody foresaw, and says what is told of it. */
export function refusalOf(
  error: GraphQLError,
  unforeseen: (error: unknown) => Fault,
): { refusal: Refusal; fault: Fault | null } {
  const { locations, path, originalError: cause } = error;
  const place = { ...(locations && { locations }), ...(path && { path }) };
  if (!cause || cause instanceof GraphQLError) {
    // Of the document itself, or of a value in it.
    const extensions = { code: "invalid_document" };
    return { refusal: { message: error.message, ...place, extensions }, fault: null };
  }
  if (cause instanceof WordedFault) {
    const { message, code } = cause;
    return { refusal: { message, ...place, extensions: { code } }, fault: null };
  }
  const fault = cause instanceof Fault ? cause : unforeseen(cause);
  const { code, why } = faultBody(fault);
  const extensions = { code, ...(why && { why }) };
  return { refusal: { message: fault.message, ...place, extensions }, fault };
}
