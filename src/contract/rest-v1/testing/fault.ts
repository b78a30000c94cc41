// The faults that a test switches on, to see how its programs cope.

import Type, { type Static } from "typebox";
import { instant } from "../../fields.ts";
import type { Operations } from "../../operation.ts";

const fault = Type.Object(
  {
    name: Type.String(),
    description: Type.String({ description: "What its user sees." }),
    strikes: Type.Enum(["request", "workload", "webhook", "machine"], {
      description: "What it strikes: answers to requests, workloads, webhooks, or machines.",
    }),
    incident: Type.Union([Type.String(), Type.Null()], {
      description: "A published report of the same fault.",
    }),
    active: Type.Union(
      [
        Type.Object({
          rate: Type.Number(),
          match: Type.Union([Type.String(), Type.Null()]),
          since: instant,
          until: Type.Union([instant, Type.Null()]),
        }),
        Type.Null(),
      ],
      { description: "Null while it is off." },
    ),
    hits: Type.Integer({ description: "How often it has struck since the replica started." }),
  },
  { title: "TestFault" },
);
export type FaultState = Static<typeof fault>;

const faultSwitch = Type.Object(
  {
    name: Type.String({ description: "Its name, from the list of faults." }),
    for: Type.Optional(
      Type.String({
        description:
          "A duration after which it ends: `90s`, `5m`, `1h30m`; by default it stays on.",
      }),
    ),
    rate: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1,
        default: 1,
        description: "The share of what it can strike that it strikes.",
      }),
    ),
    match: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          "A part of what it strikes: the method and path of a request such as `POST /v1/pods`, the id and the image " +
          "of a workload, the id of a machine or a volume, or the URL of a webhook.",
      }),
    ),
  },
  { title: "TestFaultSwitch", additionalProperties: false },
);

const tag = "Testing";

export const faultOperations = {
  listFaults: {
    method: "GET",
    path: "/v1/faults",
    tag,
    summary: "List faults for tests",
    description: "Every fault that a test can switch on, and those that are on.",
    needs: { of: "rest", access: "read", area: "account" },
    answer: { status: 200, description: "All faults.", schema: Type.Array(fault) },
  },
  turnFaultOn: {
    method: "POST",
    path: "/v1/faults",
    tag,
    summary: "Switch a fault on",
    description:
      "Only the operator's account can do this, on a service that only its machine reaches or that was started with " +
      "`FREEHOLD_FAULTS=on`. A fault that is on gets the new settings. A restart ends all faults, unless several replicas share the store.",
    needs: { of: "rest", access: "write", area: "account" },
    body: faultSwitch,
    answer: { status: 200, description: "The fault, which is on.", schema: fault },
  },
  turnFaultOff: {
    method: "DELETE",
    path: "/v1/faults/{faultName}",
    tag,
    summary: "Switch a fault off",
    needs: { of: "rest", access: "write", area: "account" },
    answer: { status: 204, description: "The fault is off." },
  },
} as const satisfies Operations;
