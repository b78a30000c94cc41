// The service's log: JSON lines on standard error. What an engine, an API server or a rule refuses stands in its own words;
// only an error that nothing expects has a stack.

import pino, { type DestinationStream } from "pino";
import { Refusal } from "../../base/refusal.ts";
import { Fault } from "../../domain/fault.ts";
import { DriverUnavailable, StartRefused } from "../../drivers/driver.ts";
import { FabricRefused } from "../../drivers/fabric-engine.ts";
import { ApiError } from "../../drivers/kubernetes/client/api-error.ts";

const EXPECTED = [ApiError, DriverUnavailable, FabricRefused, Fault, Refusal, StartRefused];

/** The field `err` of a line, with the fields that an expected error has of its own, such as a status. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (!EXPECTED.some((type) => error instanceof type)) return pino.stdSerializers.err(error);
  const { name: type, ...fields } = error;
  const facts = Object.entries(fields).filter(([, value]) => value !== null && value !== "");
  return { type, message: error.message, ...Object.fromEntries(facts) };
}

export function createLog(level: string, destination: DestinationStream) {
  return pino({ level, serializers: { err: describeError } }, destination);
}
