// The setting of the drivers that this machine may use.

import { CONTAINERS, runsUnder } from "./clock-config.ts";

const DRIVERS = ["docker", "process", "simulated"] as const;
type DriverName = (typeof DRIVERS)[number];

export interface DriverConfig {
  /** The drivers that may be used. Processes have the rights of the service. */
  drivers: DriverName[];
  /** False if the drivers were not configured: containers are then used if an engine answers. */
  driversChosen: boolean;
  /** What the operator should change although it still works, one sentence each. */
  deprecations: string[];
}

export function readDrivers(
  setting: string | null,
  { isLocal, clock }: { isLocal: boolean; clock: "system" | "virtual" },
  errors: string[],
): DriverConfig {
  const deprecations: string[] = [];
  // Processes have the rights of the service, and nothing that is simulated does work. Where others reach the
  // service, both must be enabled explicitly.
  const usual = isLocal ? ["docker", "process", "simulated"] : ["docker"];
  const named = setting === null ? usual.filter((name) => runsUnder(clock, name)) : listOf(setting);
  if (named.includes("fake")) {
    deprecations.push(
      'FREEHOLD_DRIVERS names "fake", which is now "simulated"; the old name ends with the next release',
    );
  }
  const names = named.map((name) => (name === "fake" ? "simulated" : name));
  if (!names.every((name) => runsUnder(clock, name))) errors.push(CONTAINERS);
  const drivers = names.length === 1 && names[0] === "none" ? [] : names;
  for (const name of drivers) {
    if ((DRIVERS as readonly string[]).includes(name)) continue;
    errors.push(
      `FREEHOLD_DRIVERS names "${name}"; it takes ${DRIVERS.join(", ")}, separated by commas, or none`,
    );
  }
  return { drivers: drivers as DriverName[], driversChosen: setting !== null, deprecations };
}

/** The parts of a text between commas. */
export function listOf(text: string | null): string[] {
  return (text ?? "")
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

export function checkDockerHost(host: string, errors: string[]): string {
  if (!/^unix:\/\/\/|^tcp:\/\/[^/]/.test(host)) {
    errors.push(
      `FREEHOLD_DOCKER_HOST is "${host}"; it takes unix:///path or tcp://host:port. Machines with an ` +
        "address of their own are added beside this one: freehold machine add ssh://user@host",
    );
  }
  return host;
}
