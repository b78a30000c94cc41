// A refusal in GraphQL: an entry of `errors` with the fault's sentence as its message. The status is 200,
// since clients read the body of no other; faults of authorization and of the service keep their own.

import { GraphQLError } from "graphql";
import { Fault } from "../../../domain/fault.ts";
import { faultBody } from "../../http/faults.ts";

export interface GraphqlRefusal {
  message: string;
  locations?: readonly { line: number; column: number }[];
  path?: readonly (string | number)[];
  extensions: Record<string, unknown>;
}

/** A refusal whose message clients compare. */
export class WordedFault extends Error {
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** `reportError` logs an unexpected error and returns the fault that the client gets. */
export function refusalOf(
  error: GraphQLError,
  reportError: (error: unknown) => Fault,
): { refusal: GraphqlRefusal; fault: Fault | null } {
  const { locations, path, originalError: cause } = error;
  const position = { ...(locations && { locations }), ...(path && { path }) };
  if (!cause || cause instanceof GraphQLError) {
    // An error of the document itself, or of a value in it.
    const extensions = { code: "invalid_document" };
    return { refusal: { message: error.message, ...position, extensions }, fault: null };
  }
  if (cause instanceof WordedFault) {
    const { message, code } = cause;
    return { refusal: { message, ...position, extensions: { code } }, fault: null };
  }
  const fault = cause instanceof Fault ? cause : reportError(cause);
  const { code, why } = faultBody(fault);
  const extensions = { code, ...(why && { why }) };
  return { refusal: { message: fault.message, ...position, extensions }, fault };
}
