// The settings of the clock, and of how far those of S3 clients may differ. A virtual clock is for tests: it moves all
// deadlines and all money.

import { DAY_MS, MINUTE_MS } from "../base/units.ts";
import type { HomeConfig } from "./home-config.ts";
import type { Given } from "./settings.ts";

/** Longer than any service runs. */
export const UNLIMITED_MS = 100 * 365 * DAY_MS;

export const CONTAINERS =
  "FREEHOLD_DRIVERS names docker, but containers keep the engine's time; with --clock virtual it takes process and simulated";

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

const USUAL_SKEW_MINUTES = 15;
const MAX_SKEW_MINUTES = 60;

export function readClockSkew(setting: string | null, errors: string[]): number {
  if (setting === null) return USUAL_SKEW_MINUTES * MINUTE_MS;
  const minutes = Number(setting);
  if (!/^\d{1,2}$/.test(setting) || minutes < 1 || minutes > MAX_SKEW_MINUTES) {
    errors.push(`FREEHOLD_S3_CLOCK_SKEW is "${setting}"; it takes 1 to 60 minutes`);
  }
  return minutes * MINUTE_MS;
}
