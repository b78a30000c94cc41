// Removes a member from an account: the keys end, and what belongs to the member stays, stops or is handed over.

import type { Actor } from "../../domain/audit/entry.ts";
import { Fault } from "../../domain/fault.ts";
import type { Member } from "../../domain/member/member.ts";
import { holdAccount } from "../../store/account/account.ts";
import { revokeKeysOf } from "../../store/api-key/api-key.ts";
import { findEndpoint, lockEndpoint, updateEndpoint } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lockMember, removeMember } from "../../store/member/member.ts";
import { endpointIdsOf, handOver, scheduleIdsOf, volumeIdsOf } from "../../store/member/owned.ts";
import { findVolume } from "../../store/network-volume/network-volume.ts";
import { changeOwner, lockPodsOf } from "../../store/pod/owner.ts";
import { deleteFeed } from "../../store/reservation/feed.ts";
import { cancelReservationsOfMember } from "../../store/reservation/reservation.ts";
import { lockSchedule, updateSchedule } from "../../store/schedule/schedule.ts";
import { deleteSshKeysOf } from "../../store/ssh-key/ssh-key.ts";
import { withdrawForRemoval } from "../invitation/withdraw.ts";
import { attribute } from "../money/meter.ts";
import { endPassword } from "../password/set.ts";
import { attributePod } from "../pod/meter.ts";
import { movePod } from "../pod/move.ts";
import { refuseQueuedOf } from "../queued-pod/line.ts";
import { attributeWorkers } from "../worker/meter.ts";

/**
 * What happens to what belongs to a member that is removed. Both may be asked for; without either, only the
 * schedules are paused.
 */
export interface Departure {
  /** The member that gets it. */
  handOverTo?: string | undefined;
  /** Whether Pods that run, locked ones included, and endpoints are stopped. Volumes are kept. */
  stop?: boolean | undefined;
}

export interface MemberRemoval extends Departure {
  accountId: string;
  id: string;
  by: Actor | undefined;
}

/**
 * The keys end in the same commit, so that nothing is created for the member afterwards. Members, then what belongs to them,
 * then the account are held, as by what creates and starts: two that wait for each other would start over.
 */
export function* removeOwnMember(
  { accountId, id, handOverTo, stop = false, by }: MemberRemoval,
  at: number,
): Tx<Member | Fault> {
  // Members are locked in one order, so that two removals do not wait for each other.
  const members = new Map<string, Member | undefined>();
  for (const each of [id, ...(handOverTo === undefined ? [] : [handOverTo])].sort()) {
    members.set(each, yield* lockMember(each, accountId));
  }
  for (const [each, member] of [...members].reverse()) {
    if (!member) return new Fault("member_not_found", { id: each });
  }
  const member = members.get(id)!;
  yield* removeMember(member, at);
  const scheduleIds = yield* scheduleIdsOf(accountId, id);
  const endpointIds = yield* endpointIdsOf(accountId, id);
  const volumeIds = yield* volumeIdsOf(accountId, id);
  if (stop || handOverTo === undefined) yield* refuseQueuedOf(member, at);
  const pods = yield* lockPodsOf(id);
  if (handOverTo !== undefined) {
    yield* changeOwner(pods, id, handOverTo);
    yield* handOver(accountId, id, handOverTo);
  }
  if (stop) for (const endpointId of endpointIds) yield* stopEndpoint(endpointId);
  if (stop || handOverTo === undefined) {
    for (const scheduleId of scheduleIds) yield* pauseSchedule(scheduleId, at);
  }
  // What starts meanwhile waits, and then counts for the new owner.
  yield* holdAccount(accountId);
  yield* endAccess(member, at);
  if (handOverTo !== undefined) {
    for (const pod of pods) yield* attributePod({ ...pod, ownerId: handOverTo }, at);
    yield* attributeRest(handOverTo, { endpointIds, volumeIds }, at);
  }
  if (stop) {
    const reason = `its owner ${member.name} was removed from the account`;
    for (const pod of pods.filter(({ desired }) => desired.state === "RUNNING")) {
      yield* movePod(pod, { event: "stop", cause: "stopped", reason, by, at });
    }
  }
  return member;
}

function* endAccess(member: Member, at: number): Tx<void> {
  const { id, accountId } = member;
  yield* withdrawForRemoval(member);
  yield* endPassword(member, at);
  yield* revokeKeysOf(id, at);
  yield* deleteSshKeysOf(id, accountId);
  yield* cancelReservationsOfMember(id, accountId, at);
  yield* deleteFeed({ accountId, ownerId: id });
}

/** Costs count for the new owner from then on. */
function* attributeRest(
  ownerId: string,
  { endpointIds, volumeIds }: { endpointIds: readonly string[]; volumeIds: readonly string[] },
  at: number,
): Tx<void> {
  for (const id of endpointIds) {
    const endpoint = yield* findEndpoint(id);
    if (endpoint) yield* attributeWorkers(endpoint, at);
  }
  for (const id of volumeIds) {
    const volume = yield* findVolume(id);
    if (volume) yield* attribute(id, { ownerId, labels: volume.labels }, at);
  }
}

/** Its workers finish their jobs and end; jobs wait until it has workers again. */
function* stopEndpoint(id: string): Tx<void> {
  const endpoint = yield* lockEndpoint(id);
  if (!endpoint) return;
  const spec = { ...endpoint.spec, workersMin: 0, workersMax: 0 };
  yield* updateEndpoint({ ...endpoint, spec }, null);
}

function* pauseSchedule(id: string, at: number): Tx<void> {
  const schedule = yield* lockSchedule(id);
  if (!schedule || schedule.pausedAt !== null) return;
  yield* updateSchedule({ ...schedule, pausedAt: at, nextRunAt: null });
}
