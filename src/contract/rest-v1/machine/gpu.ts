// The GPUs of a machine one by one.

import Type from "typebox";
import { TAKES } from "../../fields.ts";

export const gpuFault = Type.Object(
  {
    number: Type.Integer({ description: "The GPU's number on the machine." }),
    uuid: Type.String({
      description: "The UUID that its driver reports; it stays after a reboot.",
    }),
    code: Type.String({ description: "What is wrong, such as `recovery_action`." }),
    reason: Type.String(),
    recommendation: Type.String({ description: "What to do about it." }),
  },
  { title: "GpuFault" },
);

const quarantine = Type.Object(
  {
    code: Type.String({ description: "What put it there, such as `xid_79`." }),
    at: Type.String({ format: "date-time" }),
    reason: Type.String(),
    recommendation: Type.String({ description: "What NVIDIA recommends." }),
  },
  {
    title: "GpuQuarantine",
    description: "Why no new workload gets it until you return it. Absent if it is not there.",
  },
);

const canBeCancelled = Type.Optional(
  Type.Literal(true, {
    description:
      "Whether `cancelledGpuRequests` can end it. Absent once it has begun to change the GPU, or has ended.",
  }),
);

const test = Type.Object(
  {
    requestedAt: Type.String({ format: "date-time" }),
    outcome: Type.Enum(["pending", "passed", "failed", "not_run", "cancelled"], {
      description: "`not_run` if the machine lacks something that the test needs.",
    }),
    endedAt: Type.Optional(Type.String({ format: "date-time" })),
    text: Type.Optional(
      Type.String({
        description:
          "What was checked, what failed, or what is missing; of a pending one, what it waits for.",
      }),
    ),
    canBeCancelled,
  },
  { title: "GpuTest", description: "Its last test. Absent if it was not tested." },
);

const migChange = Type.Object(
  {
    requestedAt: Type.String({ format: "date-time" }),
    profiles: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: "The profiles of the MIG devices that it is to have; null for no MIG mode.",
    }),
    outcome: Type.Enum(["pending", "set", "refused", "cancelled"], {
      description: "`pending` until the GPU was read again after the change.",
    }),
    endedAt: Type.Optional(Type.String({ format: "date-time" })),
    text: Type.Optional(
      Type.String({
        description: "What was set, or why it was refused; of a pending one, what it waits for.",
      }),
    ),
    canBeCancelled,
  },
  {
    title: "GpuMigChange",
    description: "The last change of its MIG layout. Absent if none was requested.",
  },
);

const migProfiles = Type.Object(
  {
    source: Type.Enum(["driver", "documentation"], {
      description:
        "`driver` once the GPU was in MIG mode, in which its driver lists them; before that, what NVIDIA documents.",
    }),
    profiles: Type.Array(
      Type.Object({
        name: Type.String({ description: "Such as `1g.10gb`." }),
        count: Type.Integer({ description: "How many of them fit on the GPU, without others." }),
      }),
    ),
  },
  {
    title: "GpuMigProfiles",
    description: "What it can be divided into. Absent for a GPU of which no profiles are known.",
  },
);

const slice = Type.Object(
  {
    gpuUuid: Type.String({ description: "The UUID of its GPU." }),
    profile: Type.String({ description: "Such as `1g.10gb`." }),
  },
  { title: "GpuSlice", description: "What a MIG device is a part of. Absent for a whole GPU." },
);

const layout = {
  count: Type.Integer({ minimum: 2, maximum: 64, description: "The number of shares." }),
  memoryInGb: Type.Integer({
    minimum: 1,
    description:
      "The memory of each share. Without `mps` it is declared and not enforced: a program can take more of the card's memory.",
  }),
  mps: Type.Optional(
    Type.Literal(true, {
      description:
        "NVIDIA's MPS daemon, which has to run on the machine, limits the memory of the programs on each share, and their part of the multiprocessors.",
    }),
  ),
};

const shares = Type.Object(
  {
    ...layout,
    gpuTypeId: Type.String({ description: "The GPU type of each share." }),
    held: Type.Integer({ description: "How many of them Pods and workers hold." }),
  },
  { title: "GpuShares", description: "The shares that it is offered as. Absent for other GPUs." },
);

const gpuErrors = Type.Object(
  {
    code: Type.String({ description: "Such as `xid_31`." }),
    workload: Type.Optional(
      Type.String({ description: "The Pod or worker that had the GPU. Absent if none had it." }),
    ),
    count: Type.Integer(),
    lastAt: Type.String({ format: "date-time" }),
  },
  { title: "GpuErrors" },
);

