// What a client requests for a job beside its input. Members that are left out follow the endpoint.

import type { RetryPolicy } from "./retry-policy.ts";
import type { Concurrency } from "./schedule/concurrency.ts";
import type { RateLimit } from "./schedule/rate-limit.ts";
import type { StartTimeRequest } from "./schedule/start-time.ts";

export interface JobPolicy extends StartTimeRequest {
  executionTimeoutMs?: number;
  ttlMs?: number;
  lowPriority?: boolean;
  priority?: number;
  retry?: RetryPolicy;
  concurrency?: Concurrency;
  rateLimit?: RateLimit;
}
