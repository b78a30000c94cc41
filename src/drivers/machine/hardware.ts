// This machine's hardware, from its operating system and its GPU driver.

import { readFile, statfs } from "node:fs/promises";
import { availableParallelism, cpus, hostname, release, totalmem, version } from "node:os";
import { MIB } from "../../base/units.ts";
import type { Hardware, HostSystem } from "../../domain/machine/inventory.ts";
import type { Gpus } from "./nvidia-smi.ts";

/** `folder` is on the disk to be measured. */
export async function inspectMachine(
  folder: string,
  readGpus: () => Promise<Gpus>,
): Promise<Hardware & { system: HostSystem }> {
  const [{ blocks, bsize }, gpus, cpu] = await Promise.all([statfs(folder), readGpus(), readCpu()]);
  return {
    vcpus: availableParallelism(),
    memoryMb: Math.floor(totalmem() / MIB),
    diskGb: Math.floor((blocks * bsize) / 1e9),
    system: {
      hostName: hostname(),
      os: await readOsName(),
      kernelVersion: release(),
      engineVersion: null,
      cpu,
    },
    ...gpus,
  };
}

/** Such as "Debian GNU/Linux 13 (trixie)". */
async function readOsName(): Promise<string> {
  const text = await readFile("/etc/os-release", "utf8").catch(() => "");
  return /^PRETTY_NAME="?([^"\n]+)/m.exec(text)?.[1] ?? version();
}

/** Only Linux tells cores from threads; elsewhere each CPU counts as a core. */
async function readCpu(): Promise<HostSystem["cpu"]> {
  const all = cpus();
  const text = await readFile("/proc/cpuinfo", "utf8").catch(() => "");
  return all[0] ? parseCpu(all[0].model, all.length, text) : null;
}

export function parseCpu(model: string, threads: number, cpuinfo: string) {
  const count = (field: string) =>
    Number(new RegExp(`^${field}\\s*:\\s*(\\d+)`, "m").exec(cpuinfo)?.[1] ?? 1);
  const threadsPerCore = Math.max(1, Math.round(count("siblings") / count("cpu cores")));
  return { model: model.trim(), cores: Math.ceil(threads / threadsPerCore), threadsPerCore };
}
