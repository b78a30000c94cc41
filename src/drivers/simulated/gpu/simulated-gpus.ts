// The GPUs of a scenario at an instant, and what the kernel has logged of them until then. Pure.

import { createHash } from "node:crypto";
import { HOUR_MS } from "../../../base/units.ts";
import { simulatedProfiles } from "./mig-profiles.ts";
import {
  type AmdSmiForm,
  type DriverState,
  type GpuState,
  instantOf,
  type MigState,
  type Scenario,
  type ScenarioEvent,
  type SimulatedNvlinks,
  type TestEnd,
} from "./scenario.ts";

export interface Slice {
  profile: string;
  uuid: string;
  memoryMb: number;
  /** Absent for one of its own. */
  gpuInstance?: number;
}

export interface SimulatedGpu {
  /** Its place in the scenario. */
  place: number;
  /** The driver's number of it; null for a GPU that the machine did not have when it was started last. */
  index: number | null;
  name: string;
  uuid: string;
  /** Such as "0000:01:00". */
  pci: string;
  /** Null if it shares the machine's memory. */
  memoryMb: number | null;
  usedMb: number;
  utilPercent: number;
  state: GpuState;
  /** Elements of the driver's document by path that differ from those of a healthy GPU; null for one that is missing. */
  values: Record<string, string | null>;
  slices: Slice[];
  mig: MigState;
  /** Null if no program but Freehold's uses it. */
  process: string | null;
  nvlinks: SimulatedNvlinks;
  /** How a test of it ends. */
  test: TestEnd;
}

export interface SimulatedGpus {
  driverVersion: string;
  cudaVersion: string;
  driver: DriverState;
  amdSmi: AmdSmiForm;
  gpus: SimulatedGpu[];
}

/** A record of the kernel log. */
interface LoggedText {
  at: number;
  text: string;
}

export interface ScenarioState extends SimulatedGpus {
  bootedAt: number;
  uptimeMs: number;
  /** What was logged since the machine was started. */
  logged: LoggedText[];
  /** The instant of the next event; null if there is none. */
  nextAt: number | null;
}

const DRIVER_VERSION = "570.133.20";
const CUDA_VERSIONS: Record<string, string> = {
  535: "12.2",
  550: "12.4",
  570: "12.8",
  610: "13.3",
};
const DEFAULT_MEMORY_MB = 46_068;

/** How long the machine has been up when the scenario starts. */
const UPTIME_MS = HOUR_MS;

export const isAmd = ({ name }: { name: string }) => /^AMD\b/i.test(name);

/** What the driver says of its MIG mode now; null for a GPU that has none. */
export function migModeOf({ name, mig, slices }: SimulatedGpu): "Enabled" | "Disabled" | null {
  if (slices.length > 0 || mig === "on") return "Enabled";
  return mig === "none" || simulatedProfiles(name).length === 0 ? null : "Disabled";
}

/** A stable id, as of a device. */
export function gpuUuid(seed: string): string {
  const hex = createHash("sha256").update(seed).digest("hex").slice(0, 32);
  return `GPU-${hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")}`;
}

/** The UUID as AMD's libraries write it. */
const amdUuid = (seed: string) =>
  `GPU-${createHash("sha256").update(seed).digest("hex").slice(0, 16)}`;

export const pciOf = (place: number) => `0000:${(place + 1).toString(16).padStart(2, "0")}:00`;

export const cudaVersionOf = (driverVersion: string) =>
  CUDA_VERSIONS[driverVersion.slice(0, 3)] ?? "12.8";

export const NO_GPUS: SimulatedGpus = {
  driverVersion: DRIVER_VERSION,
  cudaVersion: cudaVersionOf(DRIVER_VERSION),
  driver: "ok",
  amdSmi: "ok",
  gpus: [],
};

export function scenarioAt(scenario: Scenario, startedAt: number, now: number): ScenarioState {
  const state = initialState(scenario, startedAt);
  const events = (scenario.events ?? [])
    .map((event) => ({ event, at: instantOf(event.at, startedAt)! }))
    .toSorted((a, b) => a.at - b.at);
  for (const { event, at } of events) {
    if (at > now) return { ...state, uptimeMs: now - state.bootedAt, nextAt: at };
    apply(state, event, at);
  }
  return { ...state, uptimeMs: now - state.bootedAt };
}

function initialState(scenario: Scenario, startedAt: number): ScenarioState {
  const { driverVersion = DRIVER_VERSION, driver = "ok", amdSmi = "ok" } = scenario;
  const gpus = scenario.gpus.flatMap(({ count = 1, ...gpu }) => Array(count).fill(gpu));
  const state: ScenarioState = {
    driverVersion,
    driver,
    amdSmi,
    logged: [],
    nextAt: null,
    bootedAt: startedAt - UPTIME_MS,
    uptimeMs: UPTIME_MS,
    cudaVersion: scenario.cudaVersion ?? cudaVersionOf(driverVersion),
    gpus: gpus.map((gpu: Scenario["gpus"][number], place): SimulatedGpu => {
      const { name, memoryMb = DEFAULT_MEMORY_MB, uuid, pci = pciOf(place) } = gpu;
      return {
        place,
        name,
        memoryMb,
        pci,
        index: null,
        usedMb: 0,
        utilPercent: 0,
        uuid: uuid ?? (isAmd(gpu) ? amdUuid : gpuUuid)(`scenario/${place}`),
        state: gpu.state ?? "ok",
        values: { ...gpu.values },
        slices: gpu.slices ?? [],
        mig: gpu.mig ?? (gpu.slices?.length ? "on" : "off"),
        process: gpu.process ?? null,
        nvlinks: gpu.nvlinks ?? [],
        test: gpu.test ?? "pass",
      };
    }),
  };
  numberGpus(state);
  return state;
}

