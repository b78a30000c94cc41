// The program `amd-smi` for simulated GPUs of AMD, and what the kernel shows of them. Pure.

import { MIB } from "../../../base/units.ts";
import type { ProgramAnswer } from "./nvidia-smi-program.ts";
import { isAmd, type SimulatedGpu, type SimulatedGpus } from "./simulated-gpus.ts";

/** Drivers that hang make it end after a minute. */
const HANG_MS = 60_000;
const FIRST_RENDER = 128;

const printed = (document: unknown): ProgramAnswer => {
  return { stdout: `${JSON.stringify(document, null, 4)}\n`, stderr: "", exitCode: 0 };
};

/** Null if the machine has no such program. */
export function amdSmi(args: readonly string[], machine: SimulatedGpus): ProgramAnswer | null {
  const { amdSmi: form } = machine;
  const failed = (stderr: string, exitCode: number) => ({ stdout: "", stderr, exitCode });
  if (form === "missing") return null;
  if (form === "hangs") return { ...failed("", 2), afterMs: HANG_MS };
  if (form === "not_loaded") {
    return failed("ERROR:root:Drivers not loaded (amdgpu, amd_hsmp_acpi_or_hsmp_acpi)\n", 255);
  }
  const gpus = presentGpus(machine);
  const [command] = args;
  if (!args.includes("--json") || !["list", "static", "metric"].includes(command ?? "")) {
    return failed(`amd-smi: error: a simulated machine does not answer ${args.join(" ")}\n`, 2);
  }
  if (command === "list") return printed(gpus.flatMap(listed));
  const elements = gpus.map((gpu, number) =>
    command === "static" ? staticOf(gpu, number) : metricOf(gpu, number),
  );
  return printed(form === "list" ? elements : { gpu_data: elements });
}

/** A GPU that the machine has lost is not on the bus. */
function presentGpus({ gpus }: SimulatedGpus): SimulatedGpu[] {
  return gpus.filter(
    (gpu) => isAmd(gpu) && !["removed", "hidden", "fallen_off"].includes(gpu.state),
  );
}

const bdfOf = ({ pci }: SimulatedGpu) => `${pci}.0`;
const uniqueIdOf = ({ uuid }: SimulatedGpu) => uuid.replace(/^GPU-/, "");

/** A GPU in the partition mode CPX is eight devices with one address. */
function listed(gpu: SimulatedGpu, number: number) {
  const count = gpu.values["sysfs/current_compute_partition"] === "CPX" ? 8 : 1;
  return Array.from({ length: count }, (_, partition) => ({
    gpu: number * count + partition,
    bdf: bdfOf(gpu),
    uuid: `${uniqueIdOf(gpu).slice(0, 8)}-0000-1000-80${uniqueIdOf(gpu).slice(8, 10)}-000000000000`,
    kfd_id: 45_412 + number,
    node_id: 1 + number,
    partition_id: partition,
  }));
}

/** The value of a path, which the scenario may replace, or leave out as "N/A". */
function setOr<Of>({ values }: SimulatedGpu, path: string, usual: Of): Of | string {
  const changed = values[path];
  return changed === undefined ? usual : (changed ?? "N/A");
}

const countOf = (gpu: SimulatedGpu, path: string, usual: number) => {
  const value = setOr(gpu, path, usual);
  return /^\d+$/.test(`${value}`) ? Number(value) : value;
};

function staticOf(gpu: SimulatedGpu, number: number) {
  const size = { value: countOf(gpu, "vram/size", gpu.memoryMb ?? 0), unit: "MB" };
  return {
    gpu: number,
    asic: {
      market_name: setOr(gpu, "asic/market_name", gpu.name),
      vendor_id: "0x1002",
      asic_serial: `0x${uniqueIdOf(gpu).toUpperCase()}`,
    },
    vram: { type: "HBM3", size: size.value === "N/A" ? "N/A" : size },
  };
}

function metricOf(gpu: SimulatedGpu, number: number) {
  const count = (name: string) => countOf(gpu, `ecc/${name}`, 0);
  return {
    gpu: number,
    ecc: {
      total_correctable_count: count("total_correctable_count"),
      total_uncorrectable_count: count("total_uncorrectable_count"),
      total_deferred_count: count("total_deferred_count"),
      cache_correctable_count: "N/A",
      cache_uncorrectable_count: "N/A",
    },
  };
}

/** An MI300 is an accelerator to the bus; its predecessors, and cards for desktops, are display controllers. */
const classOf = ({ name }: { name: string }) => (/MI3\d\d/.test(name) ? "0x120000" : "0x038000");

/** What the reader's script prints on such a machine. */
export function amdSysfs(machine: SimulatedGpus): string {
  const gpus = presentGpus(machine);
  if (gpus.length === 0) return "";
  const rows = gpus.flatMap((gpu) => {
    if (gpu.state === "unbound") return [["undriven", bdfOf(gpu), classOf(gpu)]];
    const render = `renderD${FIRST_RENDER + gpu.place}`;
    const file = (name: string, usual: string | number) => {
      const value = setOr(gpu, `sysfs/${name}`, usual);
      return value === "N/A" ? "" : value;
    };
    const bytes = gpu.state === "ok" ? (gpu.memoryMb ?? 0) * MIB : "";
    return [
      [
        "amdgpu",
        bdfOf(gpu),
        render,
        992,
        file("unique_id", uniqueIdOf(gpu)),
        file("product_name", gpu.name),
        file("mem_info_vram_total", bytes),
        file("mem_info_vram_used", gpu.usedMb * MIB),
        file("gpu_busy_percent", gpu.utilPercent),
        file("current_compute_partition", "SPX"),
        file("umc_err_count", 0),
        file("retired", 0),
        file("pending", 0),
        "0x74a1",
        file("table_name", ""),
        file("temp1_input", ""),
        file("power1_average", ""),
        file("freq1_input", ""),
      ],
      ["kfd", render],
    ];
  });
  return [...rows, ["driver", "6.10.5", "6.8.0"]].map((row) => `${row.join("|")}\n`).join("");
}
