// Savings plans: GPUs of one type, paid for in advance.

import Type, { type Static } from "typebox";
import { instant } from "../fields.ts";
import type { Operations } from "../operation.ts";

const MOST_DOLLARS = 1_000_000_000;
const MOST_GPUS = 1_000;

const planLength = Type.Enum(["threeMonth", "sixMonth"], {
  description: "Of months of 730 hours.",
});
const gpuCount = Type.Integer({
  minimum: 1,
  maximum: MOST_GPUS,
  description: "As many GPUs as it covers, all of one Pod.",
});

export const savingsPlan = Type.Object(
  {
    id: Type.String(),
    podId: Type.Optional(
      Type.String({
        description: "The Pod that it covers, or covered last; none before the first.",
      }),
    ),
    gpuTypeId: Type.String(),
    gpuCount,
    planLength,
    costPerHr: Type.Number({
      description: "Dollars per GPU and hour, as it was paid; 0 where the operator gave it.",
    }),
    upfrontCost: Type.Number({ description: "Dollars: what was paid for all of it." }),
    startTime: instant,
    endTime: instant,
    active: Type.Boolean({ description: "False once it is over." }),
  },
  { title: "SavingsPlan" },
);
export type SavingsPlan = Static<typeof savingsPlan>;

const wanted = {
  gpuTypeId: Type.String({ minLength: 1, maxLength: 191 }),
  gpuCount: Type.Optional({ ...gpuCount, default: 1 }),
  planLength,
  podId: Type.Optional(
    Type.String({ description: "The Pod that it covers first; else one that runs." }),
  ),
};

export const savingsPlanCreate = Type.Object(
  {
    ...wanted,
    upfrontCost: Type.Optional(
      Type.Number({
        minimum: 0.000001,
        maximum: MOST_DOLLARS,
        description: "Dollars that you take it to cost: at any other price it is not bought.",
      }),
    ),
  },
  { title: "SavingsPlanCreate", additionalProperties: false },
);

export const savingsPlanGrant = Type.Object(wanted, {
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
      "It is paid at once, in credits, and not given back. Until it ends, as many GPUs of its type as " +
      "it has cost nothing more: those of the Pod that it names, and when that ends or stops, of " +
      "another one that runs.",
    needs: { of: "rest", access: "write", area: "billing" },
    body: savingsPlanCreate,
    once: true,
    answer: { status: 201, ...answer },
  },
  listSavingsPlans: {
    method: "GET",
    path: "/v1/savings-plans",
    tag,
    summary: "List savings plans, those that are over too",
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
    summary: "Give an account a savings plan",
    description: "Nothing is paid for it. The operator's to do.",
    needs: { of: "rest", access: "write", area: "account" },
    body: savingsPlanGrant,
    once: true,
    answer: { status: 201, ...answer },
  },
} as const satisfies Operations;
