// People of an account: their keys hang on them, and what invites them works once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { everything } from "../../domain/account.ts";
import { insertKey, keyByHash, lockKey, revokeKeysOf } from "../account/account.ts";
import {
  dropInvitation,
  forgetInvitations,
  insertInvitation,
  listInvitations,
  takeInvitation,
} from "../member/invitation.ts";
import {
  changeMember,
  findMember,
  insertMember,
  listMembers,
  lockMember,
  lockMemberAt,
  removeMember,
} from "../member/member.ts";
import { type OpenStore, Stage } from "./stage.ts";

export function memberLaws(open: OpenStore): void {
  test("a member's keys have his role, at every moment, and end with him", async (t) => {
    const { store, now } = await Stage.set(open, t);
    const at = { accountId: "account", createdAt: now };
    const ada = { ...at, id: "ada", email: "ada@example.org", name: "Ada", role: "dev" as const };
    await store.write(insertMember, ada);
    const member = { id: "ada", role: "dev" as const };
    const key = { ...at, id: "k", name: "k", hint: "k", member, permissions: everything };
    await store.write(insertKey, { ...key, disabledAt: null }, "hash");
    assert.deepEqual((await store.read(keyByHash, "hash"))?.member, member);
    await store.write(changeMember, { ...ada, role: "basic" });
    assert.equal((await store.read(keyByHash, "hash"))?.member?.role, "basic");
    assert.equal((await store.write(lockKey, "k", "account"))?.member?.role, "basic");
    assert.equal((await store.write(lockMember, "ada", "account"))?.role, "basic");
    assert.equal((await store.write(lockMemberAt, ada.email, "account"))?.id, "ada");
    assert.equal(await store.read(findMember, "ada", "other"), undefined);
    await store.write(removeMember, ada, now);
    await store.write(revokeKeysOf, "ada", now);
    assert.equal(await store.read(keyByHash, "hash"), undefined);
    assert.deepEqual(await store.read(listMembers, "account"), []);
    await store.write(insertMember, { ...ada, id: "again" });
    assert.equal((await store.read(findMember, "again", "account"))?.email, ada.email);
  });

  test("an invitation is taken by one, and by nobody when it is over", async (t) => {
    const { store, now } = await Stage.set(open, t);
    const invitation = (id: string, expiresAt: number) => {
      const whom = { email: "a@b", role: "dev" as const, createdAt: now };
      return { id, accountId: "account", ...whom, expiresAt };
    };
    for (const id of ["a", "b"]) await store.write(insertInvitation, invitation(id, now + 9), id);
    await store.write(insertInvitation, invitation("late", now), "late");
    const listed = await store.read(listInvitations, "account", now);
    assert.deepEqual(
      listed.map(({ id }) => id),
      ["a", "b"],
    );
    const both = [1, 2].map(() => store.write(takeInvitation, "a", now));
    const taken = (await Promise.all(both)).filter((each) => each !== undefined);
    assert.deepEqual(taken, [invitation("a", now + 9)]);
    assert.equal(await store.write(takeInvitation, "late", now), undefined);
    assert.equal(await store.write(dropInvitation, "b", "other"), false);
    assert.equal(await store.write(dropInvitation, "b", "account"), true);
    await store.write(forgetInvitations, now);
    assert.deepEqual(await store.read(listInvitations, "account", now - 1), []);
  });
}
