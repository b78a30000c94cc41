// The load of one proxy, made by wrk: how much it passes on, how soon, and what that costs of its core.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { cpuMicros } from "../../jobs/process-cpu.ts";

export interface Load {
  url: string;
  /** The Host header. */
  host: string;
  connections: number;
  seconds: number;
  /** Where wrk runs, beside the page. */
  core: number;
}

export interface Passed {
  perSecond: number;
  /** By the CPU time of the proxy alone: what its core would do if it did nothing else. */
  perCpuSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** `pid` is the proxy's process. Throws where an answer was not 2xx. */
export async function measure(pid: number, load: Load): Promise<Passed> {
  await wrk({ ...load, seconds: 5 });
  const before = cpuMicros(pid);
  const said = await wrk(load);
  const micros = cpuMicros(pid) - before;
  if (/Non-2xx|connect [1-9]|read [1-9]|write [1-9]/.test(said))
    throw new Error(`${load.url}: ${said}`);
  const count = Number(/(\d+) requests in /.exec(said)![1]);
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(said)![1]),
    perCpuSecond: count / (micros / 1e6),
    p50Ms: milliseconds(/^ +50% +(\S+)/m.exec(said)![1]!),
    p99Ms: milliseconds(/^ +99% +(\S+)/m.exec(said)![1]!),
  };
}

async function wrk({ url, host, connections, seconds, core }: Load): Promise<string> {
  const flags = ["-t1", `-c${connections}`, `-d${seconds}s`, "--latency", "-H", `Host: ${host}`];
  const { stdout } = await promisify(execFile)("taskset", [
    "-c",
    String(core),
    "wrk",
    ...flags,
    url,
  ]);
  return stdout;
}

function milliseconds(text: string): number {
  const value = Number.parseFloat(text);
  if (text.endsWith("us")) return value / 1_000;
  return text.endsWith("ms") ? value : value * 1_000;
}
