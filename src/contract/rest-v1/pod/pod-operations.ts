// Pods: rented containers.

import Type from "typebox";
import { createdByFilter, filterList, labelFilter } from "../../fields.ts";
import { type Operations, read, write } from "../../operation.ts";
import { logAnswer, logQuery, splitLogAnswer, splitLogQuery } from "../observe/log.ts";
import { metricsAnswer } from "../observe/metrics.ts";
import { pod } from "./pod.ts";
import { podEvent, podEventQuery } from "./pod-event.ts";
import { podKeep, podUpdate, queueablePodCreate } from "./pod-write.ts";

const flag = (description: string) => Type.Boolean({ default: false, description });

const includeFlags = {
  includeMachine: flag("Include the machine."),
  includeNetworkVolume: flag("Include the network volume."),
  includeSavingsPlans: flag("Include the savings plans."),
  includeTemplate: flag("Include the template."),
  includeWorkers: flag("Also return workers of endpoints."),
};

const filters = {
  createdBy: createdByFilter,
  labels: labelFilter,
  computeType: Type.Enum(["GPU", "CPU"]),
  cpuFlavorId: filterList("Only Pods on these CPU flavors."),
  dataCenterId: filterList("Only Pods in these data centers."),
  desiredStatus: filterList(
    "Only Pods with these states.",
    Type.Enum(["RUNNING", "EXITED", "TERMINATED"]),
  ),
  endpointId: filterList("Only workers of these endpoints."),
  gpuTypeId: filterList("Only Pods on these GPU types."),
  id: filterList("Only the Pods with these ids."),
  imageName: filterList("Only Pods with these images."),
  machineId: filterList("Only Pods on these machines."),
  name: Type.Array(Type.String(), { description: "Only Pods with these names." }),
  networkVolumeId: filterList("Only Pods with these network volumes."),
  templateId: filterList("Only Pods from these templates."),
};

const size = Type.Integer({ minimum: 1, maximum: 1_000, description: "Size of the terminal." });

const podPath = "/v1/pods/{podId}";
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
      "The Pod's desiredStatus is RUNNING immediately. It is reachable when publicIp is set. If no " +
      "machine fits, the error gives the reason for each machine; with queue, the Pod waits in line instead.",
    needs,
    body: queueablePodCreate,
    once: true,
    answer: { ...answer, status: 201 },
  },
  listPods: {
    method: "GET",
    path: "/v1/pods",
    tag,
    summary: "List Pods",
    needs: read,
    query: Type.Partial(Type.Object({ ...filters, ...includeFlags })),
    answer: { status: 200, description: "The Pods.", schema: Type.Array(pod) },
  },
  getPod: {
    method: "GET",
    path: podPath,
    tag,
    summary: "Read a Pod",
    needs: { ...read, ownPod: true },
    query: Type.Partial(Type.Object(includeFlags)),
    answer,
  },
  updatePod: {
    method: "PATCH",
    path: podPath,
    also: [
      { method: "POST", path: `${podPath}/update` },
      { method: "PUT", path: podPath },
    ],
    tag,
    summary: "Change a Pod",
    description:
      "A change of name, labels, locked, a deadline, stopWhenIdle or maxLifetime takes effect in place. Any other change creates a new " +
      "container with new public ports and keeps the volume. Hardware, location, template and network " +
      "volume cannot change, but the body may repeat them: the body that created a Pod changes nothing.",
    needs,
    body: podUpdate,
    answer,
  },
  deletePod: {
    method: "DELETE",
    path: podPath,
    tag,
    summary: "Delete a Pod",
    description:
      "Deletes the Pod and its volume permanently, or takes it out of the line if it waits there.",
    needs: { ...needs, ownPod: true },
    answer: { status: 204, description: "The Pod is deleted." },
  },
  startPod: {
    method: "POST",
    path: `${podPath}/start`,
    also: [{ method: "POST", path: `${podPath}/resume` }],
    tag,
    summary: "Start a stopped Pod",
    description: "Starts the Pod on the same machine if enough resources are free there.",
    needs,
    answer,
  },
  stopPod: {
    method: "POST",
    path: `${podPath}/stop`,
    tag,
    summary: "Stop a Pod",
    description: "Releases the Pod's GPUs and wipes its container disk; keeps its volume.",
    needs: { ...needs, ownPod: true },
    answer,
  },
  restartPod: {
    method: "POST",
    path: `${podPath}/restart`,
    tag,
    summary: "Restart a Pod's container",
    needs,
    answer,
  },
  resetPod: {
    method: "POST",
    path: `${podPath}/reset`,
    tag,
    summary: "Reset a Pod's container",
    description: "Creates a new container from the image, with new public ports. Keeps the volume.",
    needs,
    answer,
  },
  keepPod: {
    method: "POST",
    path: `${podPath}/keep`,
    tag,
    summary: "Keep a Pod that would stop",
    description:
      "The time for which the Pod must be idle, by its stopWhenIdle, counts from then on, and a maximum lifetime that " +
      "can be extended does not end it before. `lifetime.stopsAt` says when the Pod stops all the same. " +
      "An operation of Freehold's own.",
    needs: { ...needs, ownPod: true },
    body: podKeep,
    answer,
  },
  getPodLogs: {
    method: "GET",
    path: `${podPath}/logs`,
    tag,
    summary: "Read or follow a Pod's logs",
    description:
      "Lines of the container and of the service, also after the container ended, until the Pod is " +
      "deleted. An operation of Freehold's own.",
    needs: read,
    query: logQuery,
    answer: logAnswer,
  },
  getSplitLogs: {
    method: "GET",
    path: "/v1/pod/{podId}/logs",
    tag,
    summary: "Read or follow a Pod's or worker's two logs",
    description:
      "What Python clients call at the address in RUNPOD_HAPI_URL. The id is a Pod's or a worker's. " +
      "New programs should use the other log operations, which can also continue a stream.",
    needs: read,
    query: splitLogQuery,
    answer: splitLogAnswer,
  },
  listPodEvents: {
    method: "GET",
    path: `${podPath}/events`,
    tag,
    summary: "List a Pod's events",
    description:
      "Newest first: changes of the desired state with their actor, and observations of the " +
      "container and the machine. For the next page, pass the id of the last event as `before`. " +
      "Only the newest events of a Pod are kept; they are deleted with the Pod. An operation of " +
      "Freehold's own.",
    needs: read,
    query: podEventQuery,
    answer: { status: 200, description: "The events.", schema: Type.Array(podEvent) },
  },
  getPodMetrics: {
    method: "GET",
    path: `${podPath}/metrics`,
    tag,
    summary: "Read a Pod's metrics",
    description:
      "CPU, memory, GPUs, network and disk, every ten seconds. An operation of Freehold's own.",
    needs: read,
    answer: metricsAnswer,
  },
  execInPod: {
    method: "GET",
    path: `${podPath}/exec`,
    tag,
    summary: "Run a command in a Pod",
    description:
      'Uses a WebSocket. Send the key in the Authorization header; a browser sends "bearer.<key>" as ' +
      'a second subprotocol after "freehold.exec.v1". An operation of Freehold\'s own.',
    needs: { ...write, area: "use" },
    query: Type.Partial(
      Type.Object({
        command: Type.Array(Type.String(), {
          description: "The program and its arguments as separate items. Default: a shell.",
        }),
        tty: flag("Allocate a terminal."),
        cols: size,
        rows: size,
      }),
    ),
    answer: { status: 101, description: "A WebSocket; docs/logs.md describes its frames." },
  },
} as const satisfies Operations;
