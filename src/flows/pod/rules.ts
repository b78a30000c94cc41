// Which driver runs a Pod, if one can.

import { Fault } from "../../domain/fault.ts";
import type { PodSpec } from "../../domain/pod/pod.ts";
import type { StartRules } from "../endpoint/cannot-use.ts";

export type PodRules = StartRules;

/** A container has its image's command; a process has only what it is told. */
export function driverForPod({ driverFor }: PodRules, spec: PodSpec): string | Fault {
  const driver = driverFor(spec);
  if (driver === null) {
    const wanted = spec.driver ?? "process";
    const detail = `No machine here has the driver "${wanted}" that this Pod needs.`;
    return new Fault("not_offered", { detail });
  }
  if (driver !== "process") return driver;
  if (spec.dockerEntrypoint.length + spec.dockerStartCmd.length === 0) {
    return new Fault("no_command");
  }
  if (spec.networkVolumeId !== null) {
    const detail =
      "Network volumes are mounted into containers; here this Pod would run as a process.";
    return new Fault("not_offered", { detail });
  }
  return driver;
}