/** A GPU that is not there at the start of the machine gets no number, and those behind it move up. */
const ABSENT: ReadonlySet<GpuState> = new Set(["removed", "unbound", "fallen_off"]);

function numberGpus({ gpus }: SimulatedGpus): void {
  let [nvidia, amd] = [0, 0];
  for (const gpu of gpus) {
    if (ABSENT.has(gpu.state)) gpu.index = null;
    else gpu.index = isAmd(gpu) ? amd++ : nvidia++;
  }
}

function apply(state: ScenarioState, event: ScenarioEvent, at: number): void {
  const { driver, log, gpu: place, xid, detail } = event;
  const add = (text: string) => state.logged.push({ at, text });
  if (event.reboot) {
    Object.assign(state, { bootedAt: at, logged: [] });
    for (const gpu of state.gpus) endMigDevices(gpu);
    numberGpus(state);
  }
  if (driver !== undefined) state.driver = driver;
  if (event.amdSmi !== undefined) state.amdSmi = event.amdSmi;
  if (log !== undefined) add(log);
  const gpu = place === undefined ? undefined : state.gpus[place];
  if (!gpu) return;
  if (event.slices) {
    gpu.slices = event.slices;
    if (gpu.mig === "on" || gpu.mig === "off") gpu.mig = event.slices.length > 0 ? "on" : "off";
  }
  if (event.mig) gpu.mig = event.mig;
  if (event.nvlinks) gpu.nvlinks = event.nvlinks;
  if (event.test !== undefined) gpu.test = event.test;
  if (event.values) gpu.values = { ...gpu.values, ...event.values };
  if (xid !== undefined) add(`NVRM: Xid (PCI:${gpu.pci}): ${xid}${detail ? `, ${detail}` : ""}`);
  if (event.state) changeState(state, gpu, event.state, add);
}

/** They do not outlast a restart of the machine, nor does MIG mode since Hopper. */
function endMigDevices(gpu: SimulatedGpu): void {
  if (migModeOf(gpu) !== "Enabled") return;
  gpu.slices = [];
  if (gpu.mig === "on" || gpu.mig === "off") gpu.mig = /\bA\d/.test(gpu.name) ? "on" : "off";
}

const RECOVERY = "gpu_recovery_action";

function changeState(
  { gpus }: ScenarioState,
  gpu: SimulatedGpu,
  next: GpuState,
  add: (text: string) => void,
): void {
  const before = gpu.state;
  gpu.state = next;
  const others = gpus.filter((each) => each !== gpu && !isAmd(each));
  if (next === "fallen_off" && before !== next && !isAmd(gpu)) {
    add(`NVRM: GPU at PCI:${gpu.pci}: ${gpu.uuid}`);
    add(`NVRM: Xid (PCI:${gpu.pci}): 79, GPU has fallen off the bus.`);
    // The driver asks for a restart on every GPU of the machine.
    for (const other of others) {
      other.values[RECOVERY] = "Reboot";
      const words = "GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)";
      add(`NVRM: Xid (PCI:${other.pci}): 154, ${words}`);
    }
  }
  const isLost = ["fallen_off", "unbound"].includes(next) && before !== next;
  if (isLost && isAmd(gpu)) add(`amdgpu ${gpu.pci}.0: amdgpu: device lost from bus!`);
  if (next === "unbound" && !isAmd(gpu)) {
    const rest = "fallen off the bus and is not responding to commands.";
    add(
      `NVRM: The NVIDIA GPU ${gpu.pci}.0 (PCI ID: 10de:2235) installed in this system has\nNVRM: ${rest}`,
    );
  }
  if (before === "fallen_off" && next === "ok") {
    const isLast = gpus.every((each) => each.state !== "fallen_off");
    if (isLast) for (const other of others) delete other.values[RECOVERY];
  }
  if (next === "ok") gpu.index ??= freeIndex(gpus.filter((each) => isAmd(each) === isAmd(gpu)));
}

const freeIndex = (gpus: readonly SimulatedGpu[]) =>
  Math.max(-1, ...gpus.map(({ index }) => index ?? -1)) + 1;

/** The NVIDIA GPUs on the PCI bus, for which a driver may have no row. */
export function nvidiaOnBus({ gpus }: SimulatedGpus): SimulatedGpu[] {
  const isOnBus = ({ state, index }: SimulatedGpu) =>
    state !== "removed" && (state !== "fallen_off" || index !== null);
  return gpus.filter((gpu) => !isAmd(gpu) && isOnBus(gpu));
}
