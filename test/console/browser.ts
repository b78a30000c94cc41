// Debian's Chromium, driven by Playwright: one browser for a file of tests, a fresh profile for each test.

import { spawnSync } from "node:child_process";
import { after, type TestContext } from "node:test";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import type { TestHouse } from "../house.ts";
import { undo } from "../undo.ts";

const found = ["chromium", "chromium-browser"]
  .map((name) => spawnSync("which", [name], { encoding: "utf8" }).stdout.trim())
  .find(Boolean);

/** Why tests with it are skipped; in CI nothing is skipped. */
export const missing = found || process.env.CI ? false : "it needs chromium";

/** A refusal is shown on the page, and Chromium logs it besides. */
const NOT_OURS = /status of (?:401|404|503)|ERR_NETWORK_CHANGED/;

let browser: Promise<Browser> | null = null;
after(async () => (await browser)?.close());

export interface Window {
  page: Page;
  context: BrowserContext;
  /** What the page logged as an error. */
  complaints: string[];
}

interface Look {
  width?: number;
  height?: number;
  theme?: "light" | "dark";
  /** Loads everything by itself, so that its bytes can be counted. */
  direct?: boolean;
}

/** A window on nothing yet. Requests to other origins than the house's are complaints. */
export async function openWindow(
  t: TestContext,
  { origin }: Pick<TestHouse, "origin">,
  { width = 1440, height = 900, theme = "light", direct = false }: Look = {},
): Promise<Window> {
  browser ??= chromium.launch({ executablePath: found ?? "chromium", args: ["--no-sandbox"] });
  const context = await (await browser).newContext({
    viewport: { width, height },
    colorScheme: theme,
    baseURL: origin,
    reducedMotion: "reduce",
    // What came by way of the test has no address, and such a page may not ask this machine by itself.
    permissions: direct ? [] : ["local-network-access"],
  });
  undo(t, () => context.close());
  if (!direct) await loadByTheTest(context, origin);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !NOT_OURS.test(message.text()))
      complaints.push(message.text());
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith("data:")) complaints.push(`asked ${url}`);
  });
  page.setDefaultTimeout(60_000);
  return { page, context, complaints };
}

/**
 * Chromium drops what it is loading whenever the machine's networks change, as they do with other tests'
 * containers. What is loaded once and not asked for again comes to it by way of the test.
 */
async function loadByTheTest(context: BrowserContext, origin: string): Promise<void> {
  const once = (url: URL) => url.origin === origin && isLoadedOnce(url);
  await context.route(once, async (route) => {
    try {
      await route.fulfill({ response: await route.fetch() });
    } catch {
      await route.abort().catch(() => {}); // the page is gone
    }
  });
}

/** Scripts and the like, and the page itself, which have no other addresses than these. */
function isLoadedOnce({ pathname }: URL): boolean {
  return pathname.startsWith("/assets/") || !/^\/(?:v1|v2|graphql)\b/.test(pathname);
}

/** The same, signed in. */
export async function openConsole(
  t: TestContext,
  house: Pick<TestHouse, "origin" | "key">,
  look: Look & { at?: string; key?: string } = {},
): Promise<Window> {
  const window = await openWindow(t, house, look);
  const key = look.key ?? house.key;
  const headers = { origin: house.origin };
  const answer = await window.context.request.post("/v1/session", { data: { key }, headers });
  if (!answer.ok()) throw new Error(await answer.text());
  await window.page.goto(look.at ?? "/");
  return window;
}
