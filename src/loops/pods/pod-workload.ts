// A Pod as the workload that its driver runs.

import {
  httpPorts,
  insidePort,
  type PortRange,
  type PublicPorts,
} from "../../domain/container/ports.ts";
import type { Inventory } from "../../domain/machine/inventory.ts";
import { podEnv } from "../../domain/pod/container/env.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import type { PortRequest, VolumeMount, Workload } from "../../drivers/driver.ts";
import { assignedGpus } from "../engine/assigned-gpus.ts";
import type { Unsealed } from "../workers/unseal.ts";

/** The machine that this replica manages. */
export interface OwnMachine {
  id: string;
  inventory: Inventory;
  /** Where its public ports are reached. */
  publicIp: string | null;
  /** The public ports that it gives its Pods. */
  ports: PortRange;
}

/** What a container needs beside its Pod's row. */
export interface ContainerSettings extends Unsealed {
  ports: PublicPorts;
  /** The account's SSH keys, one per line; empty for none. */
  publicKeys: string;
  ownKey: string;
  origin: string | null;
  /** The size of the network volume that it mounts; null without one. */
  networkVolumeGb: number | null;
}

/** The workload of the Pod's next container. Throws StartRefused if its machine does not have its GPUs. */
export function workloadOfPod(
  pod: Pod,
  { inventory, publicIp }: OwnMachine,
  { ports, auth, secrets, ...settings }: ContainerSettings,
): Workload {
  const { spec } = pod.desired;
  const { vcpus, memoryMb } = pod.placement;
  const { dataCenterId } = inventory;
  return {
    id: pod.id,
    image: spec.imageName,
    entrypoint: spec.dockerEntrypoint,
    command: spec.dockerStartCmd,
    env: podEnv(pod, { ...settings, dataCenterId, publicIp, ports }),
    ...(auth && { auth }),
    secrets: [...secrets, settings.ownKey],
    account: pod.accountId,
    resources: {
      // With simulated GPUs come more CPUs and memory than the machine may have.
      vcpu: Math.min(vcpus, inventory.vcpus),
      memoryMb: Math.min(memoryMb, inventory.memoryMb),
      diskGb: spec.containerDiskInGb,
      ...assignedGpus(pod.placement, inventory),
    },
    ports: portRequests(ports),
    httpPorts: httpPorts(spec.ports),
    volumes: volumeMounts(pod, settings.networkVolumeGb),
    ...(spec.interruptible && { isSpot: true }),
    ...networkOf(pod),
  };
}

function networkOf({ cluster }: Pod): Pick<Workload, "network"> {
  if (!cluster || cluster.cidr === null) return {};
  const { id, cidr, address, fabric } = cluster;
  return { network: { id, cidr, address, ...(fabric !== undefined && { fabric }) } };
}

function volumeMounts({ id, desired: { spec } }: Pod, networkGb: number | null): VolumeMount[] {
  const { networkVolumeId, volumeInGb, volumeMountPath: mountPath } = spec;
  if (networkVolumeId !== null) {
    const size = networkGb !== null && { sizeGb: networkGb };
    return [{ kind: "network", name: networkVolumeId, mountPath, ...size }];
  }
  return volumeInGb > 0 ? [{ kind: "pod", name: id, mountPath, sizeGb: volumeInGb }] : [];
}

function portRequests(ports: PublicPorts): PortRequest[] {
  return Object.entries(ports).map(([requested, hostPort]) => {
    return { container: insidePort(Number(requested), hostPort), protocol: "tcp", hostPort };
  });
}
