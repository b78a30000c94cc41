// Every page in both themes and on a phone: it is shown without complaints, nothing sticks out sideways, and
// axe finds nothing against WCAG 2.2 AA and its best practices.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { startService } from "../fixtures/service/service.ts";
import { openConsole, openWindow, skipReason } from "./browser.ts";
import { createSampleData, pageVisits } from "./page-visits.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const LONG_NAME = "upscaling-of-historical-photographs-to-four-times-their-size";

const RULES = JSON.stringify({
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
});

interface Violation {
  id: string;
  nodes: { html: string }[];
}

const looks = [
  { theme: "light", width: 1440, axe: true },
  { theme: "dark", width: 768, axe: false },
  { theme: "dark", width: 390, axe: true },
] as const;

for (const look of looks) {
  test(`every page, ${look.theme}, ${look.width} px`, { skip: skipReason }, async (t) => {
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
      await page.goto(address);
      await page.getByText(shows).first().waitFor();
      await check(page, address, look.axe);
    }
    assert.deepEqual(complaints, []);
  });
}

test("the sign-in page", { skip: skipReason }, async (t) => {
  const service = await startService(t);
  for (const look of looks) {
    const { page } = await openWindow(t, service, look);
    await page.goto("/sign-in");
    await page.getByLabel("API key").waitFor();
    await check(page, "/sign-in", look.axe);
  }
});

test("the documentation and its search", { skip: skipReason }, async (t) => {
  const service = await startService(t);
  for (const look of looks) {
    const { page, errors: complaints } = await openWindow(t, service, look);
    await page.goto("/docs/console");
    await check(page, "/docs/console", look.axe);
    const search = page.getByRole("combobox", { name: "Search the docs" });
    await search.fill("billing forecast");
    const result = page.getByRole("option", { name: "Console: Billing" });
    await result.waitFor();
    await check(page, "the search", look.axe);
    await search.fill("no such words anywhere");
    await page.getByText("No section matches.").waitFor();
    await search.fill("Sign in");
    await page.getByRole("option", { name: "Console: Sign in" }).click();
    await page.waitForURL("**/docs/console#sign-in");
    assert.deepEqual(complaints, []);
  }
});

async function check(page: Page, at: string, withAxe: boolean): Promise<void> {
  if (withAxe) assert.deepEqual(await violationsOf(page), [], at);
  const root = "document.documentElement";
  const wider = await page.evaluate<number>(`${root}.scrollWidth - ${root}.clientWidth`);
  assert.ok(wider <= 0, `${at} is ${wider} px too wide`);
}

/** Chromium runs axe beside the page's own policy, which lets no foreign script in. */
async function violationsOf(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: AXE });
  const { result } = await session.send("Runtime.evaluate", {
    expression: `axe.run(document, ${RULES}).then(({ violations }) => violations)`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return (result.value as Violation[]).map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n")}`,
  );
}
