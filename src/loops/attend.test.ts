// Which machines a replica attends, and whether one it lets go of is a machine still, on a real store.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import pino from "pino";
import type { RemoteMachine } from "../domain/machine/remote.ts";
import { rhythmOf } from "../domain/replica/rhythm.ts";
import { openSqlite } from "../store/dialect/sqlite/open.ts";
import {
  changeRemote,
  deleteRemote,
  findRemote,
  insertRemote,
} from "../store/replica/remote-machine.ts";
import { attendLoop } from "./attend.ts";

const remote = (id: string): RemoteMachine => {
  const offer = { declared: {}, virtualGpus: {}, gpus: {}, publicIp: null };
  const unseen = { hostKey: null, wayBackPort: null, trouble: null };
  return { id, name: id, address: `ssh://me@${id}`, secrets: "s", offer, addedAt: 1, ...unseen };
};

async function attending(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-attend-"));
  const store = await openSqlite(path.join(folder, "freehold.db"));
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  /** "begin m", "end m", "removed m": in order. */
  const told: string[] = [];
  const lost = new Set<string>();
  const loop = attendLoop({
    ...{ store, log: pino({ level: "silent" }), rhythm: rhythmOf(1_000) },
    duties: { mine: async (name) => !lost.has(name) },
    async attend({ id, secrets }) {
      if (secrets === "unreadable") throw new Error("its secrets cannot be opened");
      told.push(`begin ${id}`);
      return async (removed) => void told.push(`${removed ? "removed" : "end"} ${id}`);
    },
  });
  const turn = async () => {
    await loop.turn();
    await new Promise(setImmediate); // what was let go of is over
    return told.splice(0);
  };
  return { store, loop, lost, turn, told };
}

test("a machine is attended while its duty is held, and anew once it was changed", async (t) => {
  const { store, lost, turn, loop, told } = await attending(t);
  for (const id of ["a", "b"]) await store.write(insertRemote, remote(id));
  assert.deepEqual(await turn(), ["begin a", "begin b"]);
  assert.deepEqual(await turn(), []);
  lost.add("machine:a");
  assert.deepEqual(await turn(), ["end a"]);
  lost.clear();
  const { offer } = remote("b");
  await store.write(changeRemote, { id: "b", name: "b", secrets: "other", offer });
  assert.deepEqual(await turn(), ["end b", "begin a"]);
  assert.deepEqual(await turn(), ["begin b"]);
  await loop.finish!();
  assert.deepEqual(told, ["end a", "end b"]);
});

test("only one that is no machine any more is said to be removed", async (t) => {
  const { store, lost, turn } = await attending(t);
  for (const id of ["a", "b"]) await store.write(insertRemote, remote(id));
  await turn();
  await store.write(deleteRemote, "a");
  lost.add("machine:b");
  assert.deepEqual(await turn(), ["removed a", "end b"]);
});

test("one that cannot be opened says why, and keeps nobody from the others", async (t) => {
  const { store, turn } = await attending(t);
  await store.write(insertRemote, { ...remote("a"), secrets: "unreadable" });
  await store.write(insertRemote, remote("b"));
  assert.deepEqual(await turn(), ["begin b"]);
  assert.equal((await store.read(findRemote, "a"))?.trouble, "its secrets cannot be opened");
});
