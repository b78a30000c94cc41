// The GraphQL view of a machine, as its operator sees it.

import type { MachineView } from "../../../flows/machine/list.ts";
import { systemOf } from "./pod-machine.ts";

/** `gpuTypeId` is the first of the machine's GPU types; `gpuTotal` counts the GPUs of all of them. */
export function graphqlMachine(view: MachineView) {
  const { machine, online, inventory } = view;
  const { gpus, location, countryCode, cloudType, dataCenterId } = inventory;
  return {
    id: machine,
    name: machine,
    location: location ?? countryCode,
    listed: online,
    gpuTypeId: gpus[0]?.gpuTypeId ?? null,
    gpuTotal: gpus.reduce((sum, { indices }) => sum + indices.length, 0),
    secureCloud: cloudType === null ? null : cloudType === "SECURE",
    dataCenterId,
    machineSystem: systemOf(view),
  };
}
