// Which keys of an account a key may see and change. Pure.

import type { ApiKey } from "./account.ts";
import { roleCovers } from "./member/roles.ts";

/** A key that manages the account manages all keys; a member's key manages the member's keys. */
export function mayManage(by: ApiKey, key: Pick<ApiKey, "member">): boolean {
  if (roleCovers(by.member?.role ?? null, "account", "write")) return true;
  return key.member !== null && key.member.id === by.member?.id;
}
