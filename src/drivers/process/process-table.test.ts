// Tests of both process tables.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { it } from "node:test";
import { type ProcessTable, procTable, psTable } from "./process-table.ts";

const tables: Record<string, ProcessTable> = {};
if (existsSync("/proc/self/stat")) tables["/proc"] = procTable;
if (existsSync("/bin/ps")) tables.ps = psTable;

for (const [name, table] of Object.entries(tables)) {
  it(`${name} has births and groups, and no dead processes`, async () => {
    const child = spawn("/bin/sh", ["-c", "sleep 600 & echo; wait"], {
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const pid = child.pid!;
    await once(child.stdout, "data");
    const birth = await table.birthOf(pid);
    assert.ok(birth);
    assert.equal(await table.birthOf(pid), birth);
    const members = await table.groupMembers(pid);
    assert.ok(members.includes(pid));
    assert.equal(members.length, 2);
    const exited = once(child, "exit");
    process.kill(-pid, "SIGKILL");
    await exited;
    assert.equal(await table.birthOf(pid), null);
    for (let attempt = 0; attempt < 500 && (await table.groupMembers(pid)).length > 0; attempt++);
    assert.deepEqual(await table.groupMembers(pid), []);
  });
}

it("a name with brackets and spaces does not shift the fields", () => {
  const rest = Array.from({ length: 40 }, (_, at) => String(at + 3)).join(" ");
  assert.equal(procTable.birthFromNote(`77 (a) b (c) ${rest}`), "22");
});
