// The order of things in a turn, and what happens when the database itself fails.

import assert from "node:assert/strict";
import { test } from "node:test";
import { change, needsNoSync, ring, ringOne, rows as select, type Verb } from "./statement.ts";
import type { Transactions } from "./transactions.ts";
import { Turns } from "./turn.ts";
import { Wakes } from "./wakes.ts";

/** A database that writes down what it is told, and fails where it is told to. */
function paper(fails: Partial<Record<keyof Transactions, boolean>> = {}) {
  const log: string[] = [];
  const act =
    (name: keyof Transactions, called: string = name) =>
    () => {
      log.push(called);
      if (fails[name]) throw new Error(`${name} failed`);
    };
  const db: Transactions = {
    begin: act("begin"),
    commit: (toSync) => {
      act("commit", toSync ? "commit" : "commit unsynced")();
      return toSync;
    },
    sync: (done) => {
      log.push("sync");
      setImmediate(() => done(fails.sync ? new Error("sync failed") : null));
    },
    rest: (done) => done(),
    durable: () => null,
    rollback: act("rollback"),
    full: () => log.lastIndexOf("large") > log.lastIndexOf("begin"),
    mark: act("mark"),
    keep: act("keep"),
    takeBack: () => {
      log.push("takeBack");
      return !fails.takeBack;
    },
    query: (sql) => {
      log.push(sql);
      if (sql === "bad") throw new Error("bad statement");
      return 1;
    },
  };
  const wakes = new Wakes();
  wakes.on("bell", () => log.push("wake"));
  const refuse = (error: unknown) => new Error(`refused: ${(error as Error).message}`);
  return { log, wakes, db, turns: new Turns(db, wakes, refuse) };
}

function* say(sql: string): Verb<string> {
  yield* change(sql);
  yield* ring("bell");
  if (sql === "claim") yield* needsNoSync();
  return sql;
}

/** Runs calls of one turn, and notes in the log when each is answered. */
async function run(
  { log, turns }: Pick<ReturnType<typeof paper>, "log" | "turns">,
  ...sqls: string[]
): Promise<string[]> {
  await Promise.all(
    sqls.map((sql) =>
      turns.run(say as never, [sql] as never).then(
        (answer) => log.push(`answer ${answer}`),
        (error: Error) => log.push(error.message),
      ),
    ),
  );
  return log;
}

const rows: [name: string, fails: Parameters<typeof paper>[0], sqls: string[], log: string[]][] = [
  [
    "commit and sync first, then the wake-ups and the answers",
    {},
    ["a", "b"],
    ["begin", "a", "b", "commit", "sync", "wake", "answer a", "answer b"],
  ],
  [
    "calls that need not be durable wait for a sync only beside others that must be",
    {},
    ["a", "claim"],
    ["begin", "a", "claim", "commit", "sync", "wake", "answer a", "answer claim"],
  ],
  [
    "by themselves they are answered at once",
    {},
    ["claim", "claim"],
    ["begin", "claim", "claim", "commit unsynced", "wake", "answer claim", "answer claim"],
  ],
  [
    "if it cannot sync, nothing is acknowledged and nobody is woken",
    { sync: true },
    ["a", "b"],
    ["begin", "a", "b", "commit", "sync", "refused: sync failed", "refused: sync failed"],
  ],
  [
    "a bad call is taken back by itself, in one more transaction",
    {},
    ["a", "bad", "b"],
    [
      ...["begin", "a", "bad", "rollback", "begin", "mark", "a", "keep"],
      ...["mark", "bad", "takeBack", "mark", "b", "keep", "commit", "sync"],
      ...["wake", "answer a", "refused: bad statement", "answer b"],
    ],
  ],
  [
    "if it cannot begin, all are refused at once, and nobody is woken",
    { begin: true },
    ["a", "b"],
    ["begin", "rollback", "refused: begin failed", "refused: begin failed"],
  ],
  [
    "if it cannot commit, nothing is acknowledged",
    { commit: true },
    ["a", "b"],
    ["begin", "a", "b", "commit", "rollback", "refused: commit failed", "refused: commit failed"],
  ],
  [
    "a failure that takes the whole transaction with it is told as what it was",
    { takeBack: true },
    ["a", "bad"],
    [
      ...["begin", "a", "bad", "rollback", "begin", "mark", "a", "keep", "mark", "bad"],
      ...["takeBack", "rollback", "refused: bad statement", "refused: bad statement"],
    ],
  ],
];

