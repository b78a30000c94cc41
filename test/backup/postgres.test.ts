// Tests of backup and restore with PostgreSQL's own programs, as docs/backup.md describes them.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { freehold } from "../cli/command.ts";
import { emptyDatabase, missing } from "../postgres/database.ts";
import { findPrograms } from "../postgres/server.ts";
import { checkCopy, fillService } from "./full-service.ts";

const page = readFileSync(path.join(import.meta.dirname, "../../docs/backup.md"), "utf8");

/** Runs a command of the page, with PostgreSQL's programs on the path. */
function run(start: string, cwd: string, env: Record<string, string>): void {
  const command = page.split("\n").find((line) => line.startsWith(start));
  assert.ok(command, `docs/backup.md has no command ${start}`);
  const paths = { PATH: `${findPrograms()}:${process.env.PATH}` };
  execFileSync("sh", ["-c", command], { cwd, env: { ...process.env, ...paths, ...env } });
}

test("a dump of a running service can be restored elsewhere", { skip: missing }, async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-dump-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const used = { FREEHOLD_DATABASE_URL: await emptyDatabase(t) };
  const other = { FREEHOLD_DATABASE_URL: await emptyDatabase(t) };
  await t.test("on the dumped and restored databases", async (inner) => {
    const full = await fillService(inner, used);
    run("pg_dump ", folder, used);
    await full.service.stop();
    run("pg_restore ", folder, other);
    const data = path.join(folder, "data");
    mkdirSync(data, { mode: 0o700 });
    copyFileSync(path.join(full.service.dataFolder, "secret.key"), path.join(data, "secret.key"));
    await checkCopy(inner, full, data, other);
  });
});

for (const [command, instead] of [
  ["backup", /in PostgreSQL .*: use pg_dump --format=custom, as docs\/backup\.md/],
  ["restore", /in PostgreSQL .*: use pg_restore --clean/],
] as const) {
  test(`freehold ${command} names the command to use instead`, async () => {
    const config = mkdtempSync(path.join(tmpdir(), "freehold-config-"));
    const file = path.join(config, "freehold.json");
    writeFileSync(file, '{"databaseUrl":"postgres://user:a-secret@127.0.0.1:1/x"}');
    const { code, stderr } = await freehold([command, "file", "--config", file]);
    rmSync(config, { recursive: true });
    assert.equal(code, 1);
    assert.match(stderr, instead);
    assert.doesNotMatch(stderr, /a-secret/);
  });
}
