// Quotas: what an account and each of its projects and members may hold at once, and what they hold.

import Type, { type Static, type TSchema } from "typebox";
import { MAX_INTEGER, TAKES } from "../../fields.ts";
import type { Operations } from "../../operation.ts";
import { idleGpuOperations } from "./idle-gpu.ts";

const count = (description: string) => ({
  description,
  schema: Type.Integer({ minimum: 0, maximum: MAX_INTEGER }),
});

/** What a quota counts: what is desired, whether or not it runs yet. */
const measures = {
  gpus: count("GPUs of running Pods and of workers."),
  reservedGpus: count(
    "GPUs that are reserved at one time, from now on. For an account that is not the operator's the limit is 0 unless the operator sets another.",
  ),
  pods: count("Running Pods, sandboxes and members of clusters among them."),
  vcpus: count("vCPUs of running Pods and of workers."),
  volumeGb: count("GB of network volumes and of the volumes of Pods, stopped ones included."),
  costPerHr: {
    description:
      "Dollars per hour, disks included, at prices without savings plans: what runs, and the volumes that exist.",
    schema: Type.Number({ minimum: 0, maximum: 1_000_000_000 }),
  },
};
type Measure = keyof typeof measures;

const GPU_TYPES = "GPUs by type, by the ids of the catalog.";

function fieldsOf<Field extends TSchema>(of: (measure: (typeof measures)[Measure]) => Field) {
  const entries = Object.entries(measures).map(([name, measure]) => [name, of(measure)]);
  return Object.fromEntries(entries) as Record<Measure, Field>;
}

function byGpuType<Value extends TSchema>(value: Value) {
  return Type.Unsafe<Record<string, Static<Value>>>(
    Type.Object({}, { additionalProperties: value, description: GPU_TYPES }),
  );
}

const amount = ({ schema, description }: (typeof measures)[Measure]) =>
  Type.Unsafe<number>({ ...schema, description });

const used = Type.Object(
  {
    ...fieldsOf(amount),
    gpuTypes: byGpuType(Type.Integer()),
  },
  { title: "QuotaUsed" },
);

const limits = Type.Object(
  {
    ...fieldsOf((measure) => Type.Optional(amount(measure))),
    gpuTypes: Type.Optional(byGpuType(Type.Integer())),
  },
  { title: "QuotaLimits", description: "A limit that is absent is none." },
);

const NULL = Type.Null();
const DEFAULT = Type.Literal("default");

/** An update: null is no limit. */
function updateOf(title: string, own: boolean) {
  const words = own ? ', null for no limit, or "default"' : ", or null for no limit";
  const value = (schema: TSchema, description?: string) =>
    Type.Unsafe<number | null | "default">(
      Type.Union([schema, NULL, ...(own ? [DEFAULT] : [])], {
        [TAKES]: `a number from 0${words}`,
        ...(description !== undefined && { description }),
      }),
    );
  return Type.Object(
    {
      ...fieldsOf(({ schema, description }) => Type.Optional(value(schema, description))),
      gpuTypes: Type.Optional(byGpuType(value(measures.gpus.schema))),
    },
    {
      title,
      additionalProperties: false,
      description: own
        ? 'A limit that is left out stays. "default" follows the default for members.'
        : "A limit that is left out stays.",
    },
  );
}

const memberUpdate = updateOf("MemberQuotaUpdate", true);
export const update = updateOf("QuotaUpdate", false);
export type QuotaUpdate = Static<typeof memberUpdate>;

export const guaranteeUpdate = Type.Unsafe<Record<string, number>>(
  Type.Object(
    {},
    {
      additionalProperties: Type.Integer({ minimum: 0, maximum: MAX_INTEGER }),
      description:
        "GPUs that are kept for on-demand Pods and workers of its members, by type; spot Pods of others borrow them. " +
        "0 ends it, and a type that is left out stays. Only the operator can guarantee GPUs.",
    },
  ),
);

export const weight = Type.Integer({
  minimum: 1,
  maximum: 1000,
  description:
    "Its right to GPUs beside other projects: the line gives a project of weight 3 three times as many as one of weight 1. " +
    "Only the operator can set it.",
});

/** What the operator sets of projects, beside the limits of their account. */
const accountUpdate = Type.Object(
  {
    ...update.properties,
    projects: Type.Optional(
      Type.Unsafe<Record<string, { guaranteedGpus?: Record<string, number>; weight?: number }>>(
        Type.Object(
          {},
          {
            additionalProperties: Type.Partial(
              Type.Object({ guaranteedGpus: guaranteeUpdate, weight }),
              { title: "ProjectTerms", additionalProperties: false },
            ),
            description:
              "What is guaranteed to projects of the account, and their weights, by the id of the project.",
          },
        ),
      ),
    ),
  },
  {
    title: "AccountQuotaUpdate",
    additionalProperties: false,
    description: "A limit that is left out stays.",
  },
);
export type AccountQuotaUpdate = Static<typeof accountUpdate>;

