// Billing records in time buckets, and the account's balance.

import Type, { type Static } from "typebox";
import { filterList, instant, TAKES } from "../../fields.ts";
import type { Operations } from "../../operation.ts";

const recordFields = {
  amount: Type.Number({ description: "Dollars." }),
  time: { ...instant, description: "Start of the bucket." },
  timeBilledMs: Type.Integer({
    description: "Milliseconds of billed compute time, summed over the resources in the record.",
  }),
  diskSpaceBilledGb: Type.Integer({ description: "Mean disk size over the billed time." }),
};

/** Present with a grouping by them. */
const chargedTo = {
  label: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: "The value of the label; null for the cost of what did not have it.",
    }),
  ),
  memberId: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: "The member; null for the cost of what belonged to the account alone.",
    }),
  ),
  memberName: Type.Optional(Type.Union([Type.String(), Type.Null()])),
};

const billingRecord = Type.Object(
  {
    ...recordFields,
    podId: Type.Optional(Type.String()),
    endpointId: Type.Optional(Type.String()),
    gpuTypeId: Type.Optional(Type.String()),
    ...chargedTo,
  },
  { title: "BillingRecord" },
);

const volumeBillingRecord = Type.Object(
  {
    amount: recordFields.amount,
    time: recordFields.time,
    diskSpaceBilledGb: recordFields.diskSpaceBilledGb,
    highPerformanceStorageAmount: Type.Number(),
    highPerformanceStorageDiskSpaceBilledGb: Type.Integer(),
    networkVolumeId: Type.Optional(Type.String()),
    ...chargedTo,
  },
  { title: "NetworkVolumeBillingRecord" },
);

export const balance = Type.Object(
  {
    balance: Type.Number({
      description:
        "Credits in dollars minus usage up to now; negative if usage exceeds the credits.",
    }),
    spendPerHr: Type.Number({ description: "Current cost in dollars per hour." }),
    limited: Type.Boolean({
      description:
        "Whether usage is limited to the account's credits; an unlimited account is only metered.",
    }),
    emptyAt: Type.Optional({
      ...instant,
      description:
        "When the balance reaches zero at the current cost; everything that runs is then stopped.",
    }),
    lowSince: Type.Optional({
      ...instant,
      description: "Since when `emptyAt` has been less than a day away.",
    }),
    terminateAt: Type.Optional({
      ...instant,
      description:
        "When resources stopped for lack of credits are deleted, except network volumes.",
    }),
  },
  { title: "Balance" },
);
export type Balance = Static<typeof balance>;

const MAX_DOLLARS = 1_000_000_000;

export const creditCreate = Type.Object(
  {
    amount: Type.Number({
      minimum: -MAX_DOLLARS,
      maximum: MAX_DOLLARS,
      description: "Dollars, to the millionth; a negative amount removes credits.",
    }),
    note: Type.Optional(Type.String({ maxLength: 191, description: "Stored in the ledger." })),
  },
  { title: "CreditCreate", additionalProperties: false },
);

const window = {
  bucketSize: Type.Enum(["hour", "day", "week", "month", "year"], {
    default: "day",
    description: "Bucket size, in UTC; a week begins on Monday.",
  }),
  startTime: {
    ...instant,
    description: "Rounded down to a bucket. Default: 30 days before the end.",
  },
  endTime: { ...instant, description: "Exclusive; rounded up to a bucket. Default: now." },
  format: Type.Enum(["json", "csv"], {
    default: "json",
    description: "Response format. An extension of Freehold.",
  }),
};

/** Groups costs by a field, by the member that something belonged to, or by a label as it was at that time. */
function groupingBy<const Names extends string[]>(names: Names, options: object = {}) {
  const takes = `${[...names, "createdBy"].join(", ")}, or label: and a name, such as label:team`;
  return Type.Union(
    [Type.Enum([...names, "createdBy"]), Type.String({ pattern: "^label:[^=]{1,63}$" })],
    {
      ...options,
      [TAKES]: takes,
      description:
        "What to add up by. createdBy and label:NAME, with the labels and the owner that each resource had at that " +
        "time, are an extension of Freehold.",
    },
  );
}

const text = (description: string) => Type.String({ description });
const needs = { of: "rest", access: "read", area: "billing" } as const;
const tag = "Billing";
const answer = {
  status: 200,
  description: "One record per group and bucket with costs, oldest first.",
} as const;

export const billingOperations = {
  podBilling: {
    method: "GET",
    path: "/v1/billing/pods",
    tag,
    summary: "List Pod costs",
    needs,
    query: Type.Partial(
      Type.Object({
        ...window,
        grouping: groupingBy(["podId", "gpuTypeId"], { default: "gpuTypeId" }),
        podId: text("Only this Pod."),
        gpuTypeId: filterList("Only Pods on these GPU types."),
      }),
    ),
    answer: { ...answer, schema: Type.Array(billingRecord) },
  },
  endpointBilling: {
    method: "GET",
    path: "/v1/billing/endpoints",
    tag,
    summary: "List endpoint costs",
    needs,
    query: Type.Partial(
      Type.Object({
        ...window,
        grouping: groupingBy(["endpointId", "podId", "gpuTypeId"], { default: "endpointId" }),
        endpointId: filterList("Only these endpoints."),
        dataCenterId: filterList("Only workers in these data centers."),
        gpuTypeId: filterList("Only workers on these GPU types."),
        imageName: filterList("Only workers with these images."),
        templateId: filterList("Only workers from these templates."),
      }),
    ),
    answer: { ...answer, schema: Type.Array(billingRecord) },
  },
  networkVolumeBilling: {
    method: "GET",
    path: "/v1/billing/networkvolumes",
    tag,
    summary: "List network volume costs",
    needs,
    query: Type.Partial(Type.Object({ ...window, grouping: groupingBy(["networkVolumeId"]) })),
    answer: { ...answer, schema: Type.Array(volumeBillingRecord) },
  },
  getBalance: {
    method: "GET",
    path: "/v1/balance",
    tag,
    summary: "Read the account's balance and current cost",
    needs,
    answer: { status: 200, description: "The balance.", schema: balance },
  },
  addCredit: {
    method: "POST",
    path: "/v1/balance/credits",
    tag,
    summary: "Add or remove credits of the operator's account",
    description:
      "The account is limited to its credits from then on. Only the operator can call it.",
    needs: { of: "rest", access: "write", area: "account" },
    body: creditCreate,
    once: true,
    answer: { status: 201, description: "The new balance.", schema: balance },
  },
} as const satisfies Operations;
