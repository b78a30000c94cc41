// What a Pod asks of the machine it is to run on. Empty lists and nulls ask for nothing.

export interface GpuWish {
  kind: "GPU";
  /** In the order of preference; empty: any. */
  typeIds: readonly string[];
  /** True where the type with the most free ones goes first, false for the order of the list. */
  byStock: boolean;
  /** 0 for a Pod that is started without its GPUs. */
  count: number;
  vcpus: number;
  memoryMb: number;
}

export interface CpuWish {
  kind: "CPU";
  vcpus: number;
  memoryMb: number;
}

export interface PlacementWish {
  compute: GpuWish | CpuWish;
  /** Which driver must run it. */
  driver: string;
  diskGb: number;
  /** The network volume it mounts and the machine that has its data; null where none does yet. */
  volume: { id: string; machine: string } | null;
  cloudType: "SECURE" | "COMMUNITY";
  dataCenterIds: readonly string[];
  /** True where the data center with the most free GPUs goes first, false for the order of the list. */
  dataCentersByStock: boolean;
  countryCodes: readonly string[];
  cudaVersions: readonly string[];
  minDownloadMbps: number | null;
  minUploadMbps: number | null;
  minDiskMBps: number | null;
  supportPublicIp: boolean | null;
}
