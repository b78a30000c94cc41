// Sessions: each has its key as long as the key is active, and is deleted after it expires.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type ApiKey, everything } from "../../../../src/domain/account.ts";
import { changeKey, insertKey, revokeKey } from "../../../../src/store/api-key/api-key.ts";
import {
  deleteSession,
  forgetSessions,
  insertSession,
} from "../../../../src/store/session/session.ts";
import { findKeyedSession, listKeyedSessions } from "../../../../src/transactions/session/find.ts";
import { Fixture, type OpenStore } from "../fixture.ts";

const HOUR_MS = 3_600_000;

export function sessionConformance(open: OpenStore): void {
  const set = async (t: Parameters<OpenStore>[0]) => {
    const { store, now } = await Fixture.set(open, t);
    const key: ApiKey = {
      id: "k",
      accountId: "account",
      name: "key",
      hint: "1234",
      permissions: everything,
      createdAt: now,
      disabledAt: null,
      member: null,
    };
    await store.write(insertKey, key, "hash of the key");
    const session = (id: string, createdAt = now) => {
      const expiresAt = createdAt + HOUR_MS;
      return {
        id,
        accountId: "account",
        keyId: "k",
        agent: "a",
        address: "::1",
        createdAt,
        expiresAt,
      };
    };
    return { store, now, key, session };
  };

  test("a session has its key until it is deleted; the latest is listed first", async (t) => {
    const { store, now, key, session } = await set(t);
    await store.write(insertSession, session("a"), "hash a");
    await store.write(insertSession, session("b", now + 1), "hash b");
    const found = await store.read(findKeyedSession, "hash a");
    const listed = { ...key, labels: {}, lastUsedAt: null };
    assert.deepEqual(found, { session: session("a"), key: listed });
    const ids = async () => {
      const all = await store.read(listKeyedSessions, "account", now);
      return all.map((each) => each.session.id);
    };
    assert.deepEqual(await ids(), ["b", "a"]);
    assert.deepEqual(await store.read(listKeyedSessions, "other", now), []);
    await store.write(deleteSession, session("b", now + 1));
    assert.deepEqual(await ids(), ["a"]);
    assert.equal(await store.read(findKeyedSession, "hash b"), undefined);
  });

  test("a session without an active key is not found", async (t) => {
    const { store, now, key, session } = await set(t);
    await store.write(insertSession, session("a"), "hash a");
    await store.write(changeKey, { ...key, labels: {}, disabledAt: now });
    assert.equal(await store.read(findKeyedSession, "hash a"), undefined);
    await store.write(changeKey, { ...key, labels: {} });
    assert.ok(await store.read(findKeyedSession, "hash a"));
    await store.write(revokeKey, key.id, "account", now);
    assert.equal(await store.read(findKeyedSession, "hash a"), undefined);
    assert.deepEqual(await store.read(listKeyedSessions, "account", now), []);
  });

  test("an expired session is not listed, and is deleted later", async (t) => {
    const { store, now, session } = await set(t);
    await store.write(insertSession, session("a"), "hash a");
    assert.deepEqual(await store.read(listKeyedSessions, "account", now + HOUR_MS), []);
    await store.write(forgetSessions, now + HOUR_MS);
    assert.ok(await store.read(findKeyedSession, "hash a"));
    await store.write(forgetSessions, now + HOUR_MS + 1);
    assert.equal(await store.read(findKeyedSession, "hash a"), undefined);
  });
}