const over = Type.Array(Type.String(), {
  description:
    'What is held beyond a limit, such as "7 of 4 GPUs". It stays, and nothing can be added to it.',
});

const guaranteeUse = Type.Object(
  {
    count: Type.Integer({ description: "How many are guaranteed." }),
    used: Type.Integer({
      description:
        "Those of its members' on-demand Pods and workers; may be more than the guarantee.",
    }),
    free: Type.Integer({ description: "Those of the guarantee that are free." }),
    lent: Type.Integer({
      description: "Those of the guarantee that spot Pods use, and yield to the project.",
    }),
    short: Type.Integer({
      description:
        "Those of the guarantee that others use on demand, or that no machine offers: a machine is lost or in maintenance.",
    }),
  },
  { title: "GuaranteeUse" },
);

/** What is guaranteed to a project, beside what it holds. */
export const guaranteedGpus = Type.Unsafe<Record<string, Static<typeof guaranteeUse>>>(
  Type.Object(
    {},
    {
      additionalProperties: guaranteeUse,
      description: "What is guaranteed, by GPU type; absent for nothing.",
    },
  ),
);

/** What a project has used of GPUs over time, beside its weight. */
export const share = Type.Object(
  {
    weight: Type.Integer({ description: "Its right to GPUs beside other projects." }),
    gpuHours: Type.Number({
      description:
        "GPU-hours that its members have used, each of which counts half as much after every half-life.",
    }),
    part: Type.Number({ description: "The part of all such GPU-hours, from 0 to 1." }),
  },
  {
    title: "Share",
    description:
      "The line of Pods prefers projects with few gpuHours for their weight. Members without a project count as one project of weight 1.",
  },
);

/** What a holder holds, and may hold. */
export const use = { used, limits, over };

const quota = Type.Object(
  {
    account: Type.Object(use),
    projects: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        ...use,
        guaranteedGpus: Type.Optional(guaranteedGpus),
        share,
      }),
      { description: "Each project: what its members hold together." },
    ),
    memberDefault: Type.Object(limits.properties, {
      description: "The limits of each member that has no limit of its own.",
    }),
    members: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        ...use,
        ownLimits: Type.Array(Type.String(), {
          description:
            'The limits that are set for the member itself, "gpuTypes.<id>" for those of a GPU type.',
        }),
        over,
      }),
      { description: "The members, and former members that something still belongs to." },
    ),
    unowned: Type.Object(used.properties, {
      description: "What belongs to no member: what keys of the account created.",
    }),
    shareWithoutProject: share,
    shareHalfLifeHours: Type.Number({ description: "The half-life of gpuHours." }),
  },
  { title: "Quota" },
);
export type Quota = Static<typeof quota>;
export type QuotaUsed = Static<typeof used>;
export type QuotaLimits = Static<typeof limits>;

const tag = "Quotas";
const write = { of: "rest", access: "write", area: "account" } as const;
const accountPath = "/v1/accounts/{accountId}/quota";
const answer = {
  status: 200,
  description: "Who holds what, and the limits.",
  schema: quota,
} as const;

export const quotaOperations = {
  ...idleGpuOperations,
  getQuota: {
    method: "GET",
    path: "/v1/quota",
    tag,
    summary: "Read who holds what, and the limits",
    needs: { of: "rest", access: "read", area: "own" },
    answer,
  },
  updateMemberDefaultQuota: {
    method: "PATCH",
    path: "/v1/quota/member-default",
    tag,
    summary: "Change the default limits of members",
    description: "A limit below what a member holds stops nothing; `over` says what is beyond it.",
    needs: write,
    body: update,
    answer,
  },
  updateMemberQuota: {
    method: "PATCH",
    path: "/v1/quota/members/{memberId}",
    tag,
    summary: "Change the limits of a member",
    description:
      "A limit below what the member holds stops nothing; `over` says what is beyond it.",
    needs: write,
    body: memberUpdate,
    answer,
  },
  getAccountQuota: {
    method: "GET",
    path: accountPath,
    tag,
    summary: "Read who holds what of an account, and the limits",
    needs: { of: "rest", access: "read", area: "account" },
    answer,
  },
  updateAccountQuota: {
    method: "PATCH",
    path: accountPath,
    tag,
    summary: "Change the limits of an account, and the guarantees and weights of its projects",
    description:
      "Only the operator can. A limit below what the account holds stops nothing; `over` says what is beyond it.",
    needs: write,
    body: accountUpdate,
    answer,
  },
} as const satisfies Operations;