for (const [name, fails, sqls, log] of rows) {
  test(name, async () => assert.deepEqual(await run(paper(fails), ...sqls), log));
}

test("whoever is woken for work claims it in the turn that brought it, and can read nothing yet", async () => {
  const book = paper();
  const { log, turns, wakes } = book;
  wakes.on("work", () => {
    void turns.run(say as never, ["claim"] as never).then(() => log.push("claimed"));
    void turns.read(select("look"));
  });
  function* bring(): Verb<void> {
    yield* change("work");
    yield* ringOne("work");
  }
  await turns.run(bring as never, [] as never);
  await turns.settle();
  assert.deepEqual(log, ["begin", "work", "claim", "commit", "sync", "look", "wake", "claimed"]);
});

test("a turn is no longer than 256 calls; the rest comes in the next", async () => {
  const book = paper();
  await run(book, ...Array.from({ length: 300 }, (_, n) => `${n}`));
  assert.equal(book.log.filter((line) => line === "commit").length, 2);
});

test("what finds no room in a transaction comes first in the next", async () => {
  const book = paper();
  await run(book, "a", "large", "b", "bad", "large", "c");
  const turns = book.log.join(" ").split("commit sync").slice(0, -1);
  assert.match(turns[0]!, /begin a large $/);
  assert.match(turns[1]!, /begin mark b keep mark bad takeBack mark large keep $/);
  assert.match(turns[2]!, /begin c $/);
});

test("what arrives during a sync shares the next one", async () => {
  const book = paper();
  const first = run(book, "a");
  while (book.log.at(-1) !== "sync") await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([first, run(book, "b", "c")]);
  const turns = book.log.join(" ").split("begin").slice(1);
  assert.equal(turns.length, 2);
  assert.match(turns[1]!, /b c commit sync/);
});

test("what a read saw is durable before its caller sees it", async () => {
  const book = paper();
  const written = run(book, "a");
  while (book.log.at(-1) !== "sync") await new Promise((resolve) => setImmediate(resolve));
  await book.turns.read(select("look")).then(() => book.log.push("seen"));
  await written;
  assert.deepEqual(book.log.slice(3), ["sync", "look", "wake", "answer a", "seen"]);
});

test("a read during a sync is answered at once from what was durable before it, where that can be had", async () => {
  const { turns, log, db } = paper();
  db.durable = () => (sql) => {
    log.push(`durable ${sql}`);
    return [];
  };
  const written = run({ log, turns }, "a");
  while (log.at(-1) !== "sync") await new Promise((resolve) => setImmediate(resolve));
  await turns.read(select("look")).then(() => log.push("seen"));
  await written;
  assert.deepEqual(log.slice(3), ["sync", "durable look", "seen", "wake", "answer a"]);
});

test("while the database rests, whoever was served is answered and the next turn waits", async () => {
  const { turns, log, db } = paper();
  let next = () => {};
  db.rest = (done) => {
    log.push("rest");
    next = done;
  };
  await run({ log, turns }, "a");
  const second = run({ log, turns }, "b");
  await turns.read(select("look"));
  await new Promise((resolve) => setImmediate(resolve));
  log.push("go on");
  next();
  await second;
  next();
  const expected = ["rest", "wake", "answer a", "look", "go on", "begin", "b", "commit", "sync"];
  assert.deepEqual(log.slice(4, 13).toSorted(), expected.toSorted());
  assert.ok(log.indexOf("answer a") < log.indexOf("go on"));
  assert.ok(log.lastIndexOf("begin") > log.indexOf("go on"));
});

test("after a sync that failed nothing is read or written any more", async () => {
  const book = paper({ sync: true });
  await run(book, "a");
  book.log.length = 0;
  await run(book, "b");
  await assert.rejects(book.turns.read(select("look")), /sync failed/);
  assert.deepEqual(book.log, ["refused: sync failed"]);
});