/** A GPU by itself; its number is the one by which Freehold assigns it. */
export const gpuDevice = Type.Object(
  {
    number: Type.Integer({ description: "The GPU's number on the machine." }),
    uuid: Type.String(),
    gpuTypeId: Type.Optional(Type.String({ description: "Absent for a GPU that is lost." })),
    state: Type.Enum(
      [
        "lost",
        "quarantined",
        "unhealthy",
        "cordoned",
        "in_test",
        "changing",
        "split",
        "shared",
        "in_use",
        "free",
      ],
      {
        description:
          "The first of these that holds; `split` is a GPU in MIG mode that is offered as its MIG devices, " +
          "`shared` one that is offered as shares.",
      },
    ),
    cordonReason: Type.Optional(
      Type.String({
        description: "Why you cordoned it; may be empty. Absent if it is not cordoned.",
      }),
    ),
    fault: Type.Optional(gpuFault),
    slice: Type.Optional(slice),
    shares: Type.Optional(shares),
    quarantine: Type.Optional(quarantine),
    test: Type.Optional(test),
    migChange: Type.Optional(migChange),
    migProfiles: Type.Optional(migProfiles),
    workloads: Type.Array(Type.String(), {
      description: "The ids of the Pods and workers that hold it, or shares of it.",
    }),
    errors: Type.Optional(
      Type.Array(gpuErrors, {
        description:
          "The errors that the kernel logged of it within a day, by code and workload. Absent for none.",
      }),
    ),
  },
  { title: "GpuDevice" },
);

const testGpus = Type.Array(Type.String(), {
  maxItems: 64,
  uniqueItems: true,
  description:
    "UUIDs of GPUs of the machine to test once. Nothing may use them, and no new workload gets them until the test " +
    "has ended: `test` of `gpuDevices` has its result.",
});

const cordonedGpus = Type.Unsafe<Record<string, string | null>>(
  Type.Object(
    {},
    {
      additionalProperties: Type.Union([Type.String({ maxLength: 1_000 }), Type.Null()], {
        [TAKES]: "a reason, or null",
      }),
      maxProperties: 64,
      description:
        "GPUs of the machine that new workloads do not get, as reasons by UUID; a reason may be empty. " +
        "Null ends a cordon and a quarantine; GPUs that are not named do not change.",
    },
  ),
);

type ShareLayout = { count: number; memoryInGb: number; mps?: true };

const sharedGpus = Type.Unsafe<Record<string, ShareLayout | null>>(
  Type.Object(
    {},
    {
      additionalProperties: Type.Union(
        [
          Type.Object(layout, { title: "GpuShareLayout", additionalProperties: false }),
          Type.Null(),
        ],
        { [TAKES]: 'such as {"count": 4, "memoryInGb": 20}, or null' },
      ),
      maxProperties: 64,
      description:
        "GPUs of the machine that are offered as shares, each a GPU type of its own, by UUID. Null makes a GPU whole again; " +
        "GPUs that are not named do not change. Nothing may run on a GPU whose layout changes, and its shares together " +
        "have at most its memory.",
    },
  ),
);

const migLayouts = Type.Unsafe<Record<string, string[] | null>>(
  Type.Object(
    {},
    {
      additionalProperties: Type.Union(
        [Type.Array(Type.String({ maxLength: 40 }), { maxItems: 64 }), Type.Null()],
        {
          [TAKES]: 'a list of MIG profiles such as ["3g.40gb", "3g.40gb"], or null',
        },
      ),
      maxProperties: 64,
      description:
        "NVIDIA GPUs of the machine that are divided into MIG devices, as their profiles by UUID. Null ends MIG mode; GPUs that " +
        "are not named do not change. Nothing may run on a GPU whose layout changes, and `FREEHOLD_GPU_CHECKS` has to allow it: " +
        "`migChange` of `gpuDevices` has the result.",
    },
  ),
);

const cancelledGpuRequests = Type.Array(Type.String(), {
  maxItems: 64,
  uniqueItems: true,
  description:
    "UUIDs of GPUs whose pending test or change of the MIG layout is cancelled, such as those of a machine that is offline. A " +
    "change that has begun cannot be cancelled; a test that runs is stopped.",
});

/** What an operator can change of the GPUs. */
export const gpuUpdate = { cordonedGpus, sharedGpus, migLayouts, testGpus, cancelledGpuRequests };
