// Records that a node left its cluster: its workers are lost, and its machine is forgotten unless Pods or volumes need it.

import type { Tx } from "../../store/engine/statement.ts";
import { volumesOn } from "../../store/network-volume/network-volume.ts";
import { podsOn } from "../../store/pod/row.ts";
import { lockMachine } from "../../store/replica/offers.ts";
import { deleteReplicaOn } from "../../store/replica/replica.ts";
import { loseMachine } from "./lose.ts";

export function* forgetNode(machine: string, now: number): Tx<void> {
  // What others place on it is committed by then, or goes elsewhere.
  yield* lockMachine(machine);
  yield* loseMachine(machine, "all", now, now);
  const isNeeded = (yield* podsOn(machine)).length > 0 || (yield* volumesOn(machine)).length > 0;
  if (!isNeeded) yield* deleteReplicaOn(machine);
}
