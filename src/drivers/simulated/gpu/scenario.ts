// A scenario of a machine's GPUs: which it has, and what happens to them at which times.

import Type, { type Static } from "typebox";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../base/units.ts";

/** The texts of NVML's errors, which stand in place of a value. */
export const CELL_WORDS = {
  lost: "GPU is lost",
  requires_reset: "GPU requires reset",
  unknown_error: "Unknown Error",
  no_permission: "Insufficient Permissions",
  not_found: "Not Found",
  driver_not_loaded: "Driver Not Loaded",
  timeout: "Timeout",
  corrupted_inforom: "Corrupted infoROM",
  blocked: "GPU access blocked by the operating system",
  version_mismatch: "Driver/library version mismatch",
  not_ready: "System is not in ready state",
} as const;

/** How the driver loses a GPU before it has any value of it. */
const HANDLE_STATES = ["no_handle", "no_handle_alone", "hidden", "removed", "unbound"] as const;

const gpuStates = [
  "ok",
  "fallen_off",
  ...HANDLE_STATES,
  ...(Object.keys(CELL_WORDS) as (keyof typeof CELL_WORDS)[]),
];
export type GpuState = (typeof gpuStates)[number];

const driverStates = [
  "ok",
  "no_program",
  "not_loaded",
  "no_library",
  "version_mismatch",
  "no_permission",
  "blocked",
  "unknown_error",
  "no_devices",
  "half_document",
  "slow",
  "hangs",
] as const;
export type DriverState = (typeof driverStates)[number];

/** The forms of the program `amd-smi`; `list` is that of 6.1. */
const amdSmiForms = ["ok", "list", "missing", "not_loaded", "hangs"] as const;
export type AmdSmiForm = (typeof amdSmiForms)[number];

const text = Type.String({ minLength: 1, maxLength: 1_000 });
const strict = { additionalProperties: false };
const state = Type.Enum([...gpuStates]);
/**
 * Elements of the driver's document by their paths, such as `ecc_errors/volatile/dram_uncorrectable`; for AMD members of
 * amd-smi's documents, such as `ecc/total_uncorrectable_count`, and files as `sysfs/product_name`.
 */
const values = Type.Record(
  Type.String({ pattern: "^[a-z_]+(/[a-z_]+)*$" }),
  Type.Union([Type.String({ maxLength: 1_000 }), Type.Null()]),
);
const slices = Type.Array(
  Type.Object(
    {
      profile: text,
      /** Empty for a GPU instance without a compute instance. */
      uuid: Type.String({ maxLength: 1_000 }),
      memoryMb: Type.Integer({ minimum: 1 }),
      gpuInstance: Type.Optional(Type.Integer({ minimum: 0, maximum: 63 })),
    },
    strict,
  ),
  { maxItems: 64 },
);

/** The NVLinks of a GPU, by their numbers from 0. */
const nvlinks = Type.Array(
  Type.Object(
    {
      inactive: Type.Optional(Type.Boolean()),
      replay: Type.Optional(Type.Integer({ minimum: 0 })),
      recovery: Type.Optional(Type.Integer({ minimum: 0 })),
      crc: Type.Optional(Type.Integer({ minimum: 0 })),
    },
    strict,
  ),
  { maxItems: 36 },
);
export type SimulatedNvlinks = Static<typeof nvlinks>;

/** How the test program ends: a code is one of the driver library. */
const test = Type.Union([
  Type.Enum([
    "pass",
    "wrong_memory",
    "wrong_kernel",
    "memory_fault",
    "no_answer",
    "no_python",
    "no_library",
  ] as const),
  Type.Integer({ minimum: 1, maximum: 999 }),
]);
export type TestEnd = Static<typeof test>;

/** Its MIG mode, or why the driver refuses to change that or the layout. */
const mig = Type.Enum([
  "off",
  "on",
  "in_use",
  "waits_for_reset",
  "pending",
  "no_permission",
  "none",
]);
export type MigState = Static<typeof mig>;

