// Every page in both themes, on a wide screen and on a phone, and the sign-in page and the documentation also on a
// tablet. test/console/every-page.test.ts has the other pages on a tablet.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { openConsole, openWindow, skipReason } from "./browser.ts";
import { checkPage, DESKTOP, PHONE, TABLET, visitEveryPage } from "./page-checks.ts";

for (const look of [DESKTOP, PHONE]) {
  test(`every page, ${look.theme}, ${look.width} px`, { skip: skipReason }, (t) =>
    visitEveryPage(t, look),
  );
}

test("the sign-in page", { skip: skipReason }, async (t) => {
  const service = await startService(t);
  for (const look of [DESKTOP, TABLET, PHONE]) {
    const { page } = await openWindow(t, service, look);
    await page.goto("/sign-in");
    await page.getByLabel("Password", { exact: true }).waitFor();
    await checkPage(page, "/sign-in", look.axe);
  }
});

test("the documentation and its search", { skip: skipReason }, async (t) => {
  const service = await startService(t);
  for (const look of [DESKTOP, TABLET, PHONE]) {
    const { page, errors: complaints } = await openWindow(t, service, look);
    await page.goto("/docs/console");
    await checkPage(page, "/docs/console", look.axe);
    const search = page.getByRole("combobox", { name: "Search the docs" });
    await search.fill("billing forecast");
    const result = page.getByRole("option", { name: "Console: Billing" });
    await result.waitFor();
    await checkPage(page, "the search", look.axe);
    await search.fill("no such words anywhere");
    await page.getByText("No section matches.").waitFor();
    await search.fill("Sign in");
    await page.getByRole("option", { name: "Console: Sign in" }).click();
    await page.waitForURL("**/docs/console#sign-in");
    assert.deepEqual(complaints, []);
  }
});

test("an operator's navigation fits a window of 900 px", { skip: skipReason }, async (t) => {
  const service = await startService(t);
  const { page } = await openConsole(t, service, { width: 1280, height: 900 });
  const main = page.getByRole("navigation", { name: "Main" });
  await main.getByRole("link", { name: "Accounts" }).waitFor();
  const hidden = await main.evaluate((nav) => nav.scrollHeight - nav.clientHeight);
  assert.ok(hidden <= 0, `${hidden} px of the navigation are hidden`);
});
