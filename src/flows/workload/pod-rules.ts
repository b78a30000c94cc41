// Chooses the driver that runs a Pod.

import type { PortLimits } from "../../domain/container/ports.ts";
import { Fault } from "../../domain/fault.ts";
import type { PodSpec } from "../../domain/pod/spec.ts";
import type { OfficialTemplates } from "../../domain/template/official.ts";
import type { StartRules } from "./template-check.ts";

export interface PodRules extends StartRules {
  portLimits: PortLimits;
  officialTemplates: OfficialTemplates;
}

/** `placed` is the driver of a Pod that has one. A container has its image's command; a process needs one in the spec. */
export function driverForPod(
  { driverFor }: StartRules,
  spec: PodSpec,
  placed: string | null = null,
): string | Fault {
  const requested = placed ?? spec.driver;
  const driver = driverFor({ driver: requested });
  if (driver === null) {
    const detail =
      requested === null
        ? "No container engine answers here. Start Docker, or set FREEHOLD_DRIVERS=simulated to accept Pods that do not run their image."
        : `No machine here has the driver "${requested}" that this Pod needs.`;
    return new Fault("not_offered", { detail });
  }
  if (driver !== "process") return driver;
  if (spec.sandbox) {
    const detail =
      "Sandboxes run code that is not trusted, in containers; here this one would run as a process.";
    return new Fault("not_offered", { detail });
  }
  if (spec.dockerEntrypoint.length + spec.dockerStartCmd.length === 0) {
    return new Fault("no_command");
  }
  if (spec.volumeInGb > 0 && spec.networkVolumeId === null) {
    const detail =
      'This Pod would run as a process, which has no volume; send "volumeInGb": 0. Its ports are those of the machine.';
    return new Fault("not_offered", { detail });
  }
  if (spec.networkVolumeId !== null) {
    const detail =
      "Network volumes are mounted into containers; here this Pod would run as a process.";
    return new Fault("not_offered", { detail });
  }
  return driver;
}
