// The endpoint that a job is submitted to, by its id or its name.

import type { RunningService } from "../client/running-service.ts";
import { Refused } from "../client/service-request.ts";
import { findItem } from "../resources/find-item.ts";
import { resources } from "../resources/resource-table.ts";

/** A key that may only use queues cannot look names up: then the word is an id. */
export async function endpointIdOf(service: RunningService, word: string): Promise<string> {
  try {
    return (await findItem(service, resources.endpoints!, word)).id;
  } catch (error) {
    if (error instanceof Refused && error.status === 403) return word;
    throw error;
  }
}
