// The table of errors in docs/s3.md is the one in the code.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { s3Errors } from "../../src/domain/s3/s3-error.ts";

test("docs/s3.md lists every error of the S3 interface", () => {
  const page = readFileSync(path.join(import.meta.dirname, "../../docs/s3.md"), "utf8");
  const rows = Object.entries(s3Errors).map(
    ([code, { status, sentence }]) => `| \`${code}\` | ${status} | ${sentence} |`,
  );
  const [, table = ""] = page.split("| --- | --- | --- |\n");
  assert.deepEqual(table.trim().split("\n"), rows);
});
