// A Pod as clients of REST v2 read it.

import { MB_PER_GB } from "../../../base/units.ts";
import { type Pod, pod as podSchema } from "../../../contract/rest-v2/pod/pod.ts";
import type { ClusterMember } from "../../../domain/cluster/cluster.ts";
import type { Pod as DomainPod } from "../../../domain/pod/pod.ts";
import { type PodStatus, podActions, podStatus } from "../../../domain/pod/status/pod-status.ts";
import type { PodView } from "../../../flows/pod/read.ts";
import type { PodRuntime } from "../../../flows/pod/runtime.ts";
import { dollars } from "../../management/billing/dollars.ts";
import type { SshAddress } from "../../management/deps.ts";
import { plainTermsRead } from "../../management/pod/pod-view.ts";
import { instant } from "../../management/serve/instant.ts";
import { labelsRead } from "../../management/serve/labels.ts";
import { takeFields } from "../../management/serve/take-fields.ts";
import { containerRead } from "../container.ts";

export function statusOf({ pod, machine }: Pick<PodView, "pod" | "machine">): PodStatus {
  const isLost = machine?.lostAt !== undefined && machine.lostAt !== null;
  return podStatus({ desired: pod.desired, observed: pod.observed, isLost });
}

interface Rendered {
  runtime: PodRuntime | null;
  pod: Pod;
}

/** A flow returns the same view and the same runtime as long as nothing changes. */
const rendered = new WeakMap<PodView, Rendered>();

/** `ssh` is the SSH server's address; null if it is off. */
export function podRead(view: PodView, runtime: PodRuntime | null, ssh: SshAddress | null): Pod {
  const last = rendered.get(view);
  if (last?.runtime === runtime) return last.pod;
  const pod = last?.pod ?? withoutRuntime(view, ssh);
  const isShown = pod.status === "RUNNING" && runtime !== null;
  const read = { ...pod, runtime: isShown ? runtimeRead(runtime) : null };
  rendered.set(view, { runtime, pod: read });
  return read;
}

function withoutRuntime(view: PodView, ssh: SshAddress | null): Pod {
  const { pod, owner, machine } = view;
  const { desired, pricing, observed } = pod;
  const { spec } = desired;
  const status = statusOf(view);
  const inventory = machine?.inventory;
  return {
    id: pod.id,
    name: pod.name,
    status,
    actions: pod.cluster ? [] : [...podActions(status)],
    ...containerRead(spec),
    mounts: mountsOf(pod),
    ...hardwareOf(pod),
    cloud: spec.cloudType === "ALL" ? (inventory?.cloudType ?? "SECURE") : spec.cloudType,
    dataCenterId: inventory?.dataCenterId ?? spec.dataCenterIds[0] ?? null,
    cudaVersion: inventory?.cudaVersion ?? null,
    ssh: status === "RUNNING" ? sshRead(pod, ssh) : { proxy: null, direct: null },
    template: null,
    cost: desired.state === "RUNNING" ? dollars(pricing.cost) : 0,
    locked: desired.locked,
    globalNetworking: { enabled: false },
    runtime: null,
    createdAt: instant(pod.createdAt),
    startedAt: observed.startedAt === null ? null : instant(observed.startedAt),
    ...(owner && { createdBy: owner }),
    ...labelsRead(pod),
    ...takeFields(plainTermsRead(desired), podSchema.properties)[0],
    ...(pod.placement.driver === "simulated" && { simulated: true }),
    ...(pod.cluster && { cluster: memberRead(pod.cluster) }),
  };
}

const memberRead = ({ id, rank, address }: ClusterMember) => ({ id, rank, ip: address });

function mountsOf({ desired: { spec } }: DomainPod): Pod["mounts"] {
  const { networkVolumeId, volumeInGb, volumeMountPath: path } = spec;
  if (networkVolumeId !== null) return { network: [{ volumeId: networkVolumeId, path }] };
  return volumeInGb > 0 ? { persistent: { size: volumeInGb, path } } : {};
}

function hardwareOf({ desired, placement }: DomainPod): Pick<Pod, "gpu" | "cpu"> {
  const { spec, state } = desired;
  const { gpuTypeId, cpuFlavorId, vcpus, memoryMb, gpus } = placement;
  const memory = Math.floor(memoryMb / MB_PER_GB);
  if (spec.computeType === "CPU") {
    return { cpu: { id: cpuFlavorId ?? spec.cpuFlavorIds[0] ?? "", vcpuCount: vcpus, memory } };
  }
  // A Pod that was started without its GPUs has none until it is started with them.
  const count = state === "RUNNING" ? gpus.length : spec.gpuCount;
  return { gpu: { id: gpuTypeId ?? spec.gpuTypeIds[0] ?? "", count, vcpuCount: vcpus, memory } };
}

function sshRead(pod: DomainPod, ssh: SshAddress | null): Pod["ssh"] {
  const proxy = ssh && { ...ssh, username: pod.id, command: sshCommand(pod.id, ssh) };
  return { proxy, direct: sshOf(pod) };
}

const sshCommand = (user: string, { host, port }: SshAddress) => `ssh ${user}@${host} -p ${port}`;

export function sshOf({ desired: { spec }, observed }: DomainPod): Pod["ssh"]["direct"] {
  const { publicIp: host, portMappings } = observed;
  const port = portMappings[22];
  if (!spec.ports.includes("22/tcp") || host === null || port === undefined) return null;
  return { host, port, username: "root", command: sshCommand("root", { host, port }) };
}

/** HTTP ports are reached through the proxy, so they have no public address. */
function runtimeRead({ uptimeInSeconds, ports, gpus, container }: PodRuntime): Pod["runtime"] {
  return {
    uptime: uptimeInSeconds,
    ports: ports.map(({ privatePort, publicPort, type, ip }) => {
      const address = type === "http" ? { public: null, ip: null } : { public: publicPort, ip };
      return { private: privatePort, ...address, type };
    }),
    gpus: gpus.map(({ gpuUtilPercent, memoryUtilPercent }) => {
      return { util: Math.round(gpuUtilPercent), memoryUtil: Math.round(memoryUtilPercent) };
    }),
    cpu: { util: Math.round(container.cpuPercent) },
    memory: { util: Math.round(container.memoryPercent) },
  };
}
