// Faults as problem documents (RFC 9457), the errors of REST v2.

import type { FastifyReply, FastifyRequest } from "fastify";
import { STATUS_CODES } from "../../../base/node/http.ts";
import type { Problem } from "../../../contract/rest-v2/problem.ts";
import { toV2Names } from "../../../contract/rest-v2/v1-names.ts";
import type { Fault } from "../../../domain/fault.ts";
import type { FaultCode } from "../../../domain/fault-catalog.ts";
import { faultBody } from "../../http/faults.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Statuses of faults that differ from the interface's usual ones. */
    faultStatuses?: Readonly<Record<string, number>>;
  }
}

/** Where REST v2 answers another status than the fault catalog. */
const statuses: Partial<Record<FaultCode, number>> = {
  no_capacity: 400,
  machine_full: 400,
  no_disk: 400,
  pod_locked: 409,
  pod_not_running: 409,
  invalid_query: 422,
};

/** Clients recognize a lack of capacity by these words. */
const NO_CAPACITY =
  "There are no longer any instances available with the requested specifications (insufficient " +
  "capacity). Refresh and try again.";

export function sendProblem(request: FastifyRequest, reply: FastifyReply, fault: Fault): void {
  if (fault.retryAfterS !== null) reply.header("retry-after", String(fault.retryAfterS));
  const own = request.routeOptions?.config?.faultStatuses;
  const status = own?.[fault.code] ?? statuses[fault.code] ?? fault.status;
  reply
    .code(status)
    .header("x-request-id", request.id)
    .type("application/problem+json")
    .send(JSON.stringify(problemOf(fault, status)));
}

function problemOf(fault: Fault, status: number): Problem {
  const { message, code, why } = faultBody(fault);
  const sentence = toV2Names(message);
  return {
    title: STATUS_CODES[status] ?? "Error",
    status,
    detail: code === "no_capacity" ? `${sentence} ${NO_CAPACITY}` : sentence,
    code,
    ...(fault.errors && { errors: [...fault.errors] }),
    ...(why && { why }),
  };
}
