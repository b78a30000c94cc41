// A Pod that yielded its place between its tries takes it again when it is started.

import { lack } from "../../domain/placement/decide.ts";
import { yieldsPlace } from "../../domain/pod/container/yield-place.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lockMachine } from "../../store/replica/offers.ts";
import { placesOf } from "./places.ts";

/**
 * Why a locked Pod cannot take its place again, as a sentence; null if it can, or never yielded it. Locks the
 * machine until the surrounding transaction ends.
 */
export function* lackOfRoom(pod: Pod): Tx<string | null> {
  const { machine, virtual, vcpus, memoryMb } = pod.placement;
  if (virtual || !yieldsPlace(pod)) return null;
  yield* lockMachine(machine);
  const [place] = yield* placesOf({ since: 0, machine, except: pod.id });
  if (!place) return null;
  const { containerDiskInGb, volumeInGb } = pod.desired.spec;
  const short = lack(
    { compute: { vcpus, memoryMb }, diskGb: containerDiskInGb + volumeInGb },
    place,
  );
  return short && `others took its place while its image could not be pulled: ${short}`;
}
