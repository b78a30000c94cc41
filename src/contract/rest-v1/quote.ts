// What something would cost, asked before it is created.

import Type, { type Static } from "typebox";
import type { Operations } from "../operation.ts";
import { endpointCreate } from "./endpoint.ts";
import { networkVolumeCreate } from "./network-volume.ts";
import { podCreate, podUpdate } from "./pod-write.ts";

const { templateId, ...settings } = endpointCreate.properties;
const quotedEndpoint = Type.Object(
  {
    ...settings,
    templateId: Type.Optional({ ...templateId, description: "Left out where there is none yet." }),
  },
  { additionalProperties: false },
);

export const quoteCreate = Type.Object(
  {
    pod: Type.Optional(podCreate),
    endpoint: Type.Optional(quotedEndpoint),
    networkVolume: Type.Optional(networkVolumeCreate),
    existingPod: Type.Optional(
      Type.Object(
        { podId: Type.String(), changes: Type.Optional(podUpdate) },
        {
          additionalProperties: false,
          description:
            "A Pod of yours once it is started, or changed; of one that runs, from then on.",
        },
      ),
    ),
  },
  { title: "QuoteCreate", additionalProperties: false, description: "One of them." },
);

const dollarsPerHr = (description: string) =>
  Type.Number({ description: `Dollars per hour ${description}` });

export const quote = Type.Object(
  {
    kind: Type.Enum(["pod", "endpoint", "networkVolume"]),
    available: Type.Boolean({ description: "Whether there is a place for it now." }),
    why: Type.Optional(
      Type.Array(Type.Object({ machineId: Type.String(), reason: Type.String() }), {
        description: "Why each machine would be passed over, where there is no place.",
      }),
    ),
    refused: Type.Optional(
      Type.Object(
        { code: Type.String(), error: Type.String() },
        { description: "How it would be refused for want of credits or of a budget." },
      ),
    ),
    gpuTypeId: Type.Optional(Type.String({ description: "What it would get now." })),
    gpuCount: Type.Optional(Type.Integer()),
    cpuFlavorId: Type.Optional(Type.String()),
    costPerHr: dollarsPerHr("of what it computes on; of an endpoint, one worker's."),
    adjustedCostPerHr: Type.Optional(
      dollarsPerHr("of the same, without what a savings plan that would cover it pays for."),
    ),
    costPerGpuPerHr: Type.Optional(dollarsPerHr("and GPU.")),
    disksPerHr: Type.Optional(dollarsPerHr("of its disks, while it runs.")),
    totalPerHr: dollarsPerHr("of all that is charged while it runs; of an endpoint, one worker's."),
    totalPerMonth: Type.Number({ description: "Dollars, for 730 such hours." }),
    stoppedPerHr: Type.Optional(dollarsPerHr("while a Pod is stopped, for its volume.")),
    perSecond: Type.Optional(Type.Number({ description: "Dollars, for one worker." })),
    leastPerHr: Type.Optional(dollarsPerHr("with workersMin workers.")),
    mostPerHr: Type.Optional(dollarsPerHr("with workersMax workers.")),
    alternatives: Type.Array(
      Type.Object({
        gpuTypeId: Type.String(),
        costPerHr: Type.Number(),
        available: Type.Boolean(),
      }),
      { description: "The same on the other GPU types that are asked for." },
    ),
  },
  { title: "Quote" },
);
export type Quote = Static<typeof quote>;

export const quoteOperations = {
  createQuote: {
    method: "POST",
    path: "/v1/quote",
    tag: "Quotes",
    summary: "Ask what something would cost",
    description:
      "Takes the body of POST /v1/pods, /v1/endpoints or /v1/networkvolumes, or a Pod that is there with the " +
      "changes of PATCH /v1/pods/{podId}, checks and places it as that would, and does nothing of it.",
    needs: { of: "rest", access: "read" },
    body: quoteCreate,
    answer: { status: 200, description: "What it would cost now.", schema: quote },
  },
} as const satisfies Operations;
