// The decision alone: where a Pod goes, on 10,000 machines with 100,000 Pods.

import { bareInventory } from "../../src/domain/machine/bare.testing.ts";
import { decidePlacement } from "../../src/domain/placement/decide.ts";
import { type Place, placeOf } from "../../src/domain/placement/place.ts";
import { gpuWish, anyWish as wish } from "../../src/domain/placement/wish.testing.ts";
import type { GpuWish, PlacementWish } from "../../src/domain/placement/wish.ts";

const MACHINES = 10_000;
const PODS_ON_EACH = 10;
const TYPES = ["A", "B", "C", "D", "E"];
const CENTERS = ["X", "Y", "Z", null];

/** Twelve GPUs of one type on each, ten Pods with one of them; every tenth machine is full. */
export function crowd(): Place[] {
  return Array.from({ length: MACHINES }, (_, n) => {
    const full = n % 10 === 0;
    const count = full ? PODS_ON_EACH : PODS_ON_EACH + (n % 3);
    const group = {
      gpuTypeId: TYPES[n % TYPES.length]!,
      memoryMb: 24_576,
      virtual: false,
      indices: Array.from({ length: count }, (_, k) => k),
    };
    const inventory = {
      ...bareInventory,
      vcpus: 128,
      memoryMb: 524_288,
      diskGb: 4_000,
      gpus: [group],
      dataCenterId: CENTERS[n % CENTERS.length]!,
      cudaVersion: n % 2 === 0 ? "12.8" : "12.4",
    };
    const gpus = new Set(Array.from({ length: PODS_ON_EACH }, (_, k) => k));
    const taken = { vcpus: 20, memoryMb: 81_920, diskGb: 700, gpus };
    return placeOf(`m${n}`, ["docker"], inventory, taken);
  });
}

const gpu = (changes: Partial<GpuWish>): GpuWish => ({ ...gpuWish(), ...changes });

const asked: [name: string, wish: PlacementWish][] = [
  ["any GPU", wish],
  [
    "two of three types, in order",
    { ...wish, compute: gpu({ typeIds: ["C", "A", "D"], count: 2, byStock: false }) },
  ],
  [
    "one type, one data center, one CUDA version",
    { ...wish, compute: gpu({ typeIds: ["B"] }), dataCenterIds: ["X"], cudaVersions: ["12.8"] },
  ],
  ["CPUs", { ...wish, compute: { kind: "CPU", vcpus: 16, memoryMb: 32_768 } }],
  ["nothing fits: a reason for each machine", { ...wish, compute: gpu({ count: 8 }) }],
];

export interface Decided {
  asked: string;
  p50Ms: number;
  p99Ms: number;
}

export function measurePlacement(times: number): Decided[] {
  const places = crowd();
  return asked.map(([name, each]) => {
    for (let n = 0; n < times / 4; n++) decidePlacement(each, places);
    const took = Array.from({ length: times }, () => {
      const before = performance.now();
      decidePlacement(each, places);
      return performance.now() - before;
    }).sort((a, b) => a - b);
    const at = (share: number) => took[Math.floor(took.length * share)]!;
    return { asked: name, p50Ms: at(0.5), p99Ms: at(0.99) };
  });
}
