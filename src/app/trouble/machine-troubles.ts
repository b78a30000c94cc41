// What strikes the machine of a replica, and its drivers.

import type { Troubles } from "../../flows/trouble/troubles.ts";
import type { Parts } from "../service-parts.ts";
import { FallenGpus } from "./fallen-gpus.ts";
import { MachinePower } from "./machine-power.ts";

export interface MachineTroubles {
  troubles: Troubles;
  power: MachinePower;
  fallen: FallenGpus;
}

export function machineTroubles({
  troubles,
  machine,
}: Pick<Parts, "troubles" | "machine">): MachineTroubles | null {
  if (!troubles) return null;
  return { troubles, power: new MachinePower(troubles, machine), fallen: new FallenGpus() };
}
