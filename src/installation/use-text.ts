// The text of what an installation has on an engine: "3 containers (2 run), 1 network, 2 volumes".

import type { InstallationUse } from "../drivers/shared-engine.ts";

export function useText(use: Omit<InstallationUse, "installation" | "dataFolder">): string {
  const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? "" : "s"}`;
  const running = use.running > 0 ? ` (${use.running} running)` : "";
  return [
    count(use.containers, "container") + running,
    count(use.networks, "network"),
    count(use.volumes, "volume"),
  ].join(", ");
}
