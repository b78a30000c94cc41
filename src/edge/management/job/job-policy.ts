// A job's policy in the words of the wire, and as the flows take it.

import type { Policy } from "../../../contract/queue/submit.ts";
import type { JobPolicy } from "../../../domain/job/job-policy.ts";
import { completeRetryPolicy } from "../../../domain/job/retry-policy.ts";
import { completeRateLimit } from "../../../domain/job/schedule/rate-limit.ts";

export function jobPolicyOf(policy: Policy): JobPolicy {
  return {
    ...(policy.executionTimeout !== undefined && { executionTimeoutMs: policy.executionTimeout }),
    ...(policy.ttl !== undefined && { ttlMs: policy.ttl }),
    ...(policy.lowPriority !== undefined && { lowPriority: policy.lowPriority }),
    ...(policy.priority !== undefined && { priority: policy.priority }),
    ...(policy.delay !== undefined && { delay: policy.delay }),
    ...(policy.runAt !== undefined && { runAt: policy.runAt }),
    ...(policy.concurrency !== undefined && { concurrency: policy.concurrency }),
    ...(policy.rateLimit !== undefined && { rateLimit: completeRateLimit(policy.rateLimit) }),
    ...(policy.retry !== undefined && { retry: completeRetryPolicy(policy.retry) }),
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
