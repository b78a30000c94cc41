// The machines that a replica manages, and whether a released one was removed, on a real store.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import pino from "pino";
import type { RemoteMachine } from "../../domain/machine/remote.ts";
import { heartbeatTimingOf } from "../../domain/replica/heartbeat-timing.ts";
import { openSqlite } from "../../store/engine/sqlite/open.ts";
import {
  changeRemote,
  deleteRemote,
  findRemote,
  insertRemote,
} from "../../store/remote-machine/remote-machine.ts";
import { manageLoop } from "./manage-machines.ts";

const remote = (id: string): RemoteMachine => {
  const offer = { declared: {}, simulatedGpus: {}, gpus: {}, publicIp: null };
  const unseen = { hostKey: null, wayBackPort: null, trouble: null };
  return { id, name: id, address: `ssh://me@${id}`, secrets: "s", offer, addedAt: 1, ...unseen };
};

async function managing(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-manage-"));
  const store = await openSqlite(path.join(folder, "freehold.db"));
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  /** "begin m", "end m", "removed m": in order. */
  const calls: string[] = [];
  const lost = new Set<string>();
  const loop = manageLoop({
    store,
    log: pino({ level: "silent" }),
    heartbeatTiming: heartbeatTimingOf(1_000),
    leaderships: { mine: async (name) => !lost.has(name) },
    async manage({ id, secrets }) {
      if (secrets === "unreadable") throw new Error("its secrets cannot be opened");
      calls.push(`begin ${id}`);
      return async (removed) => void calls.push(`${removed ? "removed" : "end"} ${id}`);
    },
  });
  const pass = async () => {
    await loop.run();
    await new Promise(setImmediate); // released machines have ended
    return calls.splice(0);
  };
  return { store, loop, lost, pass, calls };
}

test("a machine is managed while its leadership is held, and anew after a change", async (t) => {
  const { store, lost, pass, loop, calls } = await managing(t);
  for (const id of ["a", "b"]) await store.write(insertRemote, remote(id));
  assert.deepEqual(await pass(), ["begin a", "begin b"]);
  assert.deepEqual(await pass(), []);
  lost.add("machine:a");
  assert.deepEqual(await pass(), ["end a"]);
  lost.clear();
  const { offer } = remote("b");
  await store.write(changeRemote, { id: "b", name: "b", secrets: "other", offer });
  assert.deepEqual(await pass(), ["end b", "begin a"]);
  assert.deepEqual(await pass(), ["begin b"]);
  await loop.finish!();
  assert.deepEqual(calls, ["end a", "end b"]);
});

test("only a deleted machine is reported as removed", async (t) => {
  const { store, lost, pass } = await managing(t);
  for (const id of ["a", "b"]) await store.write(insertRemote, remote(id));
  await pass();
  await store.write(deleteRemote, "a");
  lost.add("machine:b");
  assert.deepEqual(await pass(), ["removed a", "end b"]);
});

test("a machine that cannot be opened says why, and does not block the others", async (t) => {
  const { store, pass } = await managing(t);
  await store.write(insertRemote, { ...remote("a"), secrets: "unreadable" });
  await store.write(insertRemote, remote("b"));
  assert.deepEqual(await pass(), ["begin b"]);
  assert.equal((await store.read(findRemote, "a"))?.trouble, "its secrets cannot be opened");
});
