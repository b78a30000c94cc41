// The addresses of a machine's GPUs on the PCI bus, by which the kernel log names them. Pure.

import type { PciAddress } from "../gpu/kernel-line.ts";

/** Addresses by UUID, also of GPUs that are gone. */
export type GpuAddresses = Readonly<Record<string, PciAddress>>;

/** A GPU that is not read any more keeps its address until another one has it. */
export function addressGpus(
  before: GpuAddresses,
  read: readonly { uuid: string | null; pci: PciAddress | null }[],
): GpuAddresses {
  const present = read.flatMap(({ uuid, pci }) =>
    uuid === null || pci === null ? [] : [[uuid, pci] as const],
  );
  const taken = new Set(present.map(([, pci]) => pci));
  const absent = Object.entries(before).filter(([, pci]) => !taken.has(pci));
  return Object.fromEntries([...absent, ...present]);
}
