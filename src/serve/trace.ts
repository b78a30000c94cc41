// The trace context that the server adds to a job.

import type { Job, TraceFields } from "./handler.ts";

export function traceOf({ traceparent, tracestate }: Job): TraceFields | null {
  if (typeof traceparent !== "string") return null;
  return typeof tracestate === "string" ? { traceparent, tracestate } : { traceparent };
}
