// The match of a data folder and a store, as a table.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Match, matchInstallation } from "./installation.ts";

type Row = [
  name: string,
  folder: [installation: string | null, machine: string | null],
  store: [installation: string | null, isEmpty: boolean],
  expected: Match,
];

const rows: Row[] = [
  ["the first start of all", [null, null], [null, true], { is: "new" }],
  ["a first start that was cut off early", [null, null], ["a", true], joining("a")],
  ["a store that was seeded before the first start", [null, null], [null, false], { is: "new" }],
  ["a further replica", [null, null], ["a", false], joining("a")],
  ["a restored store in a new folder", [null, null], ["a", false], joining("a")],
  ["every later start", ["a", "m"], ["a", false], { is: "same", installation: "a" }],
  ["a start cut off before the machine's id", ["a", null], ["a", true], same("a")],
  ["the database is missing", ["a", "m"], [null, true], { is: "empty store" }],
  ["another database without an id", ["a", "m"], [null, false], { is: "empty store" }],
  ["the folder's id and the database are missing", [null, "m"], [null, true], empty()],
  ["a folder from before ids, with its store", [null, "m"], [null, false], { is: "new" }],
  ["another installation's database", ["a", "m"], ["b", false], other("b")],
  ["another installation's database, without rows", ["a", "m"], ["b", true], other("b")],
];

function joining(installation: string): Match {
  return { is: "joining", installation };
}
function same(installation: string): Match {
  return { is: "same", installation };
}
function other(installation: string): Match {
  return { is: "other store", installation };
}
function empty(): Match {
  return { is: "empty store" };
}

for (const [name, [installation, machine], store, expected] of rows) {
  test(name, () => {
    const match = matchInstallation(
      { installation, machine },
      { installation: store[0], isEmpty: store[1] },
    );
    assert.deepEqual(match, expected);
  });
}
