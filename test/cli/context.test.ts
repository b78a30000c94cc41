// Tests of `freehold login` and of the contexts that it keeps.

import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { freehold } from "./command.ts";

/** A user with a folder for settings, in a folder without a Freehold. */
function newUser(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-user-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "freehold", "contexts.json");
  const run = (args: string[], env: Record<string, string> = {}, input?: string) =>
    freehold(args, {
      cwd: folder,
      env: { XDG_CONFIG_HOME: folder, ...env },
      ...(input && { input }),
    });
  return { file, run };
}

test("a key is checked and kept for its owner, and every command uses the context", async (t) => {
  const [one, two] = [await startService(t), await startService(t)];
  const { file, run } = newUser(t);
  const endpoint = await one.makeEndpoint();
  const first = await run(["login", one.origin, "--name", "one"], {}, `${one.key}\n`);
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /^one is the current context: /);
  assert.ok(!first.stdout.includes(one.key));
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(statSync(path.dirname(file)).mode & 0o777, 0o700);
  assert.equal((await run(["login", two.origin, "--name", "two", "--key", two.key])).code, 0);
  assert.equal(statSync(file).mode & 0o777, 0o600);

  const has = async (args: string[], env = {}) =>
    (await run(["endpoints", "-q", ...args], env)).stdout.split("\n").includes(endpoint);
  assert.equal(await has([]), false, "the last login is current");
  assert.equal(await has(["--context", "one"]), true);
  for (const before of [
    ["--context", "one", "-q"],
    ["--quiet", "--context=one"],
  ]) {
    assert.ok((await run([...before, "endpoints"])).stdout.split("\n").includes(endpoint));
  }
  assert.equal(await has([], { FREEHOLD_CONTEXT: "one" }), true);
  assert.equal(await has([], { FREEHOLD_URL: one.origin, FREEHOLD_KEY: one.key }), true);
  assert.equal(await has(["--data", one.dataFolder]), true);
  assert.equal((await run(["context", "use", "one"])).stdout, "one is the current context\n");
  assert.equal(await has([]), true);
  // Commands that are older than contexts use them too, and take names.
  await one.call("PATCH", `/v1/endpoints/${endpoint}`, { name: "shop" });
  for (const word of [endpoint, "shop"]) {
    assert.match((await run(["why", word])).stdout, /needs the driver "process"/);
  }
  assert.match((await run(["env"])).stdout, new RegExp(`FREEHOLD_URL='${one.origin}'`));

  const stale = { FREEHOLD_URL: two.origin, FREEHOLD_KEY: two.key };
  assert.match((await run(["env"], stale)).stdout, new RegExp(`FREEHOLD_URL='${one.origin}'`));

  const { stdout } = await run(["context"]);
  assert.match(stdout, new RegExp(`^\\* +one +${one.origin}$`, "m"));
  assert.ok(!stdout.includes(one.key));
  assert.equal((await run(["context", "delete", "one"])).stdout, "one is forgotten\n");
  assert.ok(!readFileSync(file, "utf8").includes(one.key));
  assert.equal((await run(["endpoints"])).code, 4, "there is no Freehold on the data folder");
});

test("a wrong key and a wrong address keep nothing", async (t) => {
  const service = await startService(t);
  const { file, run } = newUser(t);
  const wrong = await run(["login", service.origin, "--key", "fh_wrong"]);
  assert.equal(wrong.code, 5);
  assert.match(wrong.stderr, /does not know this key/);
  const away = await run(["login", "http://127.0.0.1:9", "--key", service.key]);
  assert.equal(away.code, 4);
  assert.match(away.stderr, /http:\/\/127\.0\.0\.1:9 does not answer/);
  const none = await run(["login", service.origin], {}, "\n");
  assert.equal(none.code, 2);
  assert.match(none.stderr, /login needs a key/);
  for (const url of ["ftp://host", "http://u:p@host", "not an address"]) {
    assert.equal((await run(["login", url, "--key", "k"])).code, 2);
  }
  assert.throws(() => statSync(file));
});

test("a context keeps its address, and --context excludes --data", async (t) => {
  const service = await startService(t);
  const { run } = newUser(t);
  assert.equal((await run(["login", service.origin, "--name", "a", "--key", service.key])).code, 0);
  const moved = await run(["login", "http://127.0.0.1:9", "--name", "a", "--key", service.key]);
  assert.equal(moved.code, 2);
  assert.match(moved.stderr, /the context "a" is at http.*; choose another --name/);
  const both = await run(["pods", "--context", "a", "--data", "x"]);
  assert.equal(both.code, 2);
  const missing = await run(["pods", "--context", "b"]);
  assert.equal(missing.code, 3);
  assert.match(missing.stderr, /there is no context "b"/);
});

test("a file that others can read is refused", async (t) => {
  const service = await startService(t);
  const { file, run } = newUser(t);
  assert.equal((await run(["login", service.origin, "--key", service.key])).code, 0);
  chmodSync(file, 0o644);
  const { code, stderr } = await run(["pods"]);
  assert.equal(code, 1);
  assert.match(stderr, /other users can read the keys in .*; run: chmod 600 /);
});

test("a key that the service rejects is exit code 5", async (t) => {
  const service = await startService(t);
  const { run } = newUser(t);
  const env = { FREEHOLD_URL: service.origin, FREEHOLD_KEY: "fh_wrong" };
  for (const args of [["pods"], ["run", "hello"], ["balance"]]) {
    const { code, stderr } = await run(args, env);
    assert.equal(code, 5, stderr);
  }
});
