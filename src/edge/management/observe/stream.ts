// What responses that stay open have in common.

import type { FastifyReply } from "fastify";
import { Fault } from "../../../domain/fault.ts";
import type { StreamDeps } from "../deps.ts";

/** The last event of a log that is followed. */
export const LOG_END = 'event: end\ndata: {"reason":"The log is complete."}\n\n';

/** Aborts when the client disconnects, the service stops, or the caller loses access. */
export function streamSignal(
  { polls, revalidation }: StreamDeps,
  reply: FastifyReply,
): AbortSignal {
  return AbortSignal.any([polls.hold(reply), revalidation.signalFor(reply)]);
}

/** Where a client that reconnects continues, as `parse` reads it; null for a client that has read no event. */
export function readLastEvent<Position>(
  { request }: FastifyReply,
  parse: (id: string) => Position | null,
  fault: () => Fault = unknownEvent,
): Position | null {
  const header = request.headers["last-event-id"];
  if (header === undefined || header === "") return null;
  const position = typeof header === "string" ? parse(header) : null;
  if (position === null) throw fault();
  return position;
}

function unknownEvent(): Fault {
  const detail = 'The Last-Event-ID header must be the "id" of an event of this log.';
  return new Fault("invalid_query", { detail });
}
