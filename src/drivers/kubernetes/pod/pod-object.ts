// The Kubernetes Pod of a workload, and what its namespace has. Pure.

import { CAPABILITIES } from "../../../domain/container/capabilities.ts";
import { profileOfNumber } from "../../../domain/machine/cluster-slices.ts";
import { StartRefused, type Workload } from "../../driver.ts";
import {
  ANNOTATION,
  claimName,
  FINALIZER,
  LABEL,
  namespaceOf,
  type Owner,
  ownerLabels,
  podName,
} from "../names.ts";
import { pullSecretName } from "../workload-secrets.ts";
import { GPU_RESOURCES, gpuResourceOf } from "./gpu-families.ts";
import { type KubernetesPodFiles, podFilesOf } from "./pod-files.ts";

export const CONTAINER = "main";

/** Keeps a Pod off its node until the objects that it owns exist, which need its uid. */
const INCOMPLETE_GATE = "freehold.dev/incomplete";

/** Simulated GPUs have indices from here on, and get no device. */
const FIRST_SIMULATED_GPU = 1_000;
const DEFAULT_SHM_MB = 1_024;

/** The node that a Pod runs on, and what its GPUs are requested as. */
export interface TargetNode {
  name: string;
  gpuResource: string;
  /** The RuntimeClass of Pods with GPUs; null for the cluster's default. */
  gpuRuntimeClass: string | null;
  /** The PriorityClasses of spot Pods and of other Pods; absent for the cluster's default. */
  priorityClasses?: { spot?: string; onDemand?: string };
}

/** Throws StartRefused for what this driver cannot run. */
export function podObject(
  workload: Workload,
  owner: Owner,
  node: TargetNode,
  files: KubernetesPodFiles | null = podFilesOf(workload, owner),
) {
  const { id, account = "", image, auth, entrypoint, command, volumes = [], hosts } = workload;
  refuseUnsupported(workload);
  const name = podName(owner, id);
  const resources = resourcesOf(workload, node.gpuResource);
  const { spot, onDemand } = node.priorityClasses ?? {};
  const priorityClassName = workload.isSpot ? spot : onDemand;
  const hasGpus = realGpusOf(workload).length > 0;
  return {
    metadata: {
      name,
      namespace: namespaceOf(owner, account),
      labels: { ...ownerLabels(owner), [LABEL.pod]: name },
      annotations: {
        [ANNOTATION.workload]: id,
        [ANNOTATION.account]: account,
        "cluster-autoscaler.kubernetes.io/safe-to-evict": "false",
      },
      finalizers: [FINALIZER],
    },
    spec: {
      restartPolicy: "Never",
      schedulingGates: [{ name: INCOMPLETE_GATE }],
      ...(auth && { imagePullSecrets: [{ name: pullSecretName(name) }] }),
      ...(hosts && { hostAliases: hostAliasesOf(hosts) }),
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      ...(hasGpus && node.gpuRuntimeClass && { runtimeClassName: node.gpuRuntimeClass }),
      ...(priorityClassName && { priorityClassName }),
      affinity: { nodeAffinity: onNode(node.name) },
      tolerations: TOLERATIONS,
      securityContext: {
        seccompProfile: { type: "RuntimeDefault" },
        ...(volumes.length > 0 && VOLUME_GROUP),
      },
      volumes: [
        { name: "shm", emptyDir: { medium: "Memory", sizeLimit: `${shmMb(workload)}Mi` } },
        ...volumes.map((volume, n) => {
          return { name: `v${n}`, persistentVolumeClaim: { claimName: claimName(owner, volume) } };
        }),
        ...(files ? [files.volume] : []),
      ],
      containers: [
        {
          name: CONTAINER,
          image,
          // Kubelets before 1.35 give an image that is on the node to everyone.
          ...(auth && { imagePullPolicy: "Always" }),
          ...(entrypoint.length > 0 && { command: entrypoint.map(literal) }),
          ...(command.length > 0 && { args: command.map(literal) }),
          envFrom: [{ secretRef: { name } }],
          resources,
          securityContext: {
            allowPrivilegeEscalation: false,
            capabilities: { drop: ["ALL"], add: CAPABILITIES },
          },
          volumeMounts: [
            { name: "shm", mountPath: "/dev/shm" },
            ...volumes.map(({ mountPath }, n) => ({ name: `v${n}`, mountPath })),
            ...(files?.mounts ?? []),
          ],
        },
      ],
    },
  };
}

