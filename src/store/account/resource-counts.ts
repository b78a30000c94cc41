// How many of a kind an account has.

import type { LimitedResource } from "../../domain/storage/resource-limits.ts";
import { row, type Tx } from "../engine/statement.ts";

/** Reservations are counted at an instant. */
export type CountedResource = Exclude<LimitedResource, "reservation" | "memberReservation">;

/** Keys of a removed member open nothing and are in no list, so that no caller could delete them to make room. */
const notOfFormerMember = (table: string) =>
  `not exists (select 1 from member where member.id = ${table}.member_id and removed_at is not null)`;

const COUNTED: Record<CountedResource, string> = {
  apiKey: "api_key where revoked_at is null and account_id = ?",
  budget: "budget where account_id = ?",
  flashApp: "flash_app where account_id = ?",
  invitation: "invitation where account_id = ?",
  member: "member where removed_at is null and account_id = ?",
  notificationRule: "notification_rule where account_id = ?",
  registryAuth: "registry_auth where account_id = ?",
  s3Key: `s3_key where revoked_at is null and ${notOfFormerMember("s3_key")} and account_id = ?`,
  schedule: "schedule where account_id = ?",
  secret: "secret where account_id = ?",
  sshKey: `ssh_key where ${notOfFormerMember("ssh_key")} and account_id = ?`,
};

export function* countOf(resource: CountedResource, accountId: string): Tx<number> {
  const found = yield* row<{ n: number }>(
    `select count(*) as n from ${COUNTED[resource]}`,
    accountId,
  );
  return Number(found!.n);
}
