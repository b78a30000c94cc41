// An interface whose paths have errors of their own form, and which refuses what is none of its operations.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Fault } from "../../domain/fault.ts";

export interface ErrorForm {
  /** Whether errors of requests for this URL have the form. */
  covers(url: string): boolean;
  send(request: FastifyRequest, reply: FastifyReply, fault: Fault): void;
  /** Whether the request is below the interface's paths, but none of its operations. */
  isUnknownRoute(request: FastifyRequest): boolean;
  unknownRouteFault(request: FastifyRequest, reply: FastifyReply): Fault;
}
