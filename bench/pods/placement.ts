// The placement decision alone, on 10,000 machines with 100,000 Pods.

import { decidePlacement } from "../../src/domain/placement/decide.ts";
import { type Place, placeOf } from "../../src/domain/placement/place.ts";
import type { GpuRequest, PlacementRequest } from "../../src/domain/placement/request.ts";
import { bareInventory } from "../../test/fixtures/bare-machine.ts";
import { gpuRequest, anyRequest as request } from "../../test/fixtures/placement-request.ts";

const MACHINES = 10_000;
const PODS_ON_EACH = 10;
const TYPES = ["A", "B", "C", "D", "E"];
const CENTERS = ["X", "Y", "Z", null];

/** Each has twelve GPUs of one type and ten Pods with one GPU; every tenth machine is full. */
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

const gpu = (changes: Partial<GpuRequest>): GpuRequest => ({ ...gpuRequest(), ...changes });

const requests: [name: string, request: PlacementRequest][] = [
  ["any GPU", request],
  [
    "two of three types, in order",
    { ...request, compute: gpu({ typeIds: ["C", "A", "D"], count: 2, byStock: false }) },
  ],
  [
    "one type, one data center, one CUDA version",
    {
      ...request,
      compute: gpu({ typeIds: ["B"] }),
      dataCenterIds: ["X"],
      cuda: { allowed: ["12.8"], minimum: null },
    },
  ],
  ["CPUs", { ...request, compute: { kind: "CPU", vcpus: 16, memoryMb: 32_768 } }],
  ["nothing fits: a reason for each machine", { ...request, compute: gpu({ count: 8 }) }],
];

export interface PlacementTiming {
  request: string;
  p50Ms: number;
  p99Ms: number;
}

export function measurePlacement(times: number): PlacementTiming[] {
  const places = crowd();
  return requests.map(([name, each]) => {
    for (let n = 0; n < times / 4; n++) decidePlacement(each, places);
    const took = Array.from({ length: times }, () => {
      const before = performance.now();
      decidePlacement(each, places);
      return performance.now() - before;
    }).sort((a, b) => a - b);
    const at = (share: number) => took[Math.floor(took.length * share)]!;
    return { request: name, p50Ms: at(0.5), p99Ms: at(0.99) };
  });
}
