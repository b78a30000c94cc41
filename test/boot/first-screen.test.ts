// The first screen prints only what answers, and its curl works when pasted, at every start.

import assert from "node:assert/strict";
import { exec, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";

const root = path.join(import.meta.dirname, "..", "..");

async function firstScreen(t: TestContext, folder: string): Promise<string> {
  const child = spawn(process.execPath, [path.join(root, "bin", "freehold.mjs"), "up"], {
    cwd: folder,
    env: { ...process.env, FREEHOLD_LISTEN: "127.0.0.1:0" },
  });
  t.after(() => {
    child.kill("SIGTERM");
    return once(child, "exit");
  });
  let screen = "";
  // Nothing but the screen is to be seen: no warning, no log.
  child.stderr.on("data", (text) => assert.fail(`on stderr: ${text}`));
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`ended with ${code}`)));
    child.stdout.on("data", (text) => {
      screen += text;
      if (/clients:.*\n/.test(screen)) resolve(screen);
    });
  });
}

test("every address on the first screen answers, and the curl works when pasted", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-screen-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const screen = await firstScreen(t, folder);
  const key = /key\s+(fh_\w{40})/.exec(screen)?.[1];
  assert.ok(key, screen);

  const addresses = screen.match(/https?:\/\/[^\s"]+/g) ?? [];
  assert.ok(addresses.length >= 4, screen);
  for (const address of addresses) {
    const isQueue = address.includes("/v2/");
    const response = await fetch(address.replace("<endpoint>", "hello"), {
      method: isQueue ? "POST" : "GET",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(isQueue && { body: '{"input":{"name":"you"}}' }),
    });
    assert.equal(response.status, 200, address);
    await response.text();
  }

  const curl = /try it:\s+(curl .*)/.exec(screen)?.[1];
  assert.ok(curl, screen);
  if (!(await promisify(exec)("command -v curl").catch(() => null))) return;
  const { stdout } = await promisify(exec)(curl);
  assert.equal(JSON.parse(stdout).output.message, "Hello, you!");
});
