// Replies, and which faults keep their HTTP status.

import type { Fault } from "../../../domain/fault.ts";
import { faultCatalog } from "../../../domain/fault-catalog.ts";
import { faultBody } from "../../http/faults.ts";

export interface GraphqlReply {
  status: number;
  retryAfterS: number | null;
  body: string;
}

/** Refuses the whole request. The body has the form of the other interfaces, and `errors`. */
export function faultReply(fault: Fault): GraphqlReply {
  const { why: _, ...body } = faultBody(fault);
  const errors = [{ message: fault.message, extensions: { code: fault.code } }];
  const keepsStatus = hasOwnStatus(fault);
  return {
    status: keepsStatus ? fault.status : 200,
    retryAfterS: fault.retryAfterS,
    body: JSON.stringify({ ...(keepsStatus && body), data: null, errors }),
  };
}

/** The fault that sets the status of the reply; null if that is 200. */
export function statusFault(faults: readonly (Fault | null)[]): Fault | null {
  return faults.find((fault) => fault !== null && hasOwnStatus(fault)) ?? null;
}

function hasOwnStatus({ code, status }: Fault): boolean {
  if (code === "route_not_found") return true;
  return [401, 403, 405, 413, 415, 429].includes(status) || faultCatalog[code].blame === "service";
}
