// The fault that callers get while the database cannot serve them.

import { Fault } from "../../domain/fault.ts";

export function storeUnavailable(cause: unknown): Fault {
  const fault = new Fault("store_unavailable", {});
  fault.cause = cause;
  return fault;
}
