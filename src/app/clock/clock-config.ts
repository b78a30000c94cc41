// The setting of the clock. A virtual clock is for tests: it moves all deadlines and all money.

import type { HomeConfig } from "../config/home-config.ts";
import type { Given } from "../config/settings.ts";

/** Longer than any service runs. */
export const UNLIMITED_MS = 100 * 365 * 24 * 3_600_000;

export const CONTAINERS =
  "FREEHOLD_DRIVERS names docker, but containers keep the engine's time; with --clock virtual it takes process and fake";

/** Whether the driver's workloads can be managed under the clock. */
export const runsUnder = (clock: "system" | "virtual", driver: string) =>
  clock === "system" || driver !== "docker";

export function readClock(
  setting: Given,
  { isLocal, databaseUrl }: Pick<HomeConfig, "databaseUrl"> & { isLocal: boolean },
  errors: string[],
): "system" | "virtual" {
  const value = setting("clock") ?? "system";
  if (value !== "system" && value !== "virtual")
    errors.push(`FREEHOLD_CLOCK is "${value}"; it takes one of system, virtual`);
  if (value !== "virtual") return "system";
  if (!isLocal)
    errors.push(
      "FREEHOLD_CLOCK is virtual, which only tests on this machine may use: listen on 127.0.0.1, without a " +
        "public URL or a domain",
    );
  if (databaseUrl !== null)
    errors.push(
      "FREEHOLD_CLOCK is virtual, but replicas on PostgreSQL share the database's clock; remove FREEHOLD_DATABASE_URL",
    );
  if (setting("machines") !== null)
    errors.push(
      "FREEHOLD_CLOCK is virtual, but other machines keep their own time; remove FREEHOLD_MACHINES",
    );
  return "virtual";
}
