// Pods: containers that are rented, on a machine of ours.

import Type from "typebox";
import type { Operations } from "../operation.ts";
import { logAnswer, logQuery } from "./log.ts";
import { metricsAnswer } from "./metrics.ts";
import { pod } from "./pod.ts";
import { podEvent, podEventQuery } from "./pod-event.ts";
import { podCreate, podUpdate } from "./pod-write.ts";

const flag = (description: string) => Type.Boolean({ default: false, description });

const including = {
  includeMachine: flag("Also the machine it runs on."),
  includeNetworkVolume: flag("Also the network volume it has."),
  includeSavingsPlans: flag("With its savings plans."),
  includeTemplate: flag("Also the template it was made from."),
  includeWorkers: flag("Also Pods that are workers of endpoints."),
};

const some = (description: string) => Type.Array(Type.String(), { description });
const text = (description: string) => Type.String({ description });

const filters = {
  computeType: Type.Enum(["GPU", "CPU"]),
  cpuFlavorId: some("Only those on these CPU flavors."),
  dataCenterId: some("Only those in these data centers."),
  desiredStatus: Type.Enum(["RUNNING", "EXITED", "TERMINATED"]),
  endpointId: text("Only workers of this endpoint."),
  gpuTypeId: some("Only those on these GPU types."),
  id: text("Only this one."),
  imageName: text("Only those of this image."),
  machineId: text("Only those on this machine."),
  name: text("Only those of this name."),
  networkVolumeId: text("Only those with this network volume."),
  templateId: text("Only those made from this template."),
};

const size = Type.Integer({ minimum: 1, maximum: 1_000, description: "Of the terminal." });

const one = "/v1/pods/{podId}";
const read = { of: "rest", access: "read" } as const;
const write = { of: "rest", access: "write" } as const;
const answer = { status: 200, description: "The Pod.", schema: pod } as const;
const tag = "Pods";
const needs = write;

export const podOperations = {
  createPod: {
    method: "POST",
    path: "/v1/pods",
    tag,
    summary: "Create a Pod",
    description:
      "It is RUNNING at once; it can be reached when publicIp is there. Where no machine would do, " +
      "the refusal says why of each.",
    needs,
    body: podCreate,
    once: true,
    answer: { ...answer, status: 201 },
  },
  listPods: {
    method: "GET",
    path: "/v1/pods",
    tag,
    summary: "List Pods",
    needs: read,
    query: Type.Partial(Type.Object({ ...filters, ...including })),
    answer: { status: 200, description: "The Pods.", schema: Type.Array(pod) },
  },
  getPod: {
    method: "GET",
    path: one,
    tag,
    summary: "Read a Pod",
    needs: { ...read, ownPod: true },
    query: Type.Partial(Type.Object(including)),
    answer,
  },
  updatePod: {
    method: "PATCH",
    path: one,
    also: [
      { method: "POST", path: `${one}/update` },
      { method: "PUT", path: one },
    ],
    tag,
    summary: "Change a Pod",
    description:
      "A change of name or locked takes effect in place. Any other takes a new container, and " +
      "public ports are drawn anew; the volume is kept.",
    needs,
    body: podUpdate,
    answer,
  },
  deletePod: {
    method: "DELETE",
    path: one,
    tag,
    summary: "Delete a Pod",
    description: "With its volume, and for good.",
    needs: { ...needs, ownPod: true },
    answer: { status: 204, description: "It is gone." },
  },
  startPod: {
    method: "POST",
    path: `${one}/start`,
    also: [{ method: "POST", path: `${one}/resume` }],
    tag,
    summary: "Start a Pod that was stopped",
    description: "On the same machine, if what it needs is free there.",
    needs,
    answer,
  },
  stopPod: {
    method: "POST",
    path: `${one}/stop`,
    tag,
    summary: "Stop a Pod",
    description: "Its GPUs are let go and its container's disk is wiped; its volume is kept.",
    needs: { ...needs, ownPod: true },
    answer,
  },
  restartPod: {
    method: "POST",
    path: `${one}/restart`,
    tag,
    summary: "Restart a Pod's container",
    needs,
    answer,
  },
  resetPod: {
    method: "POST",
    path: `${one}/reset`,
    tag,
    summary: "Make a Pod's container anew from its image",
    description: "Its volume is kept; public ports are drawn anew.",
    needs,
    answer,
  },
  getPodLogs: {
    method: "GET",
    path: `${one}/logs`,
    tag,
    summary: "Read or follow a Pod's logs",
    description:
      "What its container printed and what the service did for it; also after it ended, until it " +
      "is deleted. An operation of ours.",
    needs: read,
    query: logQuery,
    answer: logAnswer,
  },
  listPodEvents: {
    method: "GET",
    path: `${one}/events`,
    tag,
    summary: "List what happened to a Pod",
    description:
      "The newest first: what was wanted of it and by whom, and what was seen of its container and " +
      "its machine. The next page is asked for with the id of the last event. They go with the Pod; " +
      "of one that lives long the newest are kept. An operation of ours.",
    needs: read,
    query: podEventQuery,
    answer: { status: 200, description: "The events.", schema: Type.Array(podEvent) },
  },
  getPodMetrics: {
    method: "GET",
    path: `${one}/metrics`,
    tag,
    summary: "Read what a Pod uses",
    description: "CPU, memory, GPUs, network and disk, every ten seconds. An operation of ours.",
    needs: read,
    answer: metricsAnswer,
  },
  execInPod: {
    method: "GET",
    path: `${one}/exec`,
    tag,
    summary: "Run a command in a Pod",
    description:
      'Over a WebSocket, with the key in the Authorization header or, of a browser, as "bearer.<key>" ' +
      'beside "freehold.exec.v1" among the protocols that it offers. An operation of ours.',
    needs: { ...write, area: "use" },
    query: Type.Partial(
      Type.Object({
        command: Type.Array(Type.String(), {
          description: "The program and its arguments, each by itself; left out: a shell.",
        }),
        tty: flag("With a terminal."),
        cols: size,
        rows: size,
      }),
    ),
    answer: { status: 101, description: "A WebSocket; see docs/logs.md for its frames." },
  },
} as const satisfies Operations;
