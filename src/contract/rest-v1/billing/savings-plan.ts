// Savings plans: GPUs of one type that are paid for in advance.

import Type, { type Static } from "typebox";
import { instant } from "../../fields.ts";
import type { Operations } from "../../operation.ts";

const MAX_DOLLARS = 1_000_000_000;
const MAX_GPUS = 1_000;

const planLength = Type.Enum(["threeMonth", "sixMonth"], {
  description: "Three or six months of 730 hours.",
});
const gpuCount = Type.Integer({
  minimum: 1,
  maximum: MAX_GPUS,
  description: "Number of GPUs that the plan covers, all in one Pod.",
});

export const savingsPlan = Type.Object(
  {
    id: Type.String(),
    podId: Type.Optional(
      Type.String({
        description: "The Pod that the plan covers or covered last; absent before the first one.",
      }),
    ),
    gpuTypeId: Type.String(),
    gpuCount,
    planLength,
    costPerHr: Type.Number({
      description: "Dollars per GPU-hour, as paid; 0 if the operator granted the plan.",
    }),
    upfrontCost: Type.Number({ description: "Dollars paid for the whole plan." }),
    startTime: instant,
    endTime: instant,
    active: Type.Boolean({ description: "False after the plan has ended." }),
  },
  { title: "SavingsPlan" },
);
export type SavingsPlan = Static<typeof savingsPlan>;

const planTerms = {
  gpuTypeId: Type.String({ minLength: 1, maxLength: 191 }),
  gpuCount: Type.Optional({ ...gpuCount, default: 1 }),
  planLength,
  podId: Type.Optional(
    Type.String({ description: "The Pod to cover first. Default: any running Pod." }),
  ),
};

const savingsPlanCreate = Type.Object(
  {
    ...planTerms,
    upfrontCost: Type.Optional(
      Type.Number({
        minimum: 0.000001,
        maximum: MAX_DOLLARS,
        description: "The price in dollars that you expect; the purchase fails at any other price.",
      }),
    ),
  },
  { title: "SavingsPlanCreate", additionalProperties: false },
);

const savingsPlanGrant = Type.Object(planTerms, {
  title: "SavingsPlanGrant",
  additionalProperties: false,
});

const tag = "Savings plans";
const read = { of: "rest", access: "read", area: "billing" } as const;
const answer = { description: "The savings plan.", schema: savingsPlan } as const;

export const savingsPlanOperations = {
  createSavingsPlan: {
    method: "POST",
    path: "/v1/savings-plans",
    tag,
    summary: "Buy a savings plan",
    description:
      "The plan is paid immediately from the account's credits and is not refunded. Until it ends, " +
      "its GPUs cost nothing more. It covers the Pod that it names; when that Pod stops or ends, it " +
      "covers another running Pod.",
    needs: { of: "rest", access: "write", area: "billing" },
    body: savingsPlanCreate,
    once: true,
    answer: { status: 201, ...answer },
  },
  listSavingsPlans: {
    method: "GET",
    path: "/v1/savings-plans",
    tag,
    summary: "List savings plans, including ended ones",
    needs: read,
    answer: { status: 200, description: "The plans.", schema: Type.Array(savingsPlan) },
  },
  getSavingsPlan: {
    method: "GET",
    path: "/v1/savings-plans/{savingsPlanId}",
    tag,
    summary: "Read a savings plan",
    needs: read,
    answer: { status: 200, ...answer },
  },
  grantSavingsPlan: {
    method: "POST",
    path: "/v1/accounts/{accountId}/savings-plans",
    tag,
    summary: "Grant an account a savings plan",
    description: "The plan is free. Only the operator can call it.",
    needs: { of: "rest", access: "write", area: "account" },
    body: savingsPlanGrant,
    once: true,
    answer: { status: 201, ...answer },
  },
} as const satisfies Operations;
