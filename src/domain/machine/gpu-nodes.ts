// The device nodes of GPUs that containers get by nodes, as those of AMD, and not from a toolkit of their maker.

export interface GpuNode {
  /** Such as "/dev/dri/renderD128". The programs in a container find it by this name. */
  render: string;
  /** The group that may open it; null if that could not be read. */
  group: number | null;
  /** Such as "amd.com/gpu=0", if a CDI specification of the machine gives this GPU alone; absent otherwise. */
  cdi?: string;
}

/** The nodes of GPUs by UUID; a GPU that is not read any more keeps its node until another one has it. */
export type GpuNodes = Readonly<Record<string, GpuNode>>;

export function nodesOfGpus(before: GpuNodes, read: GpuNodes): GpuNodes {
  const taken = new Set(Object.values(read).map(({ render }) => render));
  const absent = Object.entries(before).filter(([, { render }]) => !taken.has(render));
  return { ...Object.fromEntries(absent), ...read };
}

/** AMD's GPUs have 16 digits in place of the 32 of NVIDIA's UUIDs, or their address. */
export const isAmdUuid = (uuid: string): boolean => /^GPU-(?:[0-9a-f]{16}$|PCI-)/.test(uuid);
