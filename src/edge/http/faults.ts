// How a refusal looks on the wire: always JSON, always the same members.

import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { Fault } from "../../domain/fault.ts";

export interface FaultBody {
  error: string;
  message: string;
  status: number;
  code: string;
}

export function faultBody(fault: Fault): FaultBody {
  return { error: fault.message, message: fault.message, status: fault.status, code: fault.code };
}

export function sendFault(reply: FastifyReply, fault: Fault): void {
  if (fault.retryAfterS !== null) reply.header("retry-after", String(fault.retryAfterS));
  reply
    .code(fault.status)
    .type("application/json")
    .send(JSON.stringify(faultBody(fault)));
}

/** Turns whatever was thrown into a fault; what nobody foresaw is logged and told as little. */
export function asFault(error: unknown, request: FastifyRequest): Fault {
  if (error instanceof Fault) return error;
  const known = fromFramework(error as FastifyError);
  if (known) return known;
  request.log.error({ err: error, route: request.routeOptions.url }, "request failed");
  return new Fault("internal", { ref: request.id });
}

function fromFramework(error: FastifyError): Fault | null {
  if (error.validation) {
    return new Fault("invalid_body", { detail: sentenceOf(error) });
  }
  if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE") {
    return new Fault("payload_too_large", { limit: "those" });
  }
  if (error.code === "FST_ERR_CTP_INVALID_JSON_BODY" || error instanceof SyntaxError) {
    return new Fault("invalid_json", { detail: error.message });
  }
  if (typeof error.statusCode === "number" && error.statusCode < 500) {
    return new Fault("invalid_body", { detail: error.message });
  }
  return null;
}

/** Every mistake of a body or query in one sentence, each with its place. */
function sentenceOf(error: FastifyError): string {
  const context = error.validationContext ?? "body";
  const faults = (error.validation ?? []).map((fault) => {
    const place = fault.instancePath.replaceAll("/", ".").replace(/^\./, "") || context;
    const allowed = (fault.params as { allowedValues?: unknown[] }).allowedValues;
    const hint = allowed ? `: ${allowed.slice(0, 12).join(", ")}` : "";
    return `"${place}" ${fault.message ?? "is not valid"}${hint}`;
  });
  return `${faults.join("; ")}.`;
}
