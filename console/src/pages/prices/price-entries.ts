// The entries of the price book in one form.

import type { Schema } from "../../api/client.ts";

export interface PriceEntry {
  kind: "storage" | "gpu" | "cpu";
  /** "gpu <id>", "cpu <id>", or "storage" */
  key: string;
  name: string;
  /** The unit of the prices. */
  per: string;
  /** Dollars by the name in the price book; null if it is not offered. */
  prices: Record<string, number | null>;
  /** Where the price of a GPU type comes from. */
  source?: Schema["PriceBook"]["gpuTypes"][number]["source"];
}

export const priceNames: Record<string, string> = {
  securePrice: "Secure",
  communityPrice: "Community",
  secureSpotPrice: "Secure spot",
  communitySpotPrice: "Community spot",
  serverlessPrice: "Serverless",
  threeMonthPrice: "3 months",
  sixMonthPrice: "6 months",
  pricePerVcpu: "On demand",
  containerDisk: "Container disk",
  volumeRunning: "Volume, Pod running",
  volumeStopped: "Volume, Pod stopped",
  networkVolume: "Network volume",
  networkVolumeBeyond: "Network volume, above 1,000 GB",
};

export function priceEntries({ gpuTypes, cpuFlavors, storage }: Schema["PriceBook"]): PriceEntry[] {
  return [
    {
      kind: "storage",
      key: "storage",
      name: "Disks and volumes",
      per: "per GB-month",
      prices: { ...storage },
    },
    ...gpuTypes.map(({ id, displayName: _, memoryInGb: __, source, ...prices }) => {
      const entry = { kind: "gpu" as const, key: `gpu ${id}`, name: id, per: "per GPU-hour" };
      return { ...entry, prices, source };
    }),
    ...cpuFlavors.map(({ id, ...prices }) => {
      return { kind: "cpu" as const, key: `cpu ${id}`, name: id, per: "per vCPU-hour", prices };
    }),
  ];
}

/** The request body that changes these prices only. */
export function priceUpdate(
  { key }: PriceEntry,
  changed: Record<string, number | null>,
): Schema["PriceBookUpdate"] {
  if (key === "storage") return { storage: changed };
  const id = key.slice(4);
  return key.startsWith("gpu ")
    ? { gpuTypes: [{ id, ...changed }] }
    : { cpuFlavors: [{ id, ...changed }] };
}
