// An account's members with their keys, and its invitations.

import assert from "node:assert/strict";
import { test } from "node:test";
import { everything } from "../../../../src/domain/account.ts";
import {
  insertKey,
  keyByHash,
  lockKey,
  revokeKeysOf,
} from "../../../../src/store/api-key/api-key.ts";
import {
  deleteInvitation,
  deleteInvitationsBy,
  deleteInvitationsTo,
  findInvitation,
  forgetInvitations,
  insertInvitation,
  listInvitations,
} from "../../../../src/store/invitation/invitation.ts";
import {
  changeMember,
  findMember,
  insertMember,
  listMembers,
  lockMember,
  lockMemberAt,
  removeMember,
} from "../../../../src/store/member/member.ts";
import { findSshKey, insertSshKey, listSshKeys } from "../../../../src/store/ssh-key/ssh-key.ts";
import { Fixture, type OpenStore } from "../fixture.ts";

export function memberConformance(open: OpenStore): void {
  test("a member's keys have the member's role, and are revoked with the member", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    const at = { accountId: "account", createdAt: now };
    const ada = { ...at, id: "ada", email: "ada@example.org", name: "Ada", role: "dev" as const };
    await store.write(insertMember, ada);
    const member = { id: "ada", name: "Ada", role: "dev" as const };
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
    // A request that was under way during the removal.
    const sshKey = { id: "late", accountId: "account", member, name: "late", createdAt: now };
    const publicKey = { publicKey: "ssh-ed25519 A", fingerprint: "A", labels: {} };
    await store.write(insertSshKey, { ...sshKey, ...publicKey });
    assert.deepEqual(await store.read(listSshKeys, "account"), []);
    assert.equal(await store.read(findSshKey, "late"), undefined);
    await store.write(insertMember, { ...ada, id: "again" });
    assert.equal((await store.read(findMember, "again", "account"))?.email, ada.email);
  });

  test("an invitation is found until it expires, and deleted by its id, its address and its author", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    const invitation = (id: string, expiresAt: number, memberId: string | null = null) => {
      const invited = { email: "a@b", role: "dev" as const, createdAt: now };
      return { id, accountId: "account", ...invited, expiresAt, memberId };
    };
    for (const id of ["a", "b"]) await store.write(insertInvitation, invitation(id, now + 9), id);
    await store.write(insertInvitation, invitation("late", now), "late");
    const listed = await store.read(listInvitations, "account", now);
    assert.deepEqual(
      listed.map(({ id }) => id),
      ["a", "b"],
    );
    assert.deepEqual(await store.read(findInvitation, "a", now), invitation("a", now + 9));
    assert.equal(await store.read(findInvitation, "late", now), undefined);
    const both = [1, 2].map(() => store.write(deleteInvitation, "a", "account"));
    assert.deepEqual((await Promise.all(both)).toSorted(), [false, true]);
    assert.equal(await store.write(deleteInvitation, "b", "other"), false);
    assert.equal(await store.write(deleteInvitation, "b", "account"), true);
    await store.write(insertInvitation, invitation("c", now + 9, "ada"), "c");
    await store.write(deleteInvitationsBy, "ada", "other");
    await store.write(deleteInvitationsTo, "c@d", "account");
    assert.equal((await store.read(findInvitation, "c", now))?.memberId, "ada");
    await store.write(deleteInvitationsBy, "ada", "account");
    assert.equal(await store.read(findInvitation, "c", now), undefined);
    await store.write(forgetInvitations, now);
    assert.deepEqual(await store.read(listInvitations, "account", now - 1), []);
  });
}
