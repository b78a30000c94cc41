// A job's policy in the words of the wire, and as the flows take it.

import type { Policy } from "../../../contract/queue/submit.ts";
import type { JobPolicy } from "../../../domain/job/job-policy.ts";
import { completeRetryPolicy } from "../../../domain/job/retry-policy.ts";
import { completeRateLimit } from "../../../domain/job/schedule/rate-limit.ts";

export function jobPolicyOf(policy: Policy): JobPolicy {
  const { executionTimeout, ttl, lowPriority, priority, delay, runAt, ...others } = policy;
  const { concurrency, rateLimit, retry, ...rest } = others;
  rest satisfies Record<string, never>;
  return {
    ...(executionTimeout !== undefined && { executionTimeoutMs: executionTimeout }),
    ...(ttl !== undefined && { ttlMs: ttl }),
    ...(lowPriority !== undefined && { lowPriority }),
    ...(priority !== undefined && { priority }),
    ...(delay !== undefined && { delay }),
    ...(runAt !== undefined && { runAt }),
    ...(concurrency !== undefined && { concurrency }),
    ...(rateLimit !== undefined && { rateLimit: completeRateLimit(rateLimit) }),
    ...(retry !== undefined && { retry: completeRetryPolicy(retry) }),
  };
}

/** The reverse, for a policy that is shown again. */
export function policyOf({ executionTimeoutMs, ttlMs, ...same }: JobPolicy): Policy {
  return {
    ...(executionTimeoutMs !== undefined && { executionTimeout: executionTimeoutMs }),
    ...(ttlMs !== undefined && { ttl: ttlMs }),
    ...same,
  };
}
