// Accounts and their keys, and what disabling an account changes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { everything } from "../../../../src/domain/account.ts";
import {
  disabledAccounts,
  findAccountIdByName,
  findManaged,
  insertAccount,
  isDisabled,
  listAccounts,
  lockAccount,
  saveAccount,
} from "../../../../src/store/account/account.ts";
import { prepaid, setBalanceSince } from "../../../../src/store/account/prepaid.ts";
import { insertKey, keyByHash } from "../../../../src/store/api-key/api-key.ts";
import { Fixture, type OpenStore } from "../fixture.ts";

export function accountConformance(open: OpenStore): void {
  test("an account is limited, renamed, disabled and enabled, with its keys", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    const account = { id: "lab", name: "lab", createdAt: now + 1 };
    await store.write(insertAccount, { ...account, webhookSecret: null });
    const key = {
      id: "k",
      accountId: "lab",
      name: "k",
      hint: "k",
      member: null,
      permissions: everything,
    };
    await store.write(insertKey, { ...key, createdAt: now, disabledAt: null }, "hash");
    const managed = { ...account, limited: false, disabledAt: null, maxLifetime: null };
    assert.deepEqual(await store.read(findManaged, "lab"), managed);
    assert.equal((await store.read(keyByHash, "hash"))?.id, "k");

    const off = { ...managed, name: "shop", limited: true, disabledAt: now + 2 };
    await store.write(saveAccount, off);
    await store.write(setBalanceSince, "empty", "lab", now + 3);
    assert.equal(await store.write(setBalanceSince, "empty", "lab", now + 4), false);
    assert.equal(await store.write(setBalanceSince, "low", "lab", now + 3), true);
    assert.deepEqual(await store.write(lockAccount, "lab"), off);
    assert.deepEqual(await store.read(disabledAccounts), ["lab"]);
    assert.deepEqual(await store.read(keyByHash, "hash"), undefined);
    const limited = await store.read(prepaid, "lab");
    assert.deepEqual([limited?.emptySince, limited?.lowSince], [now + 3, now + 3]);
    const ids = ["shop", "lab"].map((name) => store.read(findAccountIdByName, name));
    assert.deepEqual(await Promise.all(ids), ["lab", undefined]);

    await store.write(saveAccount, { ...off, limited: false, disabledAt: null });
    assert.equal(await store.read(isDisabled, "lab"), false);
    assert.equal(await store.read(prepaid, "lab"), null);
    await store.write(saveAccount, { ...off, disabledAt: null });
    const empty = await store.read(prepaid, "lab");
    assert.equal(empty?.emptySince, null, "an account that is limited again is not empty");
    assert.equal((await store.read(keyByHash, "hash"))?.id, "k");
    const all = await store.read(listAccounts);
    assert.deepEqual(
      all.map(({ id }) => id),
      ["account", "lab"],
    );
  });
}
