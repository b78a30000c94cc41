// Chromium without a window, spoken to by its own protocol: opens a page, runs code in it, takes its
// picture. Every request that it makes is noted.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";

const found = ["chromium", "chromium-browser"].find((name) => {
  return spawnSync(name, ["--version"]).status === 0;
});

/** Why tests with it are skipped; in CI nothing is skipped. */
export const missing = found || process.env.CI ? false : "it needs chromium";

export interface Page {
  requests: string[];
  /** What the page logged as an error. */
  complaints: string[];
  run<Result>(expression: string): Promise<Result>;
  picture(file: string): Promise<void>;
}

export async function openPage(t: TestContext, url: string): Promise<Page> {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-chromium-"));
  const child = spawn(found ?? "chromium", [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--window-size=1400,900",
    "--remote-debugging-port=0",
    `--user-data-dir=${folder}`,
    "about:blank",
  ]);
  t.after(async () => {
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  const link = await connect(await debuggerOf(child));
  const { targetInfos } = await link.send("Target.getTargets", {});
  const { targetId } = targetInfos.find(({ type }: { type: string }) => type === "page");
  const attached = await link.send("Target.attachToTarget", { targetId, flatten: true });
  const { sessionId } = attached;
  const page = pageOn(link, sessionId);
  for (const domain of ["Page", "Network", "Runtime"]) {
    await link.send(`${domain}.enable`, {}, sessionId);
  }
  await link.send("Page.navigate", { url }, sessionId);
  return page;
}

function pageOn(link: Link, sessionId: string): Page {
  const requests: string[] = [];
  const complaints: string[] = [];
  link.listen(({ method, params }) => {
    if (method === "Network.requestWillBeSent") requests.push(params.request.url);
    if (method === "Runtime.exceptionThrown") complaints.push(params.exceptionDetails.text);
  });
  return {
    requests,
    complaints,
    async run(expression) {
      const asked = { expression, awaitPromise: true, returnByValue: true };
      return (await link.send("Runtime.evaluate", asked, sessionId)).result.value;
    },
    async picture(file) {
      const { data } = await link.send("Page.captureScreenshot", { format: "png" }, sessionId);
      writeFileSync(file, data, "base64");
    },
  };
}

async function debuggerOf(child: ChildProcess): Promise<string> {
  let said = "";
  for await (const chunk of child.stderr!) {
    said += chunk;
    const address = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
    if (address) return address;
  }
  throw new Error(`chromium ended: ${said}`);
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the browser says
type Message = any;

interface Link {
  send(method: string, params: object, sessionId?: string): Promise<Message>;
  listen(hear: (message: Message) => void): void;
}

async function connect(address: string): Promise<Link> {
  const socket = new WebSocket(address);
  await once(socket, "open");
  const waiting = new Map<number, (message: Message) => void>();
  const ears: ((message: Message) => void)[] = [];
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(data as string);
    waiting.get(message.id)?.(message);
    for (const hear of ears) hear(message);
  });
  let last = 0;
  return {
    listen: (hear) => ears.push(hear),
    send: (method, params, sessionId) => {
      const id = ++last;
      socket.send(JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) }));
      return new Promise((resolve, reject) => {
        waiting.set(id, ({ result, error }) => {
          if (error) reject(new Error(`${method}: ${error.message}`));
          else resolve(result);
        });
      });
    },
  };
}