const gpu = Type.Object(
  {
    name: text,
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 64 })),
    /** Null for a GPU that shares the machine's memory. */
    memoryMb: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])),
    uuid: Type.Optional(text),
    pci: Type.Optional(Type.String({ pattern: "^[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}$" })),
    state: Type.Optional(state),
    values: Type.Optional(values),
    slices: Type.Optional(slices),
    mig: Type.Optional(mig),
    /** A program on it that is not Freehold's. */
    process: Type.Optional(text),
    nvlinks: Type.Optional(nvlinks),
    test: Type.Optional(test),
  },
  strict,
);

const event = Type.Object(
  {
    /** `+10m` after the start, `12:00` in UTC on the day of the start, or a date and time. */
    at: text,
    /** The place of the GPU in `gpus`, from 0. */
    gpu: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_023 })),
    state: Type.Optional(state),
    values: Type.Optional(values),
    slices: Type.Optional(slices),
    mig: Type.Optional(mig),
    nvlinks: Type.Optional(nvlinks),
    test: Type.Optional(test),
    xid: Type.Optional(Type.Integer({ minimum: 1, maximum: 999 })),
    detail: Type.Optional(text),
    log: Type.Optional(text),
    driver: Type.Optional(Type.Enum([...driverStates])),
    amdSmi: Type.Optional(Type.Enum([...amdSmiForms])),
    reboot: Type.Optional(Type.Literal(true)),
  },
  strict,
);

export const scenarioSchema = Type.Object(
  {
    driverVersion: Type.Optional(Type.String({ pattern: "^\\d{3}\\.\\d+(\\.\\d+)?$" })),
    cudaVersion: Type.Optional(Type.String({ pattern: "^\\d+\\.\\d+$" })),
    driver: Type.Optional(Type.Enum([...driverStates])),
    amdSmi: Type.Optional(Type.Enum([...amdSmiForms])),
    gpus: Type.Array(gpu, { maxItems: 64 }),
    events: Type.Optional(Type.Array(event, { maxItems: 1_000 })),
  },
  strict,
);

export type Scenario = Static<typeof scenarioSchema>;
export type ScenarioEvent = Static<typeof event>;

const UNITS_MS: Record<string, number> = { s: 1_000, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** The instant of an event; null for a text in another form. */
export function instantOf(at: string, startedAt: number): number | null {
  const [, count, unit] = /^\+(\d+)([smhd])$/.exec(at) ?? [];
  if (count !== undefined && unit !== undefined) return startedAt + Number(count) * UNITS_MS[unit]!;
  const day = new Date(startedAt).toISOString().slice(0, 10);
  const isTime = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(at);
  if (isTime) return Date.parse(`${day}T${at}Z`);
  const instant = /^\d{4}-\d\d-\d\dT/.test(at) ? Date.parse(at) : Number.NaN;
  return Number.isNaN(instant) ? null : instant;
}

/** What the schema cannot say. */
export function validateScenario({ gpus, events = [] }: Scenario): string[] {
  const count = gpus.reduce((sum, each) => sum + (each.count ?? 1), 0);
  return events.flatMap((each, n) => {
    const errors: string[] = [];
    if (instantOf(each.at, 0) === null) {
      const forms = "+10m, 12:00 (UTC) or 2026-11-28T12:00:00Z";
      errors.push(`"events[${n}].at" is "${each.at}"; it takes a time such as ${forms}`);
    }
    if (each.gpu !== undefined && each.gpu >= count) {
      errors.push(`"events[${n}].gpu" is ${each.gpu}; the scenario has the GPUs 0 to ${count - 1}`);
    }
    const ofGpu = (["state", "values", "slices", "mig", "nvlinks", "test", "xid"] as const).filter(
      (name) => name in each,
    );
    if (each.gpu === undefined && ofGpu.length > 0) {
      errors.push(`"events[${n}]" has ${ofGpu.join(", ")}, and no gpu that it is about`);
    }
    if (each.detail !== undefined && each.xid === undefined) {
      errors.push(`"events[${n}].detail" is the text of an Xid; name its number as xid`);
    }
    return errors;
  });
}
