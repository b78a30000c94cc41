import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { sqliteTransactions } from "./transactions.ts";

test("a statement with a limit and a pattern as parameters is planned once", (t) => {
  const db = new DatabaseSync(":memory:");
  t.after(() => db.close());
  db.exec("create table word (text text); insert into word values ('one'), ('only'), ('two')");
  const { query } = sqliteTransactions(db, {
    beforeCommit: () => {},
    sync: (_, done) => done(null),
    rest: (done) => done(),
    durableQuery: () => null,
  });
  let planned = 0;
  // Asked for each table and column of a plan.
  db.setAuthorizer(() => {
    planned++;
    return 0;
  });
  const first = (limit: number, pattern: string) => {
    const sql = "select text from word where text like ? order by text limit ?";
    return query(sql, [pattern, limit], true) as unknown[];
  };
  assert.equal(first(1, "o%").length, 1);
  assert.notEqual(planned, 0);
  planned = 0;
  assert.equal(first(2, "o%").length, 2);
  assert.equal(first(2, "t%").length, 1);
  assert.equal(planned, 0);
});
