// The insertion of an API key, by a key that may grant its permissions.

import type { ApiKey, Permissions } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import type { Labels } from "../../domain/label/labels.ts";
import { keyCreated } from "../../domain/notification/access-events.ts";
import { insertKey, lockKey } from "../../store/api-key/api-key.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { requireRoom } from "../account/require-room.ts";
import { requireUnbudgetedKey } from "../budget/require-unbudgeted-key.ts";
import { requireMembership } from "../member/require-membership.ts";
import { raiseEvent } from "../notification/raise.ts";
import { requireGrantable } from "./require-grantable.ts";

/** `address` is the caller's; empty if it is not known. */
export function* insertOwnKey(
  by: ApiKey,
  key: ApiKey & { labels?: Labels },
  hash: string,
  address: string,
): Tx<Fault | null> {
  const refusal =
    (yield* requireMembership({ ...(by.member && { owner: by.member }) })) ??
    (yield* requireCurrent(by, key.permissions)) ??
    (yield* requireUnbudgetedKey(by)) ??
    (yield* requireRoom("apiKey", key.accountId));
  if (refusal) return refusal;
  yield* insertKey(key, hash);
  yield* raiseEvent(key.accountId, keyCreated(key, by, address));
  return null;
}

/** The request may have passed before a commit that revoked or limited its key. */
function* requireCurrent(by: ApiKey, permissions: Permissions): Tx<Fault | null> {
  const current = yield* lockKey(by.id, by.accountId);
  if (!current || current.disabledAt !== null) return new Fault("unauthorized");
  return yield* requireGrantable(current, permissions);
}
