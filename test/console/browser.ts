// Chromium driven by Playwright: one browser per test file, a new profile per test.

import { spawnSync } from "node:child_process";
import { after, type TestContext } from "node:test";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { addCleanup } from "../fixtures/cleanup.ts";
import type { TestService } from "../fixtures/service/service.ts";

/** The first has no windows, and takes two thirds of the processor time of the others. */
const executable = ["chromium-headless-shell", "chromium", "chromium-browser"]
  .map((name) => spawnSync("which", [name], { encoding: "utf8" }).stdout.trim())
  .find(Boolean);

/** Why browser tests are skipped; CI skips none. */
export const skipReason = executable || process.env.CI ? false : "it needs chromium";

/** The page shows these failed requests; Chromium logs them as well. */
const EXPECTED_ERRORS = /status of (?:401|404|503)|ERR_NETWORK_CHANGED/;

let browser: Promise<Browser> | null = null;
after(async () => (await browser)?.close());

export interface Window {
  page: Page;
  context: BrowserContext;
  /** The errors that the page logged. */
  errors: string[];
}

interface WindowOptions {
  width?: number;
  height?: number;
  theme?: "light" | "dark";
  /** Loads everything itself, so that the test can count the bytes. */
  direct?: boolean;
}

/** An empty window. A request to another origin than the service's counts as an error. */
export async function openWindow(
  t: TestContext,
  { origin }: Pick<TestService, "origin">,
  { width = 1440, height = 900, theme = "light", direct = false }: WindowOptions = {},
): Promise<Window> {
  browser ??= chromium.launch({ executablePath: executable ?? "chromium", args: ["--no-sandbox"] });
  const context = await (await browser).newContext({
    viewport: { width, height },
    colorScheme: theme,
    baseURL: origin,
    reducedMotion: "reduce",
    // A response that the test supplied has no address space, and Chromium blocks such a page from
    // loopback.
    permissions: direct ? [] : ["local-network-access"],
  });
  addCleanup(t, () => context.close());
  if (!direct) await routeThroughTest(context, origin);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !EXPECTED_ERRORS.test(message.text()))
      errors.push(`${message.text()} ${message.location().url}`.trim());
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith("data:")) errors.push(`asked ${url}`);
  });
  page.setDefaultTimeout(60_000);
  return { page, context, errors };
}

/**
 * Chromium aborts loads when the machine's networks change, as they do with other tests'
 * containers. Files that load once and are not retried are therefore supplied by the test.
 */
async function routeThroughTest(context: BrowserContext, origin: string): Promise<void> {
  const once = (url: URL) => url.origin === origin && isLoadedOnce(url);
  await context.route(once, async (route) => {
    // Playwright does not see the body of an upload.
    if (route.request().method() !== "GET") return route.continue();
    const { pathname } = new URL(route.request().url());
    const asset = assets.get(pathname);
    try {
      if (asset) return await route.fulfill(asset);
      const response = await route.fetch();
      if (pathname.startsWith("/assets/") && response.status() === 200) {
        assets.set(pathname, { headers: response.headers(), body: await response.body() });
      }
      await route.fulfill({ response });
    } catch {
      await route.abort().catch(() => {}); // the page is gone
    }
  });
}

/**
 * By path, which has a hash of the content. Routing disables Chromium's cache, so each page asks for all of its assets
 * again.
 */
const assets = new Map<string, { headers: Record<string, string>; body: Buffer }>();

/** Scripts and the like, and the page itself, which have no other addresses than these. */
function isLoadedOnce({ pathname }: URL): boolean {
  return pathname.startsWith("/assets/") || !/^\/(?:v1|v2|graphql)\b/.test(pathname);
}

/** Fills in a key on the sign-in page, where an e-mail address and a password come first. */
export async function typeKey(page: Page, key: string): Promise<void> {
  const field = page.getByLabel("API key");
  const other = page.getByRole("button", { name: "Sign in with an API key" });
  await field.or(other).first().waitFor();
  if (await other.isVisible()) await other.click();
  await field.fill(key);
}

/** The same, signed in. */
export async function openConsole(
  t: TestContext,
  service: Pick<TestService, "origin" | "key">,
  look: WindowOptions & { at?: string; key?: string } = {},
): Promise<Window> {
  const window = await openWindow(t, service, look);
  const key = look.key ?? service.key;
  const headers = { origin: service.origin };
  const answer = await window.context.request.post("/v1/session", { data: { key }, headers });
  if (!answer.ok()) throw new Error(await answer.text());
  await window.page.goto(look.at ?? "/");
  return window;
}
