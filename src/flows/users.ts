// What of an account uses a thing that somebody wants to delete.

import type { Endpoint } from "../domain/endpoint/endpoint.ts";
import type { PodSpec } from "../domain/pod/pod.ts";
import { listEndpoints } from "../store/endpoint/endpoint.ts";
import { podsOf } from "../store/pod/row.ts";
import type { Verb } from "../store/statement.ts";

export interface Uses {
  pod(spec: PodSpec): boolean;
  endpoint(endpoint: Endpoint): boolean;
}

/** As many of a kind as a sentence can carry. */
const FEW = 5;

/** "Pods a and b, endpoint c", or null where nothing uses it. The thing itself must be locked. */
export function* usersOf(accountId: string, uses: Uses): Verb<string | null> {
  const pods = (yield* podsOf(accountId)).filter(({ spec }) => uses.pod(spec));
  const endpoints = (yield* listEndpoints(accountId)).filter((each) => uses.endpoint(each));
  const parts = [listed("Pod", pods), listed("endpoint", endpoints)].filter(Boolean);
  return parts.length > 0 ? parts.join(", ") : null;
}

function listed(noun: string, all: readonly { id: string }[]): string {
  if (all.length === 0) return "";
  const few = all.slice(0, FEW).map(({ id }) => id);
  const more = all.length > FEW ? ` and ${all.length - FEW} more` : "";
  return `${noun}${all.length > 1 ? "s" : ""} ${few.join(", ")}${more}`;
}
