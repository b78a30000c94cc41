// Finds the Pods and endpoints that use a resource which a client wants to delete.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import type { PodSpec } from "../../domain/pod/spec.ts";
import { listEndpoints } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { podsOf } from "../../store/pod/row.ts";

export interface Uses {
  pod(spec: PodSpec): boolean;
  endpoint(endpoint: Endpoint): boolean;
}

/** The number of ids of each kind in the sentence. */
const MAX_LISTED = 5;

/** "Pods a, b, endpoint c", or null if nothing uses the resource, which must be locked. */
export function* findUsers(accountId: string, uses: Uses): Tx<string | null> {
  const pods = (yield* podsOf(accountId)).filter(({ desired }) => uses.pod(desired.spec));
  const endpoints = (yield* listEndpoints(accountId)).filter((each) => uses.endpoint(each));
  const parts = [listed("Pod", pods), listed("endpoint", endpoints)].filter(Boolean);
  return parts.length > 0 ? parts.join(", ") : null;
}

function listed(noun: string, all: readonly { id: string }[]): string {
  if (all.length === 0) return "";
  const few = all.slice(0, MAX_LISTED).map(({ id }) => id);
  const more = all.length > MAX_LISTED ? ` and ${all.length - MAX_LISTED} more` : "";
  return `${noun}${all.length > 1 ? "s" : ""} ${few.join(", ")}${more}`;
}
