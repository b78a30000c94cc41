// The order of steps in a batch on SQLite, and what callers get when the database fails.

import assert from "node:assert/strict";
import { test } from "node:test";
import { GroupCommit } from "./group-commit.ts";
import { Notifier } from "./notifier.ts";
import { SqliteConnection } from "./sqlite/connection.ts";
import type { SqlTransactions } from "./sqlite/sql-transactions.ts";
import { change, needsNoSync, notify, notifyOne, rows as select, type Tx } from "./statement.ts";

class FakeConnection extends SqliteConnection {
  override toFault(error: unknown): unknown {
    return new Error(`refused: ${(error as Error).message}`);
  }
}

/** A connection that logs its steps and fails in those that it is given; faults say "refused". */
function fakeDatabase(fails: Partial<Record<keyof SqlTransactions, boolean>> = {}) {
  const log: string[] = [];
  const act =
    (name: keyof SqlTransactions, called: string = name) =>
    () => {
      log.push(called);
      if (fails[name]) throw new Error(`${name} failed`);
    };
  const db: SqlTransactions = {
    begin: act("begin"),
    commit: (durable) => {
      act("commit", durable ? "commit" : "commit unsynced")();
      return durable;
    },
    sync: (done) => {
      log.push("sync");
      setImmediate(() => done(fails.sync ? new Error("sync failed") : null));
    },
    rest: (done) => done(),
    durableQuery: () => null,
    rollback: act("rollback"),
    isFull: () => log.lastIndexOf("large") > log.lastIndexOf("begin"),
    mark: act("mark"),
    keep: act("keep"),
    rollbackToMark: () => {
      log.push("rollbackToMark");
      return !fails.rollbackToMark;
    },
    query: (sql) => {
      log.push(sql);
      if (sql === "bad") throw new Error("bad statement");
      return 1;
    },
  };
  const notifier = new Notifier();
  notifier.on("topic", () => log.push("notify"));
  const connection = new FakeConnection(db, () => {});
  return { log, notifier, db, connection, groupCommit: new GroupCommit(connection, notifier) };
}

function* runSql(sql: string): Tx<string> {
  yield* change(sql);
  yield* notify("topic");
  if (sql === "claim") yield* needsNoSync();
  return sql;
}

/** Runs calls in one batch and logs when each is answered. */
async function run(
  { log, groupCommit }: Pick<ReturnType<typeof fakeDatabase>, "log" | "groupCommit">,
  ...sqls: string[]
): Promise<string[]> {
  await Promise.all(
    sqls.map((sql) =>
      groupCommit.run(runSql as never, [sql] as never).then(
        (answer) => log.push(`answer ${answer}`),
        (error: Error) => log.push(error.message),
      ),
    ),
  );
  return log;
}

const rows: [
  name: string,
  fails: Parameters<typeof fakeDatabase>[0],
  sqls: string[],
  log: string[],
][] = [
  [
    "commit and sync come first, then notifications and answers",
    {},
    ["a", "b"],
    ["begin", "a", "b", "commit", "sync", "notify", "answer a", "answer b"],
  ],
  [
    "calls that need no sync wait for one only beside calls that do",
    {},
    ["a", "claim"],
    ["begin", "a", "claim", "commit", "sync", "notify", "answer a", "answer claim"],
  ],
  [
    "calls that need no sync are answered without one",
    {},
    ["claim", "claim"],
    ["begin", "claim", "claim", "commit unsynced", "notify", "answer claim", "answer claim"],
  ],
  [
    "if the sync fails, nothing is acknowledged and no listener notified",
    { sync: true },
    ["a", "b"],
    ["begin", "a", "b", "commit", "sync", "refused: sync failed", "refused: sync failed"],
  ],
  [
    "a failing call is rolled back alone, in a second transaction",
    {},
    ["a", "bad", "b"],
    [
      "begin",
      "a",
      "bad",
      "rollback",
      "begin",
      "mark",
      "a",
      "keep",
      "mark",
      "bad",
      "rollbackToMark",
      "mark",
      "b",
      "keep",
      "commit",
      "sync",
      "notify",
      "answer a",
      "refused: bad statement",
      "answer b",
    ],
  ],
  [
    "if begin fails, all calls are refused and no listener notified",
    { begin: true },
    ["a", "b"],
    ["begin", "rollback", "refused: begin failed", "refused: begin failed"],
  ],
  [
    "if the commit fails, nothing is acknowledged",
    { commit: true },
    ["a", "b"],
    ["begin", "a", "b", "commit", "rollback", "refused: commit failed", "refused: commit failed"],
  ],
  [
    "a failure that ends the whole transaction is reported to all calls",
    { rollbackToMark: true },
    ["a", "bad"],
    [
      "begin",
      "a",
      "bad",
      "rollback",
      "begin",
      "mark",
      "a",
      "keep",
      "mark",
      "bad",
      "rollbackToMark",
      "rollback",
      "refused: bad statement",
      "refused: bad statement",
    ],
  ],
];

