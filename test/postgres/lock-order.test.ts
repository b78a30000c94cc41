// The order of locks: what two replicas do at the same time to one member or to one address waits, and neither starts over
// because each holds what the other needs.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import pg from "pg";
import { type ApiKey, everything } from "../../src/domain/account.ts";
import type { Member } from "../../src/domain/member/member.ts";
import type { Role } from "../../src/domain/member/roles.ts";
import { insertAccount } from "../../src/store/account/account.ts";
import { insertKey } from "../../src/store/api-key/api-key.ts";
import { openPostgres } from "../../src/store/engine/postgres/open.ts";
import type { Store } from "../../src/store/engine/store.ts";
import { insertInvitation } from "../../src/store/invitation/invitation.ts";
import { findMember, insertMember } from "../../src/store/member/member.ts";
import { withFullAccess } from "../../src/transactions/api-key/with-full-access.ts";
import { acceptInvitation } from "../../src/transactions/invitation/accept.ts";
import { addInvitation } from "../../src/transactions/invitation/write.ts";
import { saveMemberChanges } from "../../src/transactions/member/change.ts";
import { removeOwnMember } from "../../src/transactions/member/remove.ts";
import { replaceFeed } from "../../src/transactions/reservation/feed.ts";
import { addSecret } from "../../src/transactions/secret/write.ts";
import { until } from "../fixtures/until.ts";
import { freshDatabase, missing } from "./database.ts";

const NOW = Date.UTC(2026, 0, 1);
/** Waits for a row; a commit that notifies waits for a lock too. */
const WAITING = `select 1 from pg_stat_activity
  where datname = current_database() and wait_event in ('transactionid', 'tuple')`;
const DEADLOCKS = "select deadlocks from pg_stat_database where datname = current_database()";

const member = (id: string): Member => ({
  id,
  accountId: "a",
  email: `${id}@example.org`,
  name: id,
  role: "admin",
  createdAt: NOW,
});

const keyOf = (id: string): ApiKey => ({
  id: `key of ${id}`,
  accountId: "a",
  name: id,
  hint: "",
  member: { id, name: id, role: "admin" },
  permissions: everything,
  createdAt: NOW,
  disabledAt: null,
});

const invitation = (id: string, email: string, memberId: string) => ({
  id,
  accountId: "a",
  email,
  role: "dev" as Role,
  memberId,
  createdAt: NOW,
  expiresAt: NOW + 1_000,
});

const acceptance = {
  memberId: "new",
  keyId: "key",
  now: NOW,
  name: null,
  address: "",
  password: null,
};

interface Scene {
  a: Store;
  b: Store;
  /** Runs calls while a row is locked: each begins once all before it wait. Returns their results. */
  behind(lock: string, ...calls: (() => Promise<unknown>)[]): Promise<unknown[]>;
  /** Closes the stores, whose sessions count until then. */
  deadlocks(): Promise<number>;
}

/** Two replicas, and two admins of one account. */
async function open(t: TestContext): Promise<Scene> {
  const url = await freshDatabase(t);
  const [a, b] = [await openPostgres(url), await openPostgres(url)];
  const other = new pg.Client(url);
  await other.connect();
  let isOpen = true;
  const close = async () => {
    if (isOpen) await Promise.all([a.close(), b.close()]);
    isOpen = false;
  };
  t.after(async () => {
    await close();
    await other.end();
  });
  await a.write(insertAccount, { id: "a", name: "a", webhookSecret: null, createdAt: NOW });
  for (const id of ["ada", "bob"]) await a.write(insertMember, member(id));
  return {
    a,
    b,
    async behind(lock, ...calls) {
      await other.query(`begin; ${lock}`);
      const results: Promise<unknown>[] = [];
      for (const call of calls) {
        results.push(call());
        await until(async () => (await other.query(WAITING)).rowCount === results.length);
      }
      await other.query("rollback");
      return (await Promise.allSettled(results)).map((each) =>
        each.status === "fulfilled" ? each.value : each.reason,
      );
    },
    async deadlocks() {
      await close();
      return Number((await other.query(DEADLOCKS)).rows[0].deadlocks);
    },
  };
}

