// Quotes: the cost of a resource before it is created.

import Type, { type Static } from "typebox";
import { type Operations, read } from "../../operation.ts";
import { endpointCreate } from "../endpoint/endpoint-write.ts";
import { podCreate, podUpdate } from "../pod/pod-write.ts";
import { networkVolumeCreate } from "../storage/network-volume.ts";

const { templateId, ...settings } = endpointCreate.properties;
const quotedEndpoint = Type.Object(
  {
    ...settings,
    templateId: Type.Optional({
      ...templateId,
      description: "Omit it if the template does not exist yet.",
    }),
  },
  { additionalProperties: false },
);

const quoteCreate = Type.Object(
  {
    pod: Type.Optional(podCreate),
    endpoint: Type.Optional(quotedEndpoint),
    networkVolume: Type.Optional(networkVolumeCreate),
    existingPod: Type.Optional(
      Type.Object(
        { podId: Type.String(), changes: Type.Optional(podUpdate) },
        {
          additionalProperties: false,
          description: "An existing Pod, after it is started or changed.",
        },
      ),
    ),
  },
  { title: "QuoteCreate", additionalProperties: false, description: "Exactly one of the members." },
);

const dollarsPerHr = (description: string) =>
  Type.Number({ description: `Dollars per hour ${description}` });

const quote = Type.Object(
  {
    kind: Type.Enum(["pod", "endpoint", "networkVolume"]),
    available: Type.Boolean({ description: "Whether a machine has room for it now." }),
    why: Type.Optional(
      Type.Array(Type.Object({ machineId: Type.String(), reason: Type.String() }), {
        description: "The reason for each machine that has no room, if none has.",
      }),
    ),
    refused: Type.Optional(
      Type.Object(
        { code: Type.String(), error: Type.String() },
        { description: "The error for a lack of credits or a spent budget." },
      ),
    ),
    gpuTypeId: Type.Optional(Type.String({ description: "The GPU type that it would get now." })),
    gpuCount: Type.Optional(Type.Integer()),
    cpuFlavorId: Type.Optional(Type.String()),
    costPerHr: dollarsPerHr("for compute; for an endpoint, of one worker."),
    adjustedCostPerHr: Type.Optional(
      dollarsPerHr("for compute, without the part that a savings plan covers."),
    ),
    costPerGpuPerHr: Type.Optional(dollarsPerHr("and GPU.")),
    disksPerHr: Type.Optional(dollarsPerHr("for its disks while it runs.")),
    totalPerHr: dollarsPerHr("in total while it runs; for an endpoint, of one worker."),
    totalPerMonth: Type.Number({ description: "Dollars for 730 hours at totalPerHr." }),
    stoppedPerHr: Type.Optional(dollarsPerHr("for the volume of a stopped Pod.")),
    perSecond: Type.Optional(Type.Number({ description: "Dollars per second for one worker." })),
    leastPerHr: Type.Optional(dollarsPerHr("with workersMin workers.")),
    mostPerHr: Type.Optional(dollarsPerHr("with workersMax workers.")),
    alternatives: Type.Array(
      Type.Object({
        gpuTypeId: Type.String(),
        costPerHr: Type.Number(),
        available: Type.Boolean(),
      }),
      { description: "Quotes for the other GPU types in the request." },
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
    summary: "Get a quote",
    description:
      "Takes the body of POST /v1/pods, /v1/endpoints or /v1/networkvolumes, or an existing Pod with " +
      "the body of PATCH /v1/pods/{podId}. It validates and places the request and changes nothing.",
    needs: read,
    body: quoteCreate,
    answer: { status: 200, description: "The quote.", schema: quote },
  },
} as const satisfies Operations;
