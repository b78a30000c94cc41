// The values of the endpoint form for the retry policy, and the policy for them.

import { bodySchemas } from "../../../../generated/body-schemas.ts";
import type { Schema } from "../../../api/client.ts";
import { validateBody } from "../../../validate-body.ts";

type RetryPolicy = Schema["RetryPolicy"];
export type RetryOutcome = NonNullable<RetryPolicy["on"]>[number];

/** In the order of the API. */
export const retryOutcomes: readonly (readonly [outcome: RetryOutcome, name: string])[] = [
  ["error", "Handler error"],
  ["workerLost", "Lost worker"],
  ["outOfMemory", "Out of memory"],
  ["timeout", "Execution timeout"],
];

export interface RetryDraft {
  /** Whether the endpoint has a policy of its own. */
  hasRetryPolicy: boolean;
  retryAttempts: number;
  retryOutcomes: RetryOutcome[];
  retryDelayS: number;
  retryFactor: number;
  retryMaxDelayS: number;
  retryJitter: boolean;
  /** 0 for no quarantine. */
  quarantineAfter: number;
}

export function retryDraftOf(policy: RetryPolicy | undefined): RetryDraft {
  return {
    hasRetryPolicy: policy !== undefined,
    retryAttempts: policy?.maxAttempts ?? 3,
    retryOutcomes: policy?.on ?? retryOutcomes.map(([outcome]) => outcome),
    retryDelayS: policy?.delay ?? 5,
    retryFactor: policy?.factor ?? 2,
    retryMaxDelayS: policy?.maxDelay ?? 300,
    retryJitter: policy?.jitter ?? false,
    quarantineAfter: policy?.quarantineAfter ?? 0,
  };
}

export function retryPolicyOf(draft: RetryDraft): RetryPolicy | null {
  if (!draft.hasRetryPolicy) return null;
  return {
    maxAttempts: draft.retryAttempts,
    on: draft.retryOutcomes,
    delay: draft.retryDelayS,
    factor: draft.retryFactor,
    maxDelay: draft.retryMaxDelayS,
    jitter: draft.retryJitter,
    ...(draft.quarantineAfter !== 0 && { quarantineAfter: draft.quarantineAfter }),
  };
}

/** The draft's fields for the members of the policy. */
const fieldsByMember = {
  maxAttempts: "retryAttempts",
  on: "retryOutcomes",
  delay: "retryDelayS",
  factor: "retryFactor",
  maxDelay: "retryMaxDelayS",
  jitter: "retryJitter",
  quarantineAfter: "quarantineAfter",
} as const satisfies Record<keyof RetryPolicy, keyof RetryDraft>;

/** Messages at the fields: the schema of the body has the policy as one value. */
export function checkRetryPolicy(draft: RetryDraft): Partial<Record<keyof RetryDraft, string>> {
  const policy = retryPolicyOf(draft);
  const schema = bodySchemas.EndpointCreateInput.properties?.retryPolicy;
  if (policy === null || !schema) return {};
  const messages = Object.entries(validateBody(schema, policy));
  return Object.fromEntries(
    messages.map(([member, message]) => [fieldsByMember[member as keyof RetryPolicy], message]),
  );
}
