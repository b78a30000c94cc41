// `freehold init team` and `freehold invite`.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { freehold } from "./command.ts";

const PUBLIC_URL = "http://gpu.example.org:9000";

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-team-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const settingsIn = (folder: string) =>
  JSON.parse(readFileSync(path.join(folder, "freehold.json"), "utf8"));

test("init team writes the answers that the options give", async (t) => {
  const folder = emptyFolder(t);
  const answers = ["--public-url", PUBLIC_URL, "--proxy-domain", "pods.example.org"];
  const { code, stdout, stderr } = await freehold(["init", "team", ...answers], folder);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /Your team's address is http:\/\/gpu\.example\.org:9000\./);
  const expected = { team: "on", publicUrl: PUBLIC_URL, proxyDomain: "pods.example.org" };
  assert.deepEqual(settingsIn(folder), expected);
});

test("init team keeps a file that is there, without --force", async (t) => {
  const folder = emptyFolder(t);
  const init = (url: string, ...more: string[]) =>
    freehold(["init", "team", "--public-url", url, ...more], folder);
  await init(PUBLIC_URL);
  const again = await init("https://other.example.org");
  assert.equal(again.code, 1);
  assert.match(again.stderr, /freehold\.json exists; change it, or replace it with --force/);
  assert.equal(settingsIn(folder).publicUrl, PUBLIC_URL);
  assert.equal((await init("https://other.example.org", "--force")).code, 0);
  assert.deepEqual(settingsIn(folder), { team: "on", publicUrl: "https://other.example.org" });
});

test("init team writes nothing that the service would refuse", async (t) => {
  const folder = emptyFolder(t);
  const answers = ["--public-url", "http://localhost:8700", "--proxy-domain", "10.0.0.1"];
  const { code, stderr } = await freehold(["init", "team", ...answers], folder);
  assert.equal(code, 1);
  assert.match(stderr, /FREEHOLD_PUBLIC_URL.*own computer/);
  assert.match(stderr, /FREEHOLD_PROXY_DOMAIN/);
  assert.throws(() => settingsIn(folder), /ENOENT/);
});

test("invite prints a link below the public URL, which makes a member", async (t) => {
  const service = await startService(t, { env: { FREEHOLD_PUBLIC_URL: PUBLIC_URL } });
  const invite = (...args: string[]) => freehold(["invite", ...args, "--data", service.dataFolder]);
  const { stdout } = await invite("ada@example.org", "--role", "basic", "--quiet");
  const [, token] = /^http:\/\/gpu\.example\.org:9000\/invitation#token=(\S+)\n$/.exec(stdout)!;
  const { json } = await service.call("POST", "/v1/invitations/accept", { token, name: "Ada" });
  assert.equal(json.member.role, "basic");
  assert.match((await invite("ada@example.org", "--role", "boss")).stderr, /--role is "boss"/);
  assert.match((await invite("ada@example.org", "--hours", "0")).stderr, /from 1 to 720/);
});
