// Every page in both themes and on a phone: it is shown without complaints, nothing sticks out sideways, and
// axe finds nothing serious.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { startHouse } from "../house.ts";
import { missing, openConsole, openWindow } from "./browser.ts";
import { furnish, places } from "./places.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

const looks = [
  { theme: "light", width: 1440, axe: true },
  { theme: "dark", width: 768, axe: false },
  { theme: "dark", width: 390, axe: true },
] as const;

for (const look of looks) {
  test(`every page, ${look.theme}, ${look.width} px`, { skip: missing }, async (t) => {
    const house = await startHouse(t, { protocol: { measureMs: 300 } });
    const ids = await furnish(house);
    const { page, complaints } = await openConsole(t, house, look);
    for (const { at, shows } of places(ids)) {
      await page.goto(at);
      await page.getByText(shows).first().waitFor();
      await check(page, at, look.axe);
    }
    assert.deepEqual(complaints, []);
  });
}

test("the way in", { skip: missing }, async (t) => {
  const house = await startHouse(t);
  for (const look of looks) {
    const { page } = await openWindow(t, house, look);
    await page.goto("/sign-in");
    await page.getByLabel("API key").waitFor();
    await check(page, "/sign-in", look.axe);
  }
});

async function check(page: Page, at: string, withAxe: boolean): Promise<void> {
  if (withAxe) assert.deepEqual(await seriousViolations(page), [], at);
  const root = "document.documentElement";
  const wider = await page.evaluate<number>(`${root}.scrollWidth - ${root}.clientWidth`);
  assert.ok(wider <= 0, `${at} is ${wider} px too wide`);
}

/** Chromium runs axe beside the page's own policy, which lets no foreign script in. */
async function seriousViolations(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: AXE });
  const { result } = await session.send("Runtime.evaluate", {
    expression: "axe.run(document).then(({ violations }) => violations)",
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return (result.value as Violation[])
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n")}`);
}
