// The GPUs' load, temperature, power and clock, read from `nvidia-smi`, and from the kernel for those of AMD.

import type { GpuNumbers } from "../../../domain/machine/gpu-numbers.ts";
import type { GpuLoad } from "../../../domain/machine/load/load.ts";
import { readAmdUse } from "../amd-gpus.ts";
import type { Run, RunError } from "../run.ts";
import { singleProbe } from "../single-probe.ts";

const QUERY = [
  "--query-gpu=uuid,utilization.gpu,memory.used,memory.total,temperature.gpu,power.draw,clocks.sm",
  "--format=csv,noheader,nounits",
];

/** `numbers` returns the numbers of the GPUs by their UUIDs. */
export function gpuUseReader(run: Run, numbers: () => GpuNumbers): () => Promise<GpuLoad[]> {
  const readNvidia = singleProbe(async () => {
    // A program that fails for one GPU has printed the rows of the others before.
    const table = await run("nvidia-smi", QUERY).catch(({ stdout = "" }: RunError) => stdout);
    return parseGpuUse(table, numbers());
  }, []);
  const readAmd = singleProbe(() => readAmdUse(run, numbers()), []);
  return async () => (await Promise.all([readNvidia(), readAmd()])).flat();
}

/** Leaves out GPUs whose utilization is no number, such as "[N/A]" of a GPU in MIG mode: 0 would be a lie. */
export function parseGpuUse(table: string, numbers: GpuNumbers): GpuLoad[] {
  const lines = table.split("\n").map((line) => line.split(",").map((cell) => cell.trim()));
  return lines.flatMap(([uuid = "", ...cells]) => {
    const index = numbers[uuid];
    if (index === undefined || cells.length !== 6 || !/^\d+$/.test(cells[0]!)) return [];
    const [use, used, total] = cells.map((cell) => Number(cell) || 0) as [number, number, number];
    const memoryUtilPercent = Math.round((1_000 * used) / (total || 1)) / 10;
    const [temperatureC = null, powerWatts = null, clockMhz = null] = cells.slice(3).map(measured);
    const sensors = { temperatureC, powerWatts, clockMhz };
    return [{ index, gpuUtilPercent: use, memoryUtilPercent, ...sensors }];
  });
}

/** A GPU without the sensor says "[N/A]". */
const measured = (cell: string): number | null =>
  /^\d+(?:\.\d+)?$/.test(cell) ? Number(cell) : null;
