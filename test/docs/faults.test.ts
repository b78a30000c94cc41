// The table of docs/faults.md equals the catalog of troubles.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { troubles } from "../../src/domain/trouble/catalog.ts";

test("docs/faults.md lists the catalog", () => {
  const page = readFileSync(path.join(import.meta.dirname, "../../docs/faults.md"), "utf8");
  const [, table] = /\| name \| strikes .*\n\| [-| ]+\n((?:\|.*\n)+)/.exec(page)!;
  const rows = Object.entries(troubles).map(([name, { seam, sentence, incident }]) => {
    const report = incident ? `[report](${incident}) ` : "";
    return `| \`${name}\` | ${seam}s | ${sentence} | ${report}|\n`;
  });
  assert.equal(table, rows.join(""));
});
