// Tests of `freehold env` against a running service.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { clientVariables } from "../../src/cli/client-settings.ts";
import { startService } from "../fixtures/service/service.ts";
import { freehold } from "./command.ts";

test("the printed variables point a shell at the service, and name unsupported features", async (t) => {
  const service = await startService(t);
  const { code, stdout, stderr } = await freehold(["env", "--data", service.dataFolder]);
  assert.equal(code, 0, stderr);
  const script = 'eval "$TEXT"; echo "$RUNPOD_API_KEY $RUNPOD_ENDPOINT_BASE_URL $RUNPOD_API_URL"';
  const shell = spawnSync("sh", ["-c", script], { env: { TEXT: stdout }, encoding: "utf8" });
  assert.equal(shell.stdout, `${service.key} ${service.origin}/v2 ${service.origin}/v1\n`);
  const { status } = await service.call("POST", "/graphql", { query: "{__typename}" });
  const note =
    /^# GraphQL is not offered yet; requests to these are refused: .*RUNPOD_GRAPHQL_URL/m;
  assert.equal(note.test(stdout), status === 404);
  assert.doesNotMatch(
    stdout,
    /RUNPOD_ENDPOINT_BASE_URL.*refusal|refusal.*RUNPOD_ENDPOINT_BASE_URL/,
  );
});

test("--json prints the same variables", async (t) => {
  const service = await startService(t);
  const args = ["env", "--data", service.dataFolder, "--format", "json"];
  const settings = JSON.parse((await freehold(args)).stdout);
  assert.equal(settings.RUNPOD_API_KEY, service.key);
  const url = `${settings.RUNPOD_ENDPOINT_BASE_URL}/hello/health`;
  const { status } = await fetch(url, { headers: { authorization: settings.RUNPOD_API_KEY } });
  assert.notEqual(status, 401);
});

test("the console and examples find their variables, and the console is offered", async (t) => {
  const service = await startService(t);
  const { stdout } = await freehold(["env", "--data", service.dataFolder]);
  assert.match(stdout, new RegExp(`^export FREEHOLD_URL='${service.origin}';$`, "m"));
  assert.match(stdout, new RegExp(`^export FREEHOLD_KEY='${service.key}';$`, "m"));
  assert.doesNotMatch(stdout, /console is not offered/);
});

test("--for rust gives RUNPOD_API_URL the queue's address, and nothing else changes", async (t) => {
  const service = await startService(t);
  const args = ["env", "--data", service.dataFolder, "--format", "json"];
  const usual = JSON.parse((await freehold(args)).stdout);
  const rust = JSON.parse((await freehold([...args, "--for", "rust"])).stdout);
  assert.equal(usual.RUNPOD_API_URL, `${service.origin}/v1`);
  assert.deepEqual(rust, { ...usual, RUNPOD_API_URL: `${service.origin}/v2` });
  assert.equal(rust.RUNPOD_REST_URL, `${service.origin}/v1`);
  const { code, stderr } = await freehold([...args, "--for", "cobol"]);
  assert.equal(code, 2);
  assert.match(stderr, /--for is "cobol"; it takes rust,/);
});

test("docs/clients.md describes every variable, its value and its readers", () => {
  const page = readFileSync(path.join(import.meta.dirname, "../../docs/clients.md"), "utf8");
  const rows = page.split("\n").filter((line) => /^\| `(?:RUNPOD|FREEHOLD)_/.test(line));
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

test("without a service it prints an error and no shell code", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-none-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const args = ["env", "--data", folder, "--listen", "127.0.0.1:9"];
  const { code, stdout, stderr } = await freehold(args);
  assert.equal(code, 4);
  assert.equal(stdout, "");
  assert.match(stderr, /no Freehold answers at http:\/\/127\.0\.0\.1:9; start one/);
});

test("a service on another data folder is recognized as another one", async (t) => {
  const service = await startService(t);
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-other-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const { host } = new URL(service.origin);
  const { code, stderr } = await freehold(["env", "--data", folder, "--listen", host]);
  assert.equal(code, 4);
  assert.match(stderr, /is not the data folder of the Freehold at http:/);
});
