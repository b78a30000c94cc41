// The troubles that strike loops: an endpoint that gets no worker, and a machine that falls silent.

import type { Parts } from "../service-parts.ts";

/** `isSilent` is true while a fault keeps this replica's machine silent. */
export function loopTroubles(
  { troubles, machine }: Pick<Parts, "troubles" | "machine">,
  isSilent: () => boolean,
) {
  return {
    isThrottled: (endpointId: string) => troubles?.strikes("all-throttled", endpointId) ?? false,
    isMachineSilent: isSilent,
    isHere: (id: string) => id === machine && !isSilent(),
  };
}
