// An answer as it is sent, and which faults keep the HTTP status that they have everywhere else.

import { catalogue, type Fault } from "../../domain/fault.ts";
import { faultBody } from "../http/faults.ts";

export interface Answered {
  status: number;
  retryAfterS: number | null;
  body: string;
}

/** A refusal of the whole request, in the form of every interface and of this one. */
export function refused(fault: Fault): Answered {
  const { why: _, ...body } = faultBody(fault);
  const errors = [{ message: fault.message, extensions: { code: fault.code } }];
  const keeps = keepsStatus(fault);
  return {
    status: keeps ? fault.status : 200,
    retryAfterS: fault.retryAfterS,
    body: JSON.stringify({ ...(keeps && body), data: null, errors }),
  };
}

/** The fault whose status the whole answer has, or null where that is 200. */
export function statusFault(faults: readonly (Fault | null)[]): Fault | null {
  return faults.find((fault) => fault !== null && keepsStatus(fault)) ?? null;
}

function keepsStatus({ code, status }: Fault): boolean {
  if (code === "route_not_found") return true;
  return [401, 403, 405, 413, 429].includes(status) || catalogue[code].blame === "service";
}
