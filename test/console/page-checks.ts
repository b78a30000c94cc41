// Visits every page in one look, and checks each: it is shown without complaints, nothing sticks out sideways, and if asked
// axe finds nothing against WCAG 2.2 AA and its best practices. Chromium takes a third of the CPU time of a load where a link
// of the console is followed, so one look alone loads each address.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { TestContext } from "node:test";
import type { Page } from "playwright-core";
import { startService } from "../fixtures/service/service.ts";
import { openConsole } from "./browser.ts";
import { createSampleData, pageVisits } from "./page-visits.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const LONG_NAME = "upscaling-of-historical-photographs-to-four-times-their-size";

const OPTIONS = JSON.stringify({
  resultTypes: ["violations"], // it lists no nodes that pass
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
});

interface Violation {
  id: string;
  nodes: { html: string }[];
}

interface Look {
  theme: "light" | "dark";
  width: number;
  axe: boolean;
  /** Loads each address, as from another site; else the pages are opened as by links of the console. */
  loads: boolean;
}

export const DESKTOP: Look = { theme: "light", width: 1280, axe: true, loads: false };
export const TABLET: Look = { theme: "dark", width: 768, axe: false, loads: true };
export const PHONE: Look = { theme: "dark", width: 390, axe: true, loads: false };

export async function visitEveryPage(t: TestContext, look: Look): Promise<void> {
  const service = await startService(t, { protocol: { measureMs: 300 } });
  const ids = await createSampleData(service);
  await service.makeEndpoint({ id: "upscaling" });
  await service.call("PATCH", "/v1/endpoints/upscaling", { name: LONG_NAME });
  await service.call("POST", "/v1/pods", {
    name: LONG_NAME,
    imageName: "i",
    driver: "simulated",
  });
  await service.call("POST", "/v1/budgets", { name: LONG_NAME, period: "day", limit: 1 });
  const { page, errors: complaints } = await openConsole(t, service, look);
  for (const { address, shows } of pageVisits(ids)) {
    await (look.loads ? page.goto(address) : followLink(page, address));
    await page.getByText(shows).first().waitFor();
    await checkPage(page, address, look.axe);
  }
  assert.deepEqual(complaints, []);
}

/** Opens an address as a link of the console does; resolves once nothing of the page before is shown. */
async function followLink(page: Page, address: string): Promise<void> {
  const to = JSON.stringify(address);
  await page.evaluate(`new Promise((resolve) => {
    if (location.pathname === ${to}) return resolve();
    const stop = __TSR_ROUTER__.subscribe("onRendered", () => { stop(); resolve(); });
    __TSR_ROUTER__.navigate({ href: ${to} });
  })`);
}

export async function checkPage(page: Page, at: string, withAxe: boolean): Promise<void> {
  if (withAxe) assert.deepEqual(await violationsOf(page), [], at);
  const root = "document.documentElement";
  const wider = await page.evaluate<number>(`${root}.scrollWidth - ${root}.clientWidth`);
  assert.ok(wider <= 0, `${at} is ${wider} px too wide`);
  assert.deepEqual(await page.evaluate(CUT), [], `${at} cuts rows or headings off`);
  // The bar moves in the frame in which the widths of its tabs are known.
  await page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
  );
  assert.deepEqual(await page.evaluate(HIDDEN_TABS), [], `${at} hides its own tab`);
}

/** The texts of active tabs that lie beyond the edges of their bar. */
const HIDDEN_TABS = `[...document.querySelectorAll('main nav [data-status="active"]')]
  .filter((tab) => {
    const [own, bar] = [tab, tab.closest("nav")].map((each) => each.getBoundingClientRect());
    return own.left < bar.left - 1 || own.right > bar.right + 1;
  })
  .map((tab) => tab.textContent)`;

/** The texts of rows that stick out of their table, and of headings that do not fit their column. */
const CUT = `[...document.querySelectorAll('[role="row"], [role="columnheader"] .truncate')]
  .filter((element) => element.scrollWidth > element.clientWidth)
  .map((element) => element.textContent)`;

/** Chromium runs axe beside the page's own policy, which lets no foreign script in. */
async function violationsOf(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { result: loaded } = await session.send("Runtime.evaluate", {
    expression: '"axe" in window',
  });
  if (!loaded.value) await session.send("Runtime.evaluate", { expression: AXE });
  const { result } = await session.send("Runtime.evaluate", {
    expression: `axe.run(document, ${OPTIONS}).then(({ violations }) => violations)`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return (result.value as Violation[]).map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n")}`,
  );
}
