// Pictures of the console's pages: those that the docs show, or with a folder all of them, or those that are
// named, in both themes and on a phone, for one's own eyes:
// node bin/run.mjs test/console/pictures.ts [folder [name ...]]

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import type { Page } from "playwright-core";
import { startHouse, type TestHouse } from "../house.ts";
import { openConsole, openWindow } from "./browser.ts";
import { busyHour } from "./busy-hour.ts";
import { type Furniture, furnish, type Place, places } from "./places.ts";
import { smallPng } from "./small-png.ts";

const folder = path.resolve(process.argv[2] ?? "docs/console");
const named = process.argv.slice(3);
const looks = process.argv[2]
  ? (["light", "dark"] as const).flatMap((theme) =>
      [1440, 768, 390].map((width) => ({ theme, width, only: named.length > 0 ? named : null })),
    )
  : [
      { theme: "light" as const, width: 1440, only: null },
      { theme: "dark" as const, width: 1440, only: ["overview", "deploy", "endpoint", "jobs"] },
      { theme: "dark" as const, width: 390, only: ["overview", "endpoint"] },
    ];

test("pictures", async (t) => {
  mkdirSync(folder, { recursive: true });
  const house = await startHouse(t, { protocol: { measureMs: 300 } });
  const furniture = await furnish(house);
  await house.makeEndpoint({ id: "painter" });
  await busyHour(house, "painter", (await house.makeWorker("painter")).id);
  for (const { theme, width, only } of looks) {
    const shown = placesOf(furniture).filter(({ name }) => only === null || only.includes(name));
    await photograph(t, house, { theme, width }, shown);
  }
  const { page } = await openWindow(t, house, { theme: "light", height: 820 });
  await page.goto("/sign-in");
  await page.getByLabel("API key").waitFor();
  await keep(page, "sign-in-light-1440");
});

/** An endpoint with a past is shown, and its jobs are the newest. */
function placesOf(furniture: Furniture): Place[] {
  return places(furniture).map((place) => {
    if (place.name === "endpoint") return { ...place, at: "/serverless/painter" };
    return place.name === "jobs" ? { ...place, shows: "j56" } : place;
  });
}

/** Something that this house can run. */
async function fillIn(page: Page): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill("trainer-2");
  await page.getByLabel("Image").fill("pytorch/pytorch:2.8.0-cuda12.8-cudnn9-runtime");
  await page.getByText("More options").click();
  await page.getByLabel("Driver").selectOption("fake");
  await page.getByText("More options").click();
  await page.evaluate("scrollTo(0, 0)");
}

async function keep(page: Page, name: string): Promise<void> {
  writeFileSync(path.join(folder, `${name}.png`), smallPng(await page.screenshot()));
}

async function photograph(
  t: TestContext,
  house: TestHouse,
  { theme, width }: { theme: "light" | "dark"; width: number },
  shown: Place[],
): Promise<void> {
  const { page } = await openConsole(t, house, { theme, width, height: 820 });
  for (const { at, name, shows } of shown) {
    await page.goto(at);
    await page.getByText(shows).first().waitFor();
    if (name === "deploy") await fillIn(page);
    await page.waitForTimeout(600); // plots and fonts are painted a moment later
    await keep(page, `${name}-${theme}-${width}`);
  }
}
