// A Pod as a driver is told of it, and its ports as a driver tells of them.

import type { Inventory } from "../domain/machine/inventory.ts";
import { podEnv } from "../domain/pod/env.ts";
import type { Pod } from "../domain/pod/pod.ts";
import type { Sighting, VolumeMount, Workload } from "../drivers/driver.ts";

/** The machine this replica has. */
export interface OwnMachine {
  id: string;
  inventory: Inventory;
  /** Where its public ports are reached. */
  publicIp: string | null;
}

export function workloadOfPod(pod: Pod, { inventory, publicIp }: OwnMachine): Workload {
  const { spec, virtual } = pod;
  const { dataCenterId } = inventory;
  return {
    id: pod.id,
    image: spec.imageName,
    entrypoint: spec.dockerEntrypoint,
    command: spec.dockerStartCmd,
    env: podEnv(pod, { dataCenterId, publicIp }),
    account: pod.accountId,
    resources: {
      // On paper there may be more than there is.
      vcpu: Math.min(pod.vcpus, inventory.vcpus),
      memoryMb: Math.min(pod.memoryMb, inventory.memoryMb),
      diskGb: spec.containerDiskInGb,
      ...(!virtual && pod.gpus.length > 0 && { gpuIndices: pod.gpus }),
    },
    ports: tcpPorts(pod),
    volumes: volumesOf(pod),
  };
}

function volumesOf({ id, spec }: Pod): VolumeMount[] {
  const { networkVolumeId, volumeInGb, volumeMountPath: mountPath } = spec;
  if (networkVolumeId !== null) return [{ kind: "network", name: networkVolumeId, mountPath }];
  return volumeInGb > 0 ? [{ kind: "pod", name: id, mountPath }] : [];
}

/** The public ports it had are asked for again, unless that may be why it does not start. */
function tcpPorts({ spec, portMappings, failedStarts }: Pod): NonNullable<Workload["ports"]> {
  return spec.ports
    .filter((port) => port.endsWith("/tcp"))
    .map((port) => {
      const container = Number.parseInt(port, 10);
      const hostPort = failedStarts === 0 ? portMappings[container] : undefined;
      return { container, protocol: "tcp", ...(hostPort !== undefined && { hostPort }) };
    });
}

/** From the container's port to the public one. */
export function portsSeen({ ports = [] }: Sighting): Record<string, number> {
  return Object.fromEntries(ports.map(({ container, hostPort }) => [container, hostPort]));
}
