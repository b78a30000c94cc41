// The audit log: its filters, its order and its retention.

import assert from "node:assert/strict";
import { test } from "node:test";
import { everything } from "../../../../src/domain/account.ts";
import type { AuditEntry } from "../../../../src/domain/audit/entry.ts";
import { insertKey } from "../../../../src/store/api-key/api-key.ts";
import {
  type AuditFilter,
  appendEntry,
  forgetEntries,
  listEntries,
} from "../../../../src/store/audit/audit.ts";
import { insertMember } from "../../../../src/store/member/member.ts";
import { Fixture, type OpenStore } from "../fixture.ts";

const all: AuditFilter = {
  accountId: "account",
  since: null,
  until: null,
  keyId: null,
  memberId: null,
  actor: null,
  operation: null,
  resourceType: null,
  resourceId: null,
  outcome: null,
  before: null,
  limit: 10,
};

export function auditConformance(open: OpenStore): void {
  test("entries are filtered by actor, operation, resource and time, and paged", async (t) => {
    const { store, now } = await Fixture.set(open, t);
    const at = { accountId: "account", createdAt: now };
    const ada = { ...at, id: "ada", email: "ada@example.org", name: "Ada", role: "dev" as const };
    await store.write(insertMember, ada);
    const member = { id: "ada", name: "Ada", role: "dev" as const };
    const key = { ...at, id: "k", name: "key", hint: "k", member, permissions: everything };
    await store.write(insertKey, { ...key, disabledAt: null }, "hash");
    const entry = (n: number, more: Partial<AuditEntry>): AuditEntry => ({
      accountId: "account",
      at: now + n,
      actor: { kind: "key", keyId: "k" },
      via: "rest",
      operation: "createPod",
      resourceType: "pod",
      resourceId: "p",
      outcome: "done",
      detail: "",
      address: "10.0.0.1",
      ...more,
    });
    const entries = [
      entry(0, {}),
      entry(1, { actor: { kind: "pod", podId: "p" }, operation: "stopPod", outcome: "refused" }),
      entry(2, { actor: { kind: "system" }, via: "system", resourceId: "q" }),
      entry(3, { accountId: "other" }),
    ];
    for (const each of entries) await store.write(appendEntry, each);
    const read = async (filter: Partial<AuditFilter>) =>
      (await store.read(listEntries, { ...all, ...filter })).map((each) => each.at - now);
    assert.deepEqual(await read({}), [2, 1, 0]);
    assert.deepEqual(await read({ memberId: "ada" }), [0]);
    assert.deepEqual(await read({ keyId: "k", resourceId: "p" }), [0]);
    assert.deepEqual(await read({ operation: "stopPod", resourceType: "pod" }), [1]);
    assert.deepEqual(await read({ operation: "stop*" }), [1]);
    assert.deepEqual(await read({ operation: "*" }), [2, 1, 0]);
    assert.deepEqual(await read({ actor: "member" }), [0]);
    assert.deepEqual(await read({ actor: "key" }), []);
    assert.deepEqual(await read({ actor: "pod" }), [1]);
    assert.deepEqual(await read({ actor: "system" }), [2]);
    assert.deepEqual(await read({ outcome: "done" }), [2, 0]);
    assert.deepEqual(await read({ since: now + 1, until: now + 2 }), [1]);
    const [newest] = await store.read(listEntries, { ...all, limit: 1 });
    assert.deepEqual(await read({ before: newest!.seq }), [1, 0]);
    const [first] = await store.read(listEntries, { ...all, keyId: "k" });
    const { seq: _, ...entryRead } = first!;
    const owner = { keyName: "key", member: { id: "ada", email: "ada@example.org" } };
    assert.deepEqual(entryRead, { ...entries[0], ...owner });
    assert.equal(await store.write(forgetEntries, now + 2, 1), 1);
    assert.equal(await store.write(forgetEntries, now + 2, 9), 1);
    assert.deepEqual(await read({}), [2]);
  });
}
