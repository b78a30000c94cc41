// Clusters: Pods that work together.

import Type from "typebox";
import { labeledList } from "../../fields.ts";
import { type Operations, read, write } from "../../operation.ts";
import { noContent } from "../fields.ts";
import { pod } from "../pod/pod.ts";
import { cluster, clusterCreate, clusterPatch } from "./cluster.ts";

const tag = "Clusters";
const path = "/v2/clusters/{clusterId}";
const answer = { status: 200, description: "The cluster.", schema: cluster } as const;

export const clusterOperations = {
  createCluster: {
    method: "POST",
    path: "/v2/clusters",
    tag,
    summary: "Create a cluster",
    description:
      "Creates all Pods or none. The Pods may still be starting. If they cannot all be placed, the " +
      "answer is 400 with the number that there is room for.",
    needs: write,
    body: clusterCreate,
    once: true,
    answer: { ...answer, status: 201 },
  },
  listClusters: {
    method: "GET",
    path: "/v2/clusters",
    tag,
    summary: "List clusters",
    description: "Newest first.",
    needs: read,
    query: labeledList,
    answer: {
      status: 200,
      description: "The clusters.",
      schema: Type.Object({ clusters: Type.Array(cluster) }, { title: "ClusterList" }),
    },
  },
  getCluster: {
    method: "GET",
    path,
    tag,
    summary: "Read a cluster",
    needs: read,
    answer,
  },
  updateCluster: {
    method: "PATCH",
    path,
    tag,
    summary: "Change a cluster's name or labels",
    description: "The number of Pods and their settings cannot be changed.",
    needs: write,
    body: clusterPatch,
    answer,
  },
  deleteCluster: {
    method: "DELETE",
    path,
    tag,
    summary: "Delete a cluster",
    description: "Deletes all its Pods and their volumes permanently.",
    needs: write,
    answer: noContent("The cluster is deleted."),
  },
  listClusterPods: {
    method: "GET",
    path: `${path}/pods`,
    tag,
    summary: "List a cluster's Pods",
    description: "By rank.",
    needs: read,
    answer: {
      status: 200,
      description: "The Pods.",
      schema: Type.Object({ pods: Type.Array(pod) }, { title: "ClusterPodList" }),
    },
  },
} as const satisfies Operations;
