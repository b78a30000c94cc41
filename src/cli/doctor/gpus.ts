// The check of this machine's GPU driver.

import { counted } from "../../base/text/counted.ts";
import type { Finding } from "./finding.ts";

const about = "GPUs";

/** Empty on a machine without a GPU driver. */
export async function checkGpus(env: Record<string, string | undefined>): Promise<Finding[]> {
  const { gpuReader } = await import("../../drivers/machine/gpu-reader.ts");
  const { runLocally } = await import("../../drivers/machine/run.ts");
  const { gpus, gpuTrouble } = await gpuReader(runLocally(env)).read();
  const says = `its drivers list ${counted(gpus.length, "GPU")}`;
  if (gpuTrouble === null) return gpus.length === 0 ? [] : [{ level: "ok", about, says }];
  const fix =
    "correct the driver until it lists every GPU; GPUs that it does not list are not offered";
  return [{ level: gpus.length === 0 ? "fail" : "warn", about, says: gpuTrouble, fix }];
}
