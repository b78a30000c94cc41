// A Pod as a driver is told of it.

import type { Inventory } from "../domain/machine/inventory.ts";
import { podEnv } from "../domain/pod/env.ts";
import type { Pod } from "../domain/pod/pod.ts";
import { httpPorts, insidePort, type PortRange, type PublicPorts } from "../domain/pod/ports.ts";
import type { PortWish, VolumeMount, Workload } from "../drivers/driver.ts";
import type { Unsealed } from "./unseal.ts";

/** The machine this replica has. */
export interface OwnMachine {
  id: string;
  inventory: Inventory;
  /** Where its public ports are reached. */
  publicIp: string | null;
  /** Those that it has to give. */
  ports: PortRange;
}

/** What a Pod is told beside what its row says. */
export interface Told extends Unsealed {
  ports: PublicPorts;
  /** The account's SSH keys, a line each; empty for none. */
  publicKeys: string;
  ownKey: string;
  origin: string | null;
}

/** What its next container is made of. */
export function workloadOfPod(
  pod: Pod,
  { inventory, publicIp }: OwnMachine,
  { ports, auth, ...told }: Told,
): Workload {
  const { spec, virtual } = pod;
  const { dataCenterId } = inventory;
  return {
    id: pod.id,
    image: spec.imageName,
    entrypoint: spec.dockerEntrypoint,
    command: spec.dockerStartCmd,
    env: podEnv(pod, { ...told, dataCenterId, publicIp, ports }),
    ...(auth && { auth }),
    account: pod.accountId,
    resources: {
      // On paper there may be more than there is.
      vcpu: Math.min(pod.vcpus, inventory.vcpus),
      memoryMb: Math.min(pod.memoryMb, inventory.memoryMb),
      diskGb: spec.containerDiskInGb,
      ...(!virtual && pod.gpus.length > 0 && { gpuIndices: pod.gpus }),
    },
    ports: wishesFor(ports),
    httpPorts: httpPorts(spec.ports),
    volumes: volumesOf(pod),
  };
}

function volumesOf({ id, spec }: Pod): VolumeMount[] {
  const { networkVolumeId, volumeInGb, volumeMountPath: mountPath } = spec;
  if (networkVolumeId !== null) return [{ kind: "network", name: networkVolumeId, mountPath }];
  return volumeInGb > 0 ? [{ kind: "pod", name: id, mountPath }] : [];
}

function wishesFor(ports: PublicPorts): PortWish[] {
  return Object.entries(ports).map(([asked, hostPort]) => {
    return { container: insidePort(Number(asked), hostPort), protocol: "tcp", hostPort };
  });
}
