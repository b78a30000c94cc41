// Tests of the first screen: every printed address answers, and its curl command works, at every
// start.

import assert from "node:assert/strict";
import { exec, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { firstScreen as firstScreenOf } from "../../src/cli/up/first-screen.ts";
import { readConfig } from "../../src/config/config.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import { closedSocket, whyNotWithoutRights, withoutRights } from "../fixtures/closed-socket.ts";
import { startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { visit } from "../proxy/client.ts";

const root = path.join(import.meta.dirname, "..", "..");

async function firstScreen(
  t: TestContext,
  folder: string,
  { env, ...user }: { env?: Record<string, string>; uid?: number; gid?: number } = {},
): Promise<string> {
  const child = spawn(process.execPath, [path.join(root, "bin", "freehold.mjs"), "up"], {
    cwd: folder,
    ...user,
    env: { ...process.env, FREEHOLD_LISTEN: "127.0.0.1:0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  addCleanup(t, () => {
    child.kill("SIGTERM");
    return once(child, "exit");
  });
  let screen = "";
  // Prints only the screen: no warning and no log.
  child.stderr.on("data", (text) => assert.fail(`on stderr: ${text}`));
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`ended with ${code}`)));
    child.stdout.on("data", (text) => {
      screen += text;
      if (/clients:.*\n/.test(screen)) resolve(screen);
    });
  });
}

/** The id of a Pod that answers on port 8888. */
async function runningPod(origin: string, key: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const wanted = { imageName: "x", driver: "simulated", computeType: "CPU" };
  const creation = await fetch(`${origin}/v1/pods`, {
    method: "POST",
    headers,
    body: JSON.stringify({ ...wanted, containerDiskInGb: 1, volumeInGb: 0 }),
  });
  const { id } = (await creation.json()) as { id: string };
  await until(async () => ((await visit(origin, id, 8_888)).status === 200 ? true : null), id);
  return id;
}

test("every address on the first screen answers, and its curl command works when pasted", async (t) => {
  const folder = newFolder(t);
  const screen = await firstScreen(t, folder);
  const key = readFileSync(path.join(folder, ".freehold", "cli.key"), "utf8").trim();

  const addresses = screen.match(/https?:\/\/[^\s"]+/g) ?? [];
  assert.ok(addresses.length >= 6, screen);
  const { origin } = new URL(addresses[0]!);
  const pod = await runningPod(origin, key);
  for (const template of addresses) {
    const address = template.replace("<pod>", pod).replace("<port>", "8888");
    if (template.includes("proxy.localhost")) {
      // Node asks a resolver, which may not know such names.
      assert.equal(new URL(address).port, new URL(origin).port);
      assert.equal((await visit(origin, pod, 8_888)).status, 200, address);
      continue;
    }
    const isQueue = address.includes("/v2/");
    const isGraphql = address.endsWith("/graphql");
    const isConsole = new URL(address).pathname === "/";
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
    // Either response is a page; some tests run before the console is built.
    if (isConsole && response.status === 503) assert.match(text, /is being built/);
    else assert.equal(response.status, 200, address);
  }

  await pasteCurl(screen);
});

test("outside a terminal, the first screen names the key's file, and its curl command works", async (t) => {
  const folder = newFolder(t);
  for (const start of ["at the first start", "at the second start"]) {
    await t.test(start, async (t) => {
      const screen = await firstScreen(t, folder);
      assert.doesNotMatch(screen, KEY);
      assert.match(screen, new RegExp(`key +in ${folder}/.freehold/cli.key`));
      await pasteCurl(screen);
    });
  }
});

test("a terminal on loopback shows one key, and any other start shows none", async (t) => {
  const service = await startService(t, { drivers: "process", replicas: null });
  const flags = { data: service.dataFolder };
  const screenOn = (listen: string, isTerminal: boolean) =>
    firstScreenOf(readConfig({ ...flags, listen }, {}, "/"), service, isTerminal);
  const shown = screenOn("127.0.0.1:8700", true);
  assert.deepEqual([...new Set(shown.match(KEY))], [service.cliKey]);
  assert.ok(shown.includes(`/#key=${service.cliKey}`));
  assert.ok(shown.includes(`"authorization: ${service.cliKey}"`));
  for (const hidden of [screenOn("127.0.0.1:8700", false), screenOn("0.0.0.0:8700", true)]) {
    assert.doesNotMatch(hidden, KEY);
    assert.ok(hidden.includes(`$(cat '${service.dataFolder}/cli.key')`), hidden);
  }
});

test("the first screen says why an engine is not used, and what to do", {
  skip: whyNotWithoutRights(),
}, async (t) => {
  const { folder, socket } = await closedSocket(t);
  // A program is missing also if the user may not search a folder of the PATH.
  const closed = path.join(folder, "closed");
  mkdirSync(closed, { mode: 0 });
  const PATH = `${closed}:${process.env.PATH}`;
  const env = { DOCKER_HOST: `unix://${socket}`, HOME: folder, PATH };
  const screen = await firstScreen(t, folder, { ...withoutRights, env });
  assert.match(screen, /drivers: process, simulated/);
  assert.match(
    screen,
    /engine +not used\. .*docker\.sock.*may not open.*add the user to its group.*\n.*start Freehold again/,
  );
  const chosen = await firstScreen(t, folder, {
    ...withoutRights,
    env: { ...env, FREEHOLD_DRIVERS: "process", FREEHOLD_DATA: path.join(folder, "other") },
  });
  assert.doesNotMatch(chosen, /engine/);
});

const KEY = /fhw?_\w{20,}/g;

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-screen-"));
  addCleanup(t, () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function pasteCurl(screen: string): Promise<void> {
  const curl = /try it:\s+(curl .*)/.exec(screen)?.[1];
  assert.ok(curl, screen);
  if (!(await promisify(exec)("command -v curl").catch(() => null))) return;
  const { stdout } = await promisify(exec)(curl);
  assert.equal(JSON.parse(stdout).output.message, "Hello, you!");
}
