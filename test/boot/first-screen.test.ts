// The first screen prints only what answers, and its curl works when pasted, at every start.

import assert from "node:assert/strict";
import { exec, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { until } from "../pods/stage.ts";
import { visit } from "../proxy/client.ts";

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

/** The id of one that answers on port 8888. */
async function runningPod(origin: string, key: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const wanted = { imageName: "x", driver: "fake", computeType: "CPU" };
  const made = await fetch(`${origin}/v1/pods`, {
    method: "POST",
    headers,
    body: JSON.stringify({ ...wanted, containerDiskInGb: 1, volumeInGb: 0 }),
  });
  const { id } = (await made.json()) as { id: string };
  await until(async () => ((await visit(origin, id, 8_888)).status === 200 ? true : null), id);
  return id;
}

test("every address on the first screen answers, and the curl works when pasted", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-screen-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const screen = await firstScreen(t, folder);
  const key = /key\s+(fh_\w{40})/.exec(screen)?.[1];
  assert.ok(key, screen);

  const addresses = screen.match(/https?:\/\/[^\s"]+/g) ?? [];
  assert.ok(addresses.length >= 6, screen);
  const { origin } = new URL(addresses[0]!);
  const pod = await runningPod(origin, key);
  for (const template of addresses) {
    const address = template.replace("<pod>", pod).replace("<port>", "8888");
    if (template.includes("proxy.localhost")) {
      // Node asks a resolver that need not know such names.
      assert.equal(new URL(address).port, new URL(origin).port);
      assert.equal((await visit(origin, pod, 8_888)).status, 200, address);
      continue;
    }
    const isQueue = address.includes("/v2/");
    const isGraphql = address.endsWith("/graphql");
    const isConsole = address.includes("#key=");
    const response = await fetch(address.replace("<endpoint>", "hello"), {
      method: isQueue || isGraphql ? "POST" : "GET",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        ...(isConsole && { accept: "text/html" }),
      },
      ...(isQueue && { body: '{"input":{"name":"you"}}' }),
      ...(isGraphql && { body: '{"query":"{ myself { id } }"}' }),
    });
    const text = await response.text();
    // A page either way; part of the tests may be run before it is built.
    if (isConsole && response.status === 503) assert.match(text, /is being built/);
    else assert.equal(response.status, 200, address);
  }

  const curl = /try it:\s+(curl .*)/.exec(screen)?.[1];
  assert.ok(curl, screen);
  if (!(await promisify(exec)("command -v curl").catch(() => null))) return;
  const { stdout } = await promisify(exec)(curl);
  assert.equal(JSON.parse(stdout).output.message, "Hello, you!");
});
