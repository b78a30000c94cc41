// The service's own origin, as links in a response have it.

import type { FastifyRequest } from "fastify";
import type { Addresses } from "../deps.ts";

/** The configured one, or the one that the client called. */
export function originFor(
  { publicUrl }: Pick<Addresses, "publicUrl">,
  { protocol, host }: FastifyRequest,
): string {
  return publicUrl ?? `${protocol}://${host}`;
}
