// Laws of sessions: each shows its key as long as that opens anything, and is forgotten in time.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type ApiKey, everything } from "../../domain/account.ts";
import { changeKey, insertKey, revokeKey } from "../account/account.ts";
import {
  deleteSession,
  forgetSessions,
  insertSession,
  listSessions,
  sessionByHash,
} from "../session/session.ts";
import { type OpenStore, Stage } from "./stage.ts";

const HOUR_MS = 3_600_000;

export function sessionLaws(open: OpenStore): void {
  const set = async (t: Parameters<OpenStore>[0]) => {
    const { store, now } = await Stage.set(open, t);
    const key: ApiKey = {
      ...{ id: "k", accountId: "account", name: "key", hint: "1234" },
      ...{ permissions: everything, createdAt: now, disabledAt: null, member: null },
    };
    await store.write(insertKey, key, "hash of the key");
    const session = (id: string, createdAt = now) => {
      const expiresAt = createdAt + HOUR_MS;
      return { id, accountId: "account", keyId: "k", agent: "a", createdAt, expiresAt };
    };
    return { store, now, key, session };
  };

  test("a session shows its key until it is deleted, the latest first", async (t) => {
    const { store, now, key, session } = await set(t);
    await store.write(insertSession, session("a"), "hash a");
    await store.write(insertSession, session("b", now + 1), "hash b");
    const found = await store.read(sessionByHash, "hash a");
    assert.deepEqual(found, { session: session("a"), key: { ...key, lastUsedAt: null } });
    const ids = async () => {
      const all = await store.read(listSessions, "account", now);
      return all.map((each) => each.session.id);
    };
    assert.deepEqual(await ids(), ["b", "a"]);
    assert.deepEqual(await store.read(listSessions, "other", now), []);
    await store.write(deleteSession, session("b", now + 1));
    assert.deepEqual(await ids(), ["a"]);
    assert.equal(await store.read(sessionByHash, "hash b"), undefined);
  });

  test("without its key it opens nothing", async (t) => {
    const { store, now, key, session } = await set(t);
    await store.write(insertSession, session("a"), "hash a");
    await store.write(changeKey, { ...key, disabledAt: now });
    assert.equal(await store.read(sessionByHash, "hash a"), undefined);
    await store.write(changeKey, key);
    assert.ok(await store.read(sessionByHash, "hash a"));
    await store.write(revokeKey, key.id, "account", now);
    assert.equal(await store.read(sessionByHash, "hash a"), undefined);
    assert.deepEqual(await store.read(listSessions, "account", now), []);
  });

  test("what is over is listed no more, and forgotten", async (t) => {
    const { store, now, session } = await set(t);
    await store.write(insertSession, session("a"), "hash a");
    assert.deepEqual(await store.read(listSessions, "account", now + HOUR_MS), []);
    await store.write(forgetSessions, now + HOUR_MS);
    assert.ok(await store.read(sessionByHash, "hash a"));
    await store.write(forgetSessions, now + HOUR_MS + 1);
    assert.equal(await store.read(sessionByHash, "hash a"), undefined);
  });
}