const ACCOUNT = "select 1 from account where id = 'a' for no key update";

const removeAda = (store: Store) => () =>
  store.write(removeOwnMember, { accountId: "a", id: "ada", by: undefined }, NOW);

const byAda: [name: string, create: (store: Store) => Promise<unknown>][] = [
  [
    "a secret",
    (store) => {
      const owner = { id: "ada", name: "ada" };
      const secret = { id: "s", accountId: "a", owner, name: "s", value: "", description: "" };
      const times = { createdAt: NOW, changedAt: NOW, valueChangedAt: NOW };
      return store.write(addSecret, { ...secret, labels: {}, ...times });
    },
  ],
  [
    "a feed of reservations",
    (store) => {
      const owner = { id: "ada", name: "ada" };
      return store.write(replaceFeed, { accountId: "a", owner, createdAt: NOW }, "hash");
    },
  ],
  [
    "an invitation",
    (store) => store.write(addInvitation, invitation("i", "eve@example.org", "ada"), "hash"),
  ],
];

for (const [name, create] of byAda) {
  test(`${name} of a member waits for its removal, or the removal for it`, {
    skip: missing,
  }, async (t) => {
    const { a, b, behind, deadlocks } = await open(t);
    const [removed, created] = await behind(ACCOUNT, removeAda(a), () => create(b));
    assert.equal((removed as Member).id, "ada");
    assert.match(String(created), /key|token/, "refused as a caller without a valid key");
    assert.equal(await a.read(findMember, "ada", "a"), undefined);
    assert.equal(await deadlocks(), 0);
  });
}

test("two admins who change each other, and one who invites meanwhile, wait for one another", {
  skip: missing,
}, async (t) => {
  const { a, b, behind, deadlocks } = await open(t);
  for (const id of ["ada", "bob"]) await a.write(insertKey, keyOf(id), hashOf(id));
  const change = (store: Store, by: string, id: string) => {
    const save = () => saveMemberChanges("a", id, { name: `named by ${by}` });
    return () => store.write(withFullAccess<Member>, keyOf(by), save, id);
  };
  const inviteBy =
    (store: Store, by: string, id = "i") =>
    () =>
      store.write(withFullAccess<unknown>, keyOf(by), () =>
        addInvitation(invitation(id, `${id}@example.org`, by), hashOf(id)),
      );
  const ADA = "select 1 from member where id = 'ada' for update";
  const [bob, ada] = await behind(ADA, change(a, "ada", "bob"), change(b, "bob", "ada"));
  assert.deepEqual([(bob as Member).name, (ada as Member).name], ["named by ada", "named by bob"]);
  const [own, created] = await behind(ADA, change(a, "ada", "ada"), inviteBy(b, "ada"));
  assert.deepEqual([(own as Member).name, (created as { id: string }).id], ["named by ada", "i"]);
  const [first, second] = await behind(ACCOUNT, inviteBy(a, "ada", "i1"), inviteBy(b, "ada", "i2"));
  assert.deepEqual(
    [first, second].map((each) => (each as { id: string }).id),
    ["i1", "i2"],
  );
  assert.equal(await deadlocks(), 0);
});

test("an invitation is accepted while its maker loses the role to invite", {
  skip: missing,
}, async (t) => {
  const { a, b, behind, deadlocks } = await open(t);
  for (const id of ["i1", "i2"]) {
    await a.write(insertInvitation, invitation(id, "eve@example.org", "bob"), hashOf(id));
  }
  const first = "select 1 from invitation where id = 'i1' for update";
  const [changed, accepted] = await behind(
    first,
    () => a.write(saveMemberChanges, "a", "bob", { role: "dev" }),
    () => b.write(acceptInvitation, hashOf("i2"), acceptance, "secret"),
  );
  assert.equal((changed as Member).role, "dev");
  assert.equal((accepted as { code?: string }).code, "invitation_over");
  assert.equal(await deadlocks(), 0);
});

const hashOf = (id: string) => `hash of ${id}`;
