// What `nvidia-smi nvlink` prints for simulated GPUs. Pure.

import { generationOf } from "./nvidia-smi-document.ts";
import type { ProgramAnswer } from "./nvidia-smi-program.ts";
import type { SimulatedGpu, SimulatedGpus } from "./simulated-gpus.ts";

const answer = (stdout: string, exitCode = 0): ProgramAnswer => ({ stdout, stderr: "", exitCode });

export function nvlinkAnswer(
  what: string,
  gpus: readonly SimulatedGpu[],
  { driverVersion }: Pick<SimulatedGpus, "driverVersion">,
): ProgramAnswer {
  const lines =
    what === "-s" || what === "--status"
      ? gpus.flatMap((gpu) => [titleOf(gpu), ...statusOf(gpu)])
      : what === "-e" || what === "--errorcounters"
        ? gpus.flatMap((gpu) => [titleOf(gpu), ...errorsOf(gpu, generationOf(driverVersion))])
        : null;
  if (lines === null) return answer("Invalid combination of input arguments.\n", 2);
  return answer(lines.map((line) => `${line}\n`).join(""));
}

const titleOf = ({ index, name, uuid }: SimulatedGpu) => `GPU ${index}: ${name} (UUID: ${uuid})`;

const ALL_DOWN = "NVML: Unable to retrieve NVLink information as all links are inActive";

function statusOf({ nvlinks }: SimulatedGpu): string[] {
  if (nvlinks.length === 0) return [];
  if (nvlinks.every(({ inactive }) => inactive)) return [ALL_DOWN];
  return nvlinks.map(
    ({ inactive }, n) => `\t Link ${n}: ${inactive ? "<inactive>" : "26.562 GB/s"}`,
  );
}

/** Newer GPUs have other counters; here it follows from the driver. */
function errorsOf({ nvlinks }: SimulatedGpu, generation: number): string[] {
  if (nvlinks.length > 0 && nvlinks.every(({ inactive }) => inactive)) return [ALL_DOWN];
  return nvlinks.flatMap(({ replay = 0, recovery = 0, crc = 0, inactive }, n) => {
    if (inactive) return [];
    const counters =
      generation >= 595
        ? [
            "Tx packets: 1204",
            "Rx packets: 1204",
            "Malformed packet Errors: 0",
            "Buffer overrun Errors: 0",
            "Rx Errors: 0",
            "Rx remote Errors: 0",
            `Link recovery successful events: ${recovery}`,
            "Link recovery failed events: 0",
            `Total link recovery events: ${recovery}`,
            "Effective Errors: 0",
            "Symbol Errors: 0",
            "FEC Errors - 0: 36140749276",
          ]
        : [`Replay Errors: ${replay}`, `Recovery Errors: ${recovery}`, `CRC Errors: ${crc}`];
    return [...counters.map((counter) => `\t Link ${n}: ${counter}`), ""];
  });
}
