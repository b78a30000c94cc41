// Faults as HTTP responses: always JSON, always the same members.

import type { FastifyError } from "fastify";
import { Fault } from "../../domain/fault.ts";
import { JSON_HEADERS, JSON_TYPE } from "./json-headers.ts";
import type { RouteReply, RouteRequest } from "./request/route.ts";

/** Bounds the size of a response. */
const MAX_MACHINES = 100;

export interface FaultBody {
  error: string;
  message: string;
  status: number;
  code: string;
  /** The reason for each machine that does not fit. */
  why?: { machineId: string; reason: string }[];
  /** The accounts to choose from. */
  accounts?: readonly { id: string; name: string }[];
}

export function faultBody(fault: Fault): FaultBody {
  const { message, status, code, passedOver, accounts } = fault;
  const why = passedOver?.slice(0, MAX_MACHINES).map(({ machine, reason }) => {
    return { machineId: machine, reason };
  });
  return {
    error: message,
    message,
    status,
    code,
    ...(why && { why }),
    ...(accounts && { accounts }),
  };
}

export function sendFault(reply: RouteReply, fault: Fault, body: object = faultBody(fault)): void {
  if (fault.retryAfterS !== null) reply.header("retry-after", String(fault.retryAfterS));
  reply.code(fault.status).headers(JSON_HEADERS).type(JSON_TYPE).send(JSON.stringify(body));
}

/** Converts any error to a fault. An unexpected error is logged and not exposed. */
export function asFault(error: unknown, request: RouteRequest): Fault {
  if (error instanceof Fault) return error;
  const frameworkFault = fromFramework(error as FastifyError);
  if (frameworkFault) return frameworkFault;
  const { id, routeOptions } = request;
  request.log.error({ err: error, reqId: id, route: routeOptions.url }, "request failed");
  return new Fault("internal", { ref: request.id });
}

/** What is wrong with a URL that no route can be found for. */
const URL_FAULTS: Partial<Record<string, string>> = {
  FST_ERR_BAD_URL: 'its URL has a "%" without two hexadecimal digits, or one that is not UTF-8',
  FST_ERR_MAX_PARAM_LENGTH: "a part of its URL's path is longer than 500 characters",
};

function fromFramework(error: FastifyError): Fault | null {
  const detail = URL_FAULTS[error.code];
  if (detail) return new Fault("invalid_http", { detail });
  if (error.code === "FST_ERR_CTP_INVALID_JSON_BODY" || error instanceof SyntaxError) {
    return new Fault("invalid_json", { detail: error.message });
  }
  if (typeof error.statusCode === "number" && error.statusCode < 500) {
    return new Fault("invalid_body", { detail: error.message });
  }
  return null;
}
