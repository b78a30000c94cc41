// The troubles of a service that allows them: by default one that only its machine reaches.

import { randomIds } from "../../base/ids.ts";
import { Troubles } from "../../flows/trouble/troubles.ts";
import type { Parts } from "../service-parts.ts";

export function openTroubles({
  config,
  clock,
  log,
  localTrust,
}: Pick<Parts, "config" | "clock" | "log" | "localTrust">): Troubles | null {
  if (!(config.faults ?? config.isLocal)) return null;
  const troubles = new Troubles({ clock, log, random: randomIds.fraction });
  if (config.faults === null) localTrust.onForwarded(() => troubles.forbid());
  return troubles;
}
