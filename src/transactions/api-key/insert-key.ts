// The insertion of an API key, by a key that may grant its permissions.

import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import type { Labels } from "../../domain/label/labels.ts";
import { keyCreated } from "../../domain/notification/access-events.ts";
import { insertKey } from "../../store/api-key/api-key.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { requireRoom } from "../account/require-room.ts";
import { requireUnbudgetedKey } from "../budget/require-unbudgeted-key.ts";
import { raiseEvent } from "../notification/raise.ts";
import { lockCaller } from "./lock-caller.ts";
import { requireGrantable } from "./require-grantable.ts";

/** `address` is the caller's; empty if it is not known. */
export function* insertOwnKey(
  by: ApiKey,
  key: ApiKey & { labels?: Labels },
  hash: string,
  address: string,
): Tx<Fault | null> {
  const caller = yield* lockCaller(by);
  if (caller instanceof Fault) return caller;
  const refusal =
    (yield* requireGrantable(caller.by, key.permissions)) ??
    (yield* requireUnbudgetedKey(by)) ??
    (yield* requireRoom("apiKey", key.accountId));
  if (refusal) return refusal;
  yield* insertKey(key, hash);
  yield* raiseEvent(key.accountId, keyCreated(key, by, address));
  return null;
}