for (const [name, fails, sqls, log] of rows) {
  test(name, async () => assert.deepEqual(await run(fakeDatabase(fails), ...sqls), log));
}

test("a listener notified of work claims it in the same batch, and its reads wait", async () => {
  const book = fakeDatabase();
  const { log, groupCommit, connection, notifier } = book;
  notifier.on("work", () => {
    void groupCommit.run(runSql as never, ["claim"] as never).then(() => log.push("claimed"));
    void connection.read(select("look"));
  });
  function* bring(): Tx<void> {
    yield* change("work");
    yield* notifyOne("work");
  }
  await groupCommit.run(bring as never, [] as never);
  await groupCommit.settle();
  assert.deepEqual(log, ["begin", "work", "claim", "commit", "sync", "look", "notify", "claimed"]);
});

test("a batch has up to 256 calls; the rest comes in the next", async () => {
  const book = fakeDatabase();
  await run(book, ...Array.from({ length: 300 }, (_, n) => `${n}`));
  assert.equal(book.log.filter((line) => line === "commit").length, 2);
});

test("calls without room in a transaction come first in the next", async () => {
  const book = fakeDatabase();
  await run(book, "a", "large", "b", "bad", "large", "c");
  const batches = book.log.join(" ").split("commit sync").slice(0, -1);
  assert.match(batches[0]!, /begin a large $/);
  assert.match(batches[1]!, /begin mark b keep mark bad rollbackToMark mark large keep $/);
  assert.match(batches[2]!, /begin c $/);
});

test("calls that arrive during a sync share the next one", async () => {
  const book = fakeDatabase();
  const first = run(book, "a");
  while (book.log.at(-1) !== "sync") await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([first, run(book, "b", "c")]);
  const batches = book.log.join(" ").split("begin").slice(1);
  assert.equal(batches.length, 2);
  assert.match(batches[1]!, /b c commit sync/);
});

test("a read is answered once all that it may have seen is durable", async () => {
  const book = fakeDatabase();
  const written = run(book, "a");
  while (book.log.at(-1) !== "sync") await new Promise((resolve) => setImmediate(resolve));
  await book.connection.read(select("look")).then(() => book.log.push("read"));
  await written;
  assert.deepEqual(book.log.slice(3), ["sync", "look", "notify", "answer a", "read"]);
});

test("a read during a sync is answered at once from the durable state before it, if that is held", async () => {
  const { groupCommit, connection, log, db } = fakeDatabase();
  db.durableQuery = () => (sql) => {
    log.push(`durable ${sql}`);
    return [];
  };
  const written = run({ log, groupCommit }, "a");
  while (log.at(-1) !== "sync") await new Promise((resolve) => setImmediate(resolve));
  await connection.read(select("look")).then(() => log.push("read"));
  await written;
  assert.deepEqual(log.slice(3), ["sync", "durable look", "read", "notify", "answer a"]);
});

test("while the database rests, callers have their answers and the next batch waits", async () => {
  const { groupCommit, connection, log, db } = fakeDatabase();
  let next = () => {};
  db.rest = (done) => {
    log.push("rest");
    next = done;
  };
  await run({ log, groupCommit }, "a");
  const second = run({ log, groupCommit }, "b");
  await connection.read(select("look"));
  await new Promise((resolve) => setImmediate(resolve));
  log.push("go on");
  next();
  await second;
  next();
  const expected = ["rest", "notify", "answer a", "look", "go on", "begin", "b", "commit", "sync"];
  assert.deepEqual(log.slice(4, 13).toSorted(), expected.toSorted());
  assert.ok(log.indexOf("answer a") < log.indexOf("go on"));
  assert.ok(log.lastIndexOf("begin") > log.indexOf("go on"));
});

test("after a failed sync nothing is read or written", async () => {
  const book = fakeDatabase({ sync: true });
  await run(book, "a");
  book.log.length = 0;
  await run(book, "b");
  await assert.rejects(book.connection.read(select("look")), /sync failed/);
  assert.deepEqual(book.log, ["refused: sync failed"]);
});

test("calls whose commit conflicts with other writers run again, and are refused in the end", async () => {
  const book = fakeDatabase({ commit: true });
  book.connection.isConflict = () => true;
  const log = await run(book, "a", "b");
  // Once together, and then one at a time.
  assert.equal(log.filter((line) => line === "commit").length, 8);
  assert.deepEqual(log.slice(-2), ["refused: commit failed", "refused: commit failed"]);
});

test("a conflict of a commit is over once the other writer has committed", async () => {
  const fails = { commit: true };
  const book = fakeDatabase(fails);
  let conflicts = 0;
  book.connection.isConflict = () => {
    fails.commit = ++conflicts < 3;
    return true;
  };
  const log = await run(book, "a", "b");
  assert.deepEqual(log.slice(-5), ["commit", "sync", "notify", "answer a", "answer b"]);
});