/** Kubernetes lists the names of each address. */
const hostAliasesOf = (hosts: NonNullable<Workload["hosts"]>) => {
  const addresses = [...new Set(Object.values(hosts))];
  return addresses.map((ip) => ({
    ip,
    hostnames: Object.keys(hosts).filter((name) => hosts[name] === ip),
  }));
};

/** All containers are in it and a volume's root is its own, so that images of any user can write there. */
const VOLUME_GROUP = { fsGroup: 1_000, fsGroupChangePolicy: "OnRootMismatch" };

/** The namespace of an account, which the machines of an installation share. */
export function namespaceObject(name: string, owner: Owner) {
  const { [LABEL.installation]: installation } = ownerLabels(owner);
  return { metadata: { name, labels: { [LABEL.installation]: installation } } };
}

/** Refuses connections from other namespaces, where the cluster enforces policies. */
export const isolationPolicy = {
  metadata: { name: "freehold" },
  spec: {
    podSelector: {},
    policyTypes: ["Ingress"],
    ingress: [{ from: [{ podSelector: {} }] }],
  },
};

/** A full node leaves the Pod pending with a reason; `nodeName` would fail it. */
const onNode = (node: string) => ({
  requiredDuringSchedulingIgnoredDuringExecution: {
    nodeSelectorTerms: [
      { matchFields: [{ key: "metadata.name", operator: "In", values: [node] }] },
    ],
  },
});

/** These tolerations have no seconds: a Pod on a lost node is not deleted, and continues when the node returns. */
const TOLERATIONS = [
  { key: "node.kubernetes.io/unreachable", operator: "Exists", effect: "NoExecute" },
  { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" },
  ...GPU_RESOURCES.map((key) => ({ key, operator: "Exists" })),
];

const realGpusOf = ({ resources: { gpuIndices = [] } = {} }: Pick<Workload, "resources">) =>
  gpuIndices.filter((index) => index < FIRST_SIMULATED_GPU || profileOfNumber(index) !== null);

function resourcesOf({ resources = {} }: Workload, gpuResource: string) {
  const { vcpu, memoryMb, diskGb } = resources;
  const gpus = new Map<string, number>();
  for (const index of realGpusOf({ resources })) {
    const name = gpuResourceOf(index, gpuResource);
    gpus.set(name, (gpus.get(name) ?? 0) + 1);
  }
  const limits: Record<string, string> = {
    ...(vcpu !== undefined && { cpu: `${Math.round(vcpu * 1_000)}m` }),
    ...(memoryMb !== undefined && { memory: `${Math.round(memoryMb)}Mi` }),
    ...Object.fromEntries([...gpus].map(([name, count]) => [name, String(count)])),
    ...(diskGb !== undefined && { "ephemeral-storage": `${diskGb}G` }),
  };
  return { limits, requests: limits };
}

function shmMb({ resources }: Workload): number {
  return resources?.memoryMb === undefined
    ? DEFAULT_SHM_MB
    : Math.max(1, Math.floor(resources.memoryMb / 2));
}

/** Kubernetes replaces $(NAME) in commands. */
const literal = (word: string) => word.split("$(").join("$$(");

const VARIABLE_NAME = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;

function refuseUnsupported({ env, network }: Workload): void {
  if (network) {
    throw new StartRefused("Cluster networks are not offered on a Kubernetes cluster yet.");
  }
  for (const [name, value] of Object.entries(env)) {
    if (!VARIABLE_NAME.test(name)) {
      throw new StartRefused(
        `The variable ${JSON.stringify(name.slice(0, 80))} has a name that Kubernetes does not allow.`,
      );
    }
    if (value.includes("\0")) {
      throw new StartRefused(`the variable ${JSON.stringify(name)} has a NUL character`);
    }
  }
}
