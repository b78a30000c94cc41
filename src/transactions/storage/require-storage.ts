// The admission of everything that an account stores, in the transaction that stores it. It holds the account, so
// that two transactions cannot both take the last bytes.

import { Fault } from "../../domain/fault.ts";
import { refuseStorage, type StorageLimit } from "../../domain/storage/storage-limit.ts";
import { holdAccount } from "../../store/account/account.ts";
import { endpointIdsOf, settingsBytes, storedBytes } from "../../store/account/stored.ts";
import { uncommittedBytes } from "../../store/endpoint/counts.ts";
import type { Tx } from "../../store/engine/statement.ts";

/** Call it after everything else is locked, and before `addedBytes` are stored. */
export function* requireStorage(limit: StorageLimit, addedBytes: number): Tx<Fault | null> {
  return refuseStorage(yield* holdStoredBytes(limit.accountId), addedBytes, limit.bytes);
}

/**
 * Runs a transaction and measures what it stores. Throws, which rolls it back, if the account then stores more than
 * before and more than its limit. The account is held last.
 */
export function* withinStorage<Result>(limit: StorageLimit, transaction: Tx<Result>): Tx<Result> {
  const before = yield* settingsBytes(limit.accountId);
  const result = yield* transaction;
  if (result instanceof Fault) return result;
  const addedBytes = (yield* settingsBytes(limit.accountId)) - before;
  if (addedBytes <= 0) return result;
  const stored = yield* holdStoredBytes(limit.accountId);
  const refusal = refuseStorage(stored - addedBytes, addedBytes, limit.bytes);
  if (refusal) throw refusal;
  return result;
}

function* holdStoredBytes(accountId: string): Tx<number> {
  yield* holdAccount(accountId);
  return (
    (yield* storedBytes(accountId)) + (yield* uncommittedBytes(() => endpointIdsOf(accountId)))
  );
}
