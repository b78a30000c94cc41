// Checks that what would be reserved stays within the quotas of the member, of its project or the one it reserves for, and of the account.

import type { Fault } from "../../domain/fault.ts";
import type { MemberName } from "../../domain/member/member.ts";
import { effectiveQuota, nothingHeld } from "../../domain/quota/quota.ts";
import { type Counted, reservedWithin } from "../../domain/reservation/counted.ts";
import type { Reservation } from "../../domain/reservation/reservation.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { findProject, findProjectOf } from "../../store/project/project.ts";
import { quotasOf } from "../../store/quota/quota.ts";
import { reservationsOf } from "../../store/reservation/reservation.ts";
import { accountQuota } from "../quota/account-quota.ts";
import { type QuotaLimit, requireWithin } from "../quota/require-quota.ts";

/** The holder whose share and quota a reservation counts for. */
export interface ReservationCharge {
  charged: MemberName | undefined;
  /** Whether that member is addressed. */
  isCaller: boolean;
}

/** The transaction holds the account: other changes of its reservations and quotas wait until it commits. */
export function* requireReservationQuota(
  reservation: Reservation,
  { charged: owner, isCaller }: ReservationCharge,
): Tx<Fault | null> {
  const { id: ownId, accountId, projectId, gpuCount } = reservation;
  const quotas = yield* quotasOf(accountId);
  const all = yield* reservationsOf(accountId, reservation);
  const others = all.filter(({ id }) => id !== ownId);
  const limit = (
    holder: QuotaLimit["holder"],
    quota: QuotaLimit["quota"],
    of: Counted,
  ): QuotaLimit => {
    const reservedGpus = reservedWithin(others, of, reservation);
    return { holder, quota, holding: { ...nothingHeld, reservedGpus } };
  };
  const limits: QuotaLimit[] = [];
  if (owner && quotas) {
    const own = effectiveQuota(quotas.byMember.get(owner.id) ?? {}, quotas.members);
    limits.push(limit("member", own, { kind: "member", id: owner.id }));
  }
  const project = yield* projectFor({ accountId, projectId, owner });
  if (project) {
    const { id, name, members } = project;
    const quota = quotas?.byProject.get(id) ?? {};
    limits.push(limit({ kind: "project", name }, quota, { kind: "project", id, members }));
  }
  const quota = yield* accountQuota(accountId, quotas);
  limits.push(limit({ kind: "account" }, quota, { kind: "account" }));
  const subject = { accountId, ...(owner && { owner }), isCaller };
  return yield* requireWithin(limits, subject, { reservedGpus: gpuCount });
}

function* projectFor({
  accountId,
  projectId,
  owner,
}: {
  accountId: string;
  projectId: string | null;
  owner: MemberName | undefined;
}) {
  if (projectId !== null) return yield* findProject(projectId, accountId);
  return owner && (yield* findProjectOf(owner.id));
}
