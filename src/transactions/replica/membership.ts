// The membership of replicas: a replica enters, sends heartbeats and leaves, for its own machine
// and for the remote machines that it manages.

import { manageLeadership } from "../../domain/machine/remote.ts";
import { machineOffline } from "../../domain/notification/machine-events.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import { needsNoSync, type Tx } from "../../store/engine/statement.ts";
import {
  dropLeaderships,
  holdsLeadership,
  renewLeaderships,
} from "../../store/leadership/leadership.ts";
import { lockRemote, setTrouble } from "../../store/remote-machine/remote-machine.ts";
import { inventoryOn } from "../../store/replica/inventory.ts";
import {
  type Replica,
  replicaOn,
  setManySeenAt,
  setSeenAt,
  setSeenWith,
  setStoppedAt,
  upsertReplica,
} from "../../store/replica/replica.ts";
import { addSliceTypes } from "../machine/gpus/add-slice-types.ts";
import { announceGpus } from "../machine/gpus/observe-gpus.ts";
import { raiseOperatorEvent } from "../notification/raise.ts";
import { logMachineBack } from "../pod/machine-log.ts";

/**
 * Enters a replica. An earlier replica of the same machine has ended, because a data folder admits
 * one process; its leaderships are released.
 */
export function* enterReplica(replica: Replica, now: number): Tx<void> {
  yield* addSliceTypes(replica.inventory);
  const before = yield* replicaOn(replica.machine);
  if (before) yield* dropLeaderships(before.id);
  if (before && before.lostAt !== null) {
    yield* logMachineBack(replica.machine, now);
    yield* raiseOperatorEvent(machineOffline(replica.machine, now, true));
  }
  yield* announceGpus(replica.machine, yield* inventoryOn(replica.machine), replica.inventory, now);
  yield* upsertReplica(replica, now);
}

/**
 * Records a heartbeat and extends the replica's leaderships; returns their names. Null, with nothing changed, if another
 * replica took the machine while this one was silent, and sends heartbeats for it.
 */
export function* heartbeat(
  replica: Replica,
  now: number,
  { leaseMs, goneMs }: Pick<HeartbeatTiming, "leaseMs" | "goneMs">,
): Tx<string[] | null> {
  if (yield* setSeenAt(replica.id, now)) yield* needsNoSync();
  else {
    const holder = yield* replicaOn(replica.machine);
    if (holder && holder.id !== replica.id && isPresent(holder, now - goneMs)) return null;
    yield* enterReplica(replica, now);
  }
  return yield* renewLeaderships(replica.id, now + leaseMs);
}

const isPresent = (
  {
    seenAt,
    stoppedAt,
    lostAt,
  }: { seenAt: number; stoppedAt: number | null; lostAt: number | null },
  since: number,
): boolean => seenAt > since && stoppedAt === null && lostAt === null;

/** Records the heartbeat of a replica whose machine is silent. */
export function* heartbeatWithoutMachine(
  replicaId: string,
  now: number,
  leaseMs: number,
): Tx<string[]> {
  return yield* renewLeaderships(replicaId, now + leaseMs);
}

/**
 * The heartbeat of a machine of a remote, from the replica that holds the leadership for the remote.
 * `managed` is the machine's row; it is entered anew if another replica managed the machine before. The
 * commit that brings the machine online also clears the remote's trouble. False if this replica lost the
 * leadership.
 */
export function* heartbeatManaged(
  managed: Replica,
  remoteId: string,
  replicaId: string,
  now: number,
): Tx<boolean> {
  if (!(yield* holdsLeadership(manageLeadership(remoteId), replicaId))) return false;
  yield* addSliceTypes(managed.inventory);
  if (yield* setSeenWith(managed, now)) yield* needsNoSync();
  else if (yield* lockRemote(remoteId)) yield* enterReplica(managed, now);
  else return false;
  yield* setTrouble(remoteId, null);
  return true;
}

/**
 * The heartbeats of machines whose inventories are as stored; `ids` are of their rows. Returns the ids of those that
 * are known and not lost.
 */
export function* heartbeatUnchanged(
  ids: readonly string[],
  remoteId: string,
  replicaId: string,
  now: number,
): Tx<string[]> {
  if (ids.length === 0) return [];
  if (!(yield* holdsLeadership(manageLeadership(remoteId), replicaId))) return [];
  const known = yield* setManySeenAt(ids, now);
  yield* needsNoSync();
  yield* setTrouble(remoteId, null);
  return known;
}

/**
 * Records that a replica stops: its leaderships are released, and nothing new is placed on its
 * machine.
 */
export function* leaveReplica(id: string, now: number): Tx<void> {
  yield* dropLeaderships(id);
  yield* setStoppedAt(id, now);
}
