// Pictures of the console's pages for the docs. With a folder, it takes all pages, or those with the given
// names, in both themes and at three widths:
// node bin/run.mjs test/console/pictures.ts [folder [name ...]]

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import type { Page } from "playwright-core";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { openConsole, openWindow } from "./browser.ts";
import { writeJobHistory } from "./job-history.ts";
import { createSampleData, type PageVisit, pageVisits, type SampleIds } from "./page-visits.ts";
import { smallPng } from "./png.ts";

const folder = path.resolve(process.argv[2] ?? "docs/console");
const names = process.argv.slice(3);
const looks = process.argv[2]
  ? (["light", "dark"] as const).flatMap((theme) =>
      [1440, 768, 390].map((width) => ({ theme, width, only: names.length > 0 ? names : null })),
    )
  : [
      { theme: "light" as const, width: 1440, only: null },
      { theme: "dark" as const, width: 1440, only: ["overview", "deploy", "endpoint", "jobs"] },
      { theme: "dark" as const, width: 390, only: ["overview", "endpoint"] },
    ];

test("pictures", async (t) => {
  mkdirSync(folder, { recursive: true });
  const service = await startService(t, { protocol: { measureMs: 300 } });
  const ids = await createSampleData(service);
  await service.makeEndpoint({ id: "painter" });
  await writeJobHistory(service, "painter", (await service.makeWorker("painter")).id);
  for (const { theme, width, only } of looks) {
    const visits = visitsOf(ids).filter(({ name }) => only === null || only.includes(name));
    await photograph(t, service, { theme, width }, visits);
  }
  const { page } = await openWindow(t, service, { theme: "light", height: 820 });
  await page.goto("/sign-in");
  await page.getByLabel("Password", { exact: true }).waitFor();
  await save(page, "sign-in-light-1440");
});

/** The endpoint with a job history stands for all endpoints. */
function visitsOf(ids: SampleIds): PageVisit[] {
  return pageVisits(ids).map((visit) => {
    if (visit.name === "endpoint") return { ...visit, address: "/serverless/painter" };
    return visit.name === "jobs" ? { ...visit, shows: "j56" } : visit;
  });
}

/** A Pod that this service can run. */
async function fillIn(page: Page): Promise<void> {
  await page.getByRole("radio", { name: "GPU" }).click();
  await page.getByRole("button", { name: "RTX 4090" }).click();
  await page.getByLabel("Display name").fill("trainer-2");
  await page.getByLabel("Image").fill("pytorch/pytorch:2.8.0-cuda12.8-cudnn9-runtime");
  await page.getByText("More options").click();
  await page.getByLabel("Driver").selectOption("simulated");
  await page.getByText("More options").click();
  await page.evaluate("scrollTo(0, 0)");
}

async function save(page: Page, name: string): Promise<void> {
  writeFileSync(path.join(folder, `${name}.png`), smallPng(await page.screenshot()));
}

async function photograph(
  t: TestContext,
  service: TestService,
  { theme, width }: { theme: "light" | "dark"; width: number },
  visits: PageVisit[],
): Promise<void> {
  const { page } = await openConsole(t, service, { theme, width, height: 820 });
  for (const { address, name, shows } of visits) {
    await page.goto(address);
    await page.getByText(shows).first().waitFor();
    if (name === "deploy") await fillIn(page);
    await page.waitForTimeout(600); // plots and fonts are painted a moment later
    await save(page, `${name}-${theme}-${width}`);
  }
}
