// Accounts and their keys: whose key it is, and that neither opens anything once it is disabled.

import assert from "node:assert/strict";
import { test } from "node:test";
import { everything } from "../../domain/account.ts";
import { insertAccount, insertKey, keyByHash } from "../account/account.ts";
import {
  accountNamed,
  disabledAccounts,
  findManaged,
  isDisabled,
  keepStanding,
  listAccounts,
  lockAccount,
} from "../account/standing.ts";
import { noteSince, prepaid } from "../money/prepaid.ts";
import { type OpenStore, Stage } from "./stage.ts";

export function accountLaws(open: OpenStore): void {
  test("an account is limited, renamed, disabled and enabled; its keys follow", async (t) => {
    const { store, now } = await Stage.set(open, t);
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
    const standing = { ...account, limited: false, disabledAt: null };
    assert.deepEqual(await store.read(findManaged, "lab"), standing);
    assert.equal((await store.read(keyByHash, "hash"))?.id, "k");

    const off = { ...standing, name: "shop", limited: true, disabledAt: now + 2 };
    await store.write(keepStanding, off);
    await store.write(noteSince, "empty", "lab", now + 3);
    assert.equal(await store.write(noteSince, "empty", "lab", now + 4), false);
    assert.equal(await store.write(noteSince, "low", "lab", now + 3), true);
    assert.deepEqual(await store.write(lockAccount, "lab"), off);
    assert.deepEqual(await store.read(disabledAccounts), ["lab"]);
    assert.deepEqual(await store.read(keyByHash, "hash"), undefined);
    const noted = await store.read(prepaid, "lab");
    assert.deepEqual([noted?.emptySince, noted?.lowSince], [now + 3, now + 3]);
    const named = ["shop", "lab"].map((name) => store.read(accountNamed, name));
    assert.deepEqual(await Promise.all(named), ["lab", undefined]);

    await store.write(keepStanding, { ...off, limited: false, disabledAt: null });
    assert.equal(await store.read(isDisabled, "lab"), false);
    assert.equal(await store.read(prepaid, "lab"), null);
    await store.write(keepStanding, { ...off, disabledAt: null });
    const empty = await store.read(prepaid, "lab");
    assert.equal(empty?.emptySince, null, "who is limited anew has what he was given");
    assert.equal((await store.read(keyByHash, "hash"))?.id, "k");
    const all = await store.read(listAccounts);
    assert.deepEqual(
      all.map(({ id }) => id),
      ["account", "lab"],
    );
  });
}
