// Pods: rented containers.

import Type from "typebox";
import { labeledList } from "../../fields.ts";
import { type Operations, read, write } from "../../operation.ts";
import { closed, noContent, pageQuery, pagination } from "../fields.ts";
import { logAnswer, logQuery } from "../log.ts";
import { pod, podAction } from "./pod.ts";
import { podCreate, podPatch } from "./pod-write.ts";

const tag = "Pods";
const path = "/v2/pods/{podId}";
const answer = { status: 200, description: "The Pod.", schema: pod } as const;

export const podOperations = {
  createPod: {
    method: "POST",
    path: "/v2/pods",
    tag,
    summary: "Create a Pod",
    description:
      "The Pod may still be starting. If no machine fits, the answer is 400 with the reason for each.",
    needs: write,
    body: podCreate,
    once: true,
    answer: { ...answer, status: 201 },
  },
  listPods: {
    method: "GET",
    path: "/v2/pods",
    tag,
    summary: "List Pods",
    description: "Newest first.",
    needs: read,
    query: Type.Object({
      ...pageQuery,
      ...labeledList.properties,
      includeClusterPods: Type.Optional(
        Type.Boolean({
          default: false,
          description: "Whether members of clusters are among them.",
        }),
      ),
    }),
    answer: {
      status: 200,
      description: "A page of Pods.",
      schema: Type.Object({ pods: Type.Array(pod), pagination }, { title: "PodPage" }),
    },
  },
  getPod: {
    method: "GET",
    path,
    tag,
    summary: "Read a Pod",
    needs: { ...read, ownPod: true },
    answer,
  },
  updatePod: {
    method: "PATCH",
    path,
    tag,
    summary: "Change a Pod",
    description:
      "A change of name or locked takes effect in place. Any other change creates a new container " +
      "and keeps the volume.",
    needs: write,
    body: podPatch,
    answer,
  },
  deletePod: {
    method: "DELETE",
    path,
    tag,
    summary: "Delete a Pod",
    description: "Deletes the Pod and its volume permanently.",
    needs: { ...write, ownPod: true },
    answer: noContent("The Pod is deleted."),
  },
  actOnPod: {
    method: "POST",
    path: `${path}/action`,
    tag,
    summary: "Start, stop, restart or terminate a Pod",
    description: "An action that is not among the Pod's actions is refused with 409.",
    needs: { ...write, ownPod: true },
    body: closed({ action: podAction }, { title: "PodActionBody" }),
    answer,
    alsoNoContent: true,
  },
  streamPodLogs: {
    method: "GET",
    path: `${path}/logs`,
    tag,
    summary: "Follow a Pod's logs",
    needs: read,
    query: logQuery,
    answer: logAnswer,
  },
} as const satisfies Operations;
