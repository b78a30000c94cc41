// `freehold env` against a running service.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { clientVariables } from "../../src/app/cli/client-settings.ts";
import { startHouse } from "../house.ts";
import { freehold } from "./command.ts";

test("what it prints points a shell at the service, and says what is not offered", async (t) => {
  const house = await startHouse(t);
  const { code, stdout, stderr } = await freehold(["env", "--data", house.dataFolder]);
  assert.equal(code, 0, stderr);
  const script = 'eval "$TEXT"; echo "$RUNPOD_API_KEY $RUNPOD_ENDPOINT_BASE_URL $RUNPOD_API_URL"';
  const shell = spawnSync("sh", ["-c", script], { env: { TEXT: stdout }, encoding: "utf8" });
  assert.equal(shell.stdout, `${house.key} ${house.origin}/v2 ${house.origin}/v1\n`);
  const { status } = await house.call("POST", "/graphql", { query: "{__typename}" });
  const note = /^# GraphQL is not offered yet; these lead to a refusal: .*RUNPOD_GRAPHQL_URL/m;
  assert.equal(note.test(stdout), status === 404);
  assert.doesNotMatch(
    stdout,
    /RUNPOD_ENDPOINT_BASE_URL.*refusal|refusal.*RUNPOD_ENDPOINT_BASE_URL/,
  );
});

test("JSON holds the same variables", async (t) => {
  const house = await startHouse(t);
  const args = ["env", "--data", house.dataFolder, "--format", "json"];
  const settings = JSON.parse((await freehold(args)).stdout);
  assert.equal(settings.RUNPOD_API_KEY, house.key);
  const url = `${settings.RUNPOD_ENDPOINT_BASE_URL}/hello/health`;
  const { status } = await fetch(url, { headers: { authorization: settings.RUNPOD_API_KEY } });
  assert.notEqual(status, 401);
});

test("docs/clients.md tells of every variable, with where it leads and who reads it", () => {
  const page = readFileSync(path.join(import.meta.dirname, "../../docs/clients.md"), "utf8");
  const rows = page.split("\n").filter((line) => /^\| `RUNPOD_/.test(line));
  for (const { name, value, readBy } of clientVariables("http://origin", "key")) {
    const row = rows.find((each) => each.includes(`\`${name}\``));
    assert.ok(row?.endsWith(`| ${readBy} |`) || row?.includes("logs, console"), `${name}: ${row}`);
    const path = new URL(value, "http://origin").pathname;
    if (value.startsWith("http") && path !== "/") assert.ok(row!.includes(`\`${path}\``), row);
  }
  const names = page.match(/`RUNPOD_[A-Z_]+`/g) ?? [];
  const known = new Set(clientVariables("o", "k").map(({ name }) => `\`${name}\``));
  assert.deepEqual(
    [...new Set(names)].filter((name) => !known.has(name)),
    [],
  );
});

test("without a service it says so, and prints nothing that a shell could take", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-none-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const args = ["env", "--data", folder, "--listen", "127.0.0.1:9"];
  const { code, stdout, stderr } = await freehold(args);
  assert.equal(code, 1);
  assert.equal(stdout, "");
  assert.match(stderr, /no Freehold answers at http:\/\/127\.0\.0\.1:9; start one/);
});

test("a service on another data folder is told apart", async (t) => {
  const house = await startHouse(t);
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-other-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const { host } = new URL(house.origin);
  const { code, stderr } = await freehold(["env", "--data", folder, "--listen", host]);
  assert.equal(code, 1);
  assert.match(stderr, /is not the data folder of what answers at http:/);
});
