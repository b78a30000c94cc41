// The ports at which containers reach the service. They stay the same across restarts, because running containers know
// them.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The service itself, or the proxy of intercepted containers. */
type Listener = "service" | "proxy";

export function keptPort(dataFolder: string, listener: Listener = "service"): number | null {
  try {
    return Number(readFileSync(fileOf(dataFolder, listener), "utf8")) || null;
  } catch {
    return null;
  }
}

export function keepPort(dataFolder: string, port: number, listener: Listener = "service"): void {
  writeFileSync(fileOf(dataFolder, listener), `${port}\n`, { mode: 0o600 });
}

/** Whether containers of this data folder have ever run. */
export function hasKeptPort(dataFolder: string): boolean {
  return existsSync(fileOf(dataFolder, "service"));
}

function fileOf(dataFolder: string, listener: Listener): string {
  const name = listener === "service" ? "containers.port" : "containers-proxy.port";
  return path.join(dataFolder, name);
}
