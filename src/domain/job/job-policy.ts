// What a client requests for a job beside its input. Members that are left out follow the endpoint.

import type { Concurrency } from "./concurrency.ts";
import type { RetryPolicy } from "./retry-policy.ts";
import type { StartRequest } from "./start-time.ts";

export interface JobPolicy extends StartRequest {
  executionTimeoutMs?: number;
  ttlMs?: number;
  lowPriority?: boolean;
  priority?: number;
  retry?: RetryPolicy;
  concurrency?: Concurrency;
}
