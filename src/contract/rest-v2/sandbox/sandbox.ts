// Schemas of sandboxes.

import Type, { type Static } from "typebox";
import {
  labels as allLabels,
  createdBy,
  createdByFilter,
  env,
  instant,
  labelFilter,
  TAKES,
  wholeNumber,
} from "../../fields.ts";
import { closed, name } from "../fields.ts";

const state = Type.Enum(["CREATING", "RUNNING", "TERMINATED", "FAILED"]);
const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const seconds = (standard: number, limit: number, description: string) =>
  wholeNumber(1, {
    default: standard,
    description: `${description} More than ${limit} becomes ${limit}.`,
  });

const idleTimeoutSeconds = seconds(600, 7_200, "The most seconds without a command.");
const maxLifetimeSeconds = seconds(3_600, 86_400, "The most seconds since its creation.");

const labels = { ...allLabels, description: "Names and values to find it by." };

const id = Type.String({ minLength: 1 });
const words = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

export const sandboxCreate = closed(
  {
    imageName: Type.Optional(Type.String({ minLength: 1, description: "The image." })),
    templateId: Type.Optional({ ...id, description: "A template for Pods, in place of an image." }),
    name: Type.Optional(name),
    cpuFlavorId: Type.Optional({ ...id, description: "The CPU flavor; the cheapest by default." }),
    vcpuCount: Type.Optional(wholeNumber(1, { description: "Virtual CPUs." })),
    memoryInGb: Type.Optional(wholeNumber(1, { description: "At least so much memory." })),
    disk: Type.Optional(
      wholeNumber(1, {
        description: "Size of the disk in GB; by default the template's, else 10.",
      }),
    ),
    dataCenterId: Type.Optional({ ...id, description: "The data center; any by default." }),
    dataCenterIds: words("Allowed data centers, in place of dataCenterId."),
    entrypoint: words("Replaces the command of the template."),
    cmd: words("Replaces the arguments of the template."),
    registry: Type.Optional({ ...id, description: "The id of registry credentials." }),
    env: Type.Optional(env),
    idleTimeoutSeconds: Type.Optional(idleTimeoutSeconds),
    maxLifetimeSeconds: Type.Optional(maxLifetimeSeconds),
    labels: Type.Optional(labels),
    egressMode: Type.Optional(
      Type.Enum(["ALLOW_ALL", "ALLOW_LIST", "DENY_ALL"], {
        default: "ALLOW_ALL",
        description: "Only ALLOW_ALL is offered.",
      }),
    ),
  },
  {
    title: "SandboxCreate",
    description: "Exactly one of imageName and templateId is required.",
  },
);
export type SandboxCreate = Static<typeof sandboxCreate>;

export const sandboxPatch = closed(
  {
    idleTimeoutSeconds: Type.Optional(idleTimeoutSeconds),
    maxLifetimeSeconds: Type.Optional(maxLifetimeSeconds),
  },
  {
    title: "SandboxPatch",
    minProperties: 1,
    [TAKES]: 'a JSON object with "idleTimeoutSeconds", "maxLifetimeSeconds" or both',
  },
);

export const sandboxExtend = closed({ maxLifetimeSeconds }, { title: "SandboxExtend" });

export const sandboxExec = closed(
  {
    command: Type.Array(Type.String(), {
      minItems: 1,
      description: "The program and its arguments. No shell interprets them.",
    }),
    timeoutSeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 50,
        default: 25,
        description: "The command is ended after so many seconds.",
      }),
    ),
  },
  { title: "SandboxExec" },
);

export const sandboxExecResult = Type.Object(
  {
    output: Type.String({ description: "stdout and stderr together; at most 1 MiB." }),
    error: orNull("Why the command failed; null for exit code 0."),
    stdout: Type.String(),
    stderr: Type.String(),
    exitCode: Type.Union([Type.Integer(), Type.Null()], {
      description: "Null if the command was ended.",
    }),
    durationMs: Type.Integer(),
    truncated: Type.Boolean({ description: "True if the output was longer than what is shown." }),
  },
  { title: "SandboxExecResult" },
);

export const sandboxQuery = Type.Object({
  createdBy: Type.Optional({
    ...createdByFilter,
    description:
      'Only what belongs to the member with this id, and has not ended; "me" for the caller.',
  }),
  state: Type.Optional({
    ...state,
    description: "Only this state. Without it, TERMINATED sandboxes are left out.",
  }),
  labels: Type.Optional(labelFilter),
});

export const sandbox = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    state,
    templateId: orNull("The template it was created from."),
    imageName: Type.String(),
    cpuFlavorId: orNull("Its CPU flavor."),
    compute: Type.Union(
      [
        Type.Object(
          {
            vcpuCount: Type.Integer(),
            memoryInGb: Type.Number(),
            containerDiskInGb: Type.Integer(),
            costPerHr: Type.Number({ description: "Dollars per hour, with its disk." }),
          },
          { title: "SandboxCompute" },
        ),
        Type.Null(),
      ],
      { description: "Null once it has ended." },
    ),
    idleTimeoutSeconds: Type.Integer(),
    maxLifetimeSeconds: Type.Integer(),
    lastActivityAt: instant,
    idleExpiresAt: { ...instant, description: "When it ends unless a command is run." },
    expiresAt: { ...instant, description: "When it ends in any case." },
    labels,
    terminationReason: Type.Union([
      Type.Enum([
        "DELETED",
        "IDLE_TIMEOUT",
        "MAX_LIFETIME",
        "EXITED",
        "START_FAILED",
        "NO_CREDITS",
        "BUDGET_SPENT",
        "ACCOUNT_DISABLED",
        "DISK_FULL",
        "STOPPED",
      ]),
      Type.Null(),
    ]),
    terminationDetail: orNull("The reason in words."),
    terminatedAt: Type.Union([instant, Type.Null()]),
    startedAt: Type.Union([instant, Type.Null()]),
    createdAt: instant,
    createdBy: Type.Optional(createdBy),
    updatedAt: instant,
  },
  { title: "Sandbox" },
);
export type Sandbox = Static<typeof sandbox>;
