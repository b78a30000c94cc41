// What was spent, bucket by bucket; and how the account stands.

import Type, { type Static } from "typebox";
import { instant } from "../fields.ts";
import type { Operations } from "../operation.ts";

const record = {
  amount: Type.Number({ description: "Dollars." }),
  time: { ...instant, description: "When the bucket began." },
  timeBilledMs: Type.Integer({
    description: "Milliseconds in which more than a disk was billed, of all that is in it.",
  }),
  diskSpaceBilledGb: Type.Integer({ description: "The disk's size, as the mean over its time." }),
};

export const billingRecord = Type.Object(
  {
    ...record,
    podId: Type.Optional(Type.String()),
    endpointId: Type.Optional(Type.String()),
    gpuTypeId: Type.Optional(Type.String()),
  },
  { title: "BillingRecord" },
);
export type BillingRecord = Static<typeof billingRecord>;

export const volumeBillingRecord = Type.Object(
  {
    amount: record.amount,
    time: record.time,
    diskSpaceBilledGb: record.diskSpaceBilledGb,
    highPerformanceStorageAmount: Type.Number(),
    highPerformanceStorageDiskSpaceBilledGb: Type.Integer(),
  },
  { title: "NetworkVolumeBillingRecord" },
);

export const standing = Type.Object(
  {
    balance: Type.Number({
      description: "Dollars, with what was used up to now taken off; below zero where more was.",
    }),
    spendPerHr: Type.Number({ description: "Dollars per hour, of all that is metered now." }),
    limited: Type.Boolean({
      description:
        "Whether the account may only use what it has; an unlimited one is only metered.",
    }),
    emptyAt: Type.Optional({
      ...instant,
      description: "When nothing is left, at what is spent now: then all that runs is stopped.",
    }),
    lowSince: Type.Optional({
      ...instant,
      description: "Since when `emptyAt` is less than a day away.",
    }),
    terminateAt: Type.Optional({
      ...instant,
      description: "When what was stopped for want of credits is removed, but for network volumes.",
    }),
  },
  { title: "Balance" },
);
export type Balance = Static<typeof standing>;

const MOST_DOLLARS = 1_000_000_000;

export const creditCreate = Type.Object(
  {
    amount: Type.Number({
      minimum: -MOST_DOLLARS,
      maximum: MOST_DOLLARS,
      description: "Dollars, to the millionth; below zero takes credits away.",
    }),
    note: Type.Optional(Type.String({ maxLength: 191, description: "Kept in the ledger." })),
  },
  { title: "CreditCreate", additionalProperties: false },
);

const window = {
  bucketSize: Type.Enum(["hour", "day", "week", "month", "year"], {
    default: "day",
    description: "In UTC; a week begins on Monday.",
  }),
  startTime: {
    ...instant,
    description: "Snapped down to its bucket; 30 days before the end where it is left out.",
  },
  endTime: { ...instant, description: "Exclusive, snapped up to its bucket; now if left out." },
  format: Type.Enum(["json", "csv"], { default: "json", description: "An extension of ours." }),
};

const some = (description: string) => Type.Array(Type.String(), { description });
const text = (description: string) => Type.String({ description });
const needs = { of: "rest", access: "read", area: "billing" } as const;
const tag = "Billing";
const answer = {
  status: 200,
  description: "A record for each bucket and group in which something was spent, the oldest first.",
} as const;

export const billingOperations = {
  podBilling: {
    method: "GET",
    path: "/v1/billing/pods",
    tag,
    summary: "What Pods cost",
    needs,
    query: Type.Partial(
      Type.Object({
        ...window,
        grouping: Type.Enum(["podId", "gpuTypeId"], { default: "gpuTypeId" }),
        podId: text("Only this Pod."),
        gpuTypeId: text("Only Pods on this GPU type."),
      }),
    ),
    answer: { ...answer, schema: Type.Array(billingRecord) },
  },
  endpointBilling: {
    method: "GET",
    path: "/v1/billing/endpoints",
    tag,
    summary: "What the workers of endpoints cost",
    needs,
    query: Type.Partial(
      Type.Object({
        ...window,
        grouping: Type.Enum(["endpointId", "podId", "gpuTypeId"], { default: "endpointId" }),
        endpointId: text("Only this endpoint."),
        dataCenterId: some("Only workers in these data centers."),
        gpuTypeId: some("Only workers on these GPU types."),
        imageName: text("Only workers of this image."),
        templateId: text("Only workers made from this template."),
      }),
    ),
    answer: { ...answer, schema: Type.Array(billingRecord) },
  },
  networkVolumeBilling: {
    method: "GET",
    path: "/v1/billing/networkvolumes",
    tag,
    summary: "What network volumes cost",
    needs,
    query: Type.Partial(Type.Object(window)),
    answer: { ...answer, schema: Type.Array(volumeBillingRecord) },
  },
  getBalance: {
    method: "GET",
    path: "/v1/balance",
    tag,
    summary: "What the account has, and what it spends per hour",
    needs,
    answer: { status: 200, description: "The balance.", schema: standing },
  },
  addCredit: {
    method: "POST",
    path: "/v1/balance/credits",
    tag,
    summary: "Give the operator's own account credits, or take some",
    description: "From the first on the account is limited to what it has. The operator's to do.",
    needs: { of: "rest", access: "write", area: "account" },
    body: creditCreate,
    once: true,
    answer: { status: 201, description: "The balance with it.", schema: standing },
  },
} as const satisfies Operations;
