// The worker that a request asks for.

import { Fault } from "../../domain/fault.ts";
import { type Affinity, affinityOf, WORKER_HEADER } from "../../domain/serving/affinity.ts";
import type { InboundRequest } from "../http/plain/exchange.ts";

const LOWER_WORKER_HEADER = WORKER_HEADER.toLowerCase();

/** Throws a fault for a header that names none. */
export function requestedWorker({ headers }: InboundRequest): Affinity {
  const value = headers[LOWER_WORKER_HEADER];
  const affinity = affinityOf(Array.isArray(value) ? value[0] : value);
  if (affinity) return affinity;
  const detail = `The header ${WORKER_HEADER} takes <workerId>, "strict <workerId>" or "strict-resume <workerId>".`;
  throw new Fault("invalid_http", { detail: detail.replace(/\.$/, "") });
}
