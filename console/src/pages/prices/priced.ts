// What has a price, whatever it is, in one form.

import type { Schema } from "../../api/client.ts";

export interface Priced {
  kind: "storage" | "gpu" | "cpu";
  /** "gpu <id>", "cpu <id>", or "storage" */
  key: string;
  name: string;
  /** What the prices are for. */
  per: string;
  /** Dollars by the price's name in the price book; null where it is not offered. */
  prices: Record<string, number | null>;
}

export const priceNames: Record<string, string> = {
  securePrice: "Secure",
  communityPrice: "Community",
  secureSpotPrice: "Secure spot",
  communitySpotPrice: "Community spot",
  serverlessPrice: "Serverless",
  threeMonthPrice: "Three months",
  sixMonthPrice: "Six months",
  pricePerVcpu: "On demand",
  containerDisk: "Container disk",
  volumeRunning: "Volume of a running Pod",
  volumeStopped: "Volume of a stopped Pod",
  networkVolume: "Network volume",
  networkVolumeBeyond: "Network volume beyond 1,000 GB",
};

export function pricedOf({ gpuTypes, cpuFlavors, storage }: Schema["PriceBook"]): Priced[] {
  return [
    {
      kind: "storage",
      key: "storage",
      name: "Disks and volumes",
      per: "per GB and month",
      prices: { ...storage },
    },
    ...gpuTypes.map(({ id, ...prices }) => {
      return { kind: "gpu" as const, key: `gpu ${id}`, name: id, per: "per GPU and hour", prices };
    }),
    ...cpuFlavors.map(({ id, ...prices }) => {
      return { kind: "cpu" as const, key: `cpu ${id}`, name: id, per: "per hour", prices };
    }),
  ];
}

/** The body that changes these prices of it, and no others. */
export function updateOf(
  { key }: Priced,
  changed: Record<string, number | null>,
): Schema["PriceBookUpdate"] {
  if (key === "storage") return { storage: changed };
  const id = key.slice(4);
  return key.startsWith("gpu ")
    ? { gpuTypes: [{ id, ...changed }] }
    : { cpuFlavors: [{ id, ...changed }] };
}
