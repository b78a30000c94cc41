// The pages about an account's past and money, and the page for an unknown address.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { firstAccount } from "../../src/store/account/account.ts";
import { postedOf } from "../../src/store/ledger/ledger.ts";
import { owedOf } from "../../src/store/usage/spending.ts";
import { chargeAll } from "../../src/transactions/money/charge-all.ts";
import { join } from "../accounts/join.ts";
import { startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { openConsole, openWindow, skipReason } from "./browser.ts";

test("the audit log is filtered in the address, by actor, action, resource and time", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const create = async (name: string) =>
    (await service.call("POST", "/v1/secrets", { name, value: "v" })).json.id as string;
  const first = await create("first");
  await create("second");
  await create("second"); // refused: the name is taken
  await service.call("POST", "/v1/budgets", { name: "Daily", period: "day", limit: 100 });
  const { page, errors: complaints } = await openConsole(t, service, { at: "/audit" });
  const entries = page.getByRole("table", { name: "Entries" });
  await entries.getByRole("link", { name: "Secret first" }).waitFor();
  await entries.getByText("Refused: name_taken").waitFor();
  await entries.getByRole("link", { name: "Budget Daily" }).waitFor();

  await page.getByLabel("Resource ID").fill(first);
  await page.waitForURL(`**/audit?resource=${first}`);
  await entries.getByRole("link", { name: "Secret second" }).waitFor({ state: "detached" });
  await entries.getByRole("link", { name: "Secret first" }).waitFor();

  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByLabel("Action").fill("createSec");
  await page.getByLabel("Outcome").selectOption("refused");
  await page.waitForURL("**/audit?*outcome=refused*");
  await entries.getByText("Refused: name_taken").waitFor();
  await entries.getByRole("link").first().waitFor({ state: "detached" });

  // The address alone has the same filters.
  await page.goto("/audit?actor=system&since=1h");
  await page.getByText("No entries match the filters").waitFor();
  assert.equal(await page.getByLabel("Actor").inputValue(), "system");
  assert.deepEqual(complaints, []);
});

test("a long audit log loads page by page", { skip: skipReason }, async (t) => {
  const service = await startService(t);
  for (let n = 0; n < 120; n++)
    await service.call("POST", "/v1/secrets", { name: "a", value: "v" });
  const { page } = await openConsole(t, service, { at: "/audit?action=createSecret" });
  const entries = page.getByRole("table", { name: "Entries" });
  await entries.getByText("createSecret").first().waitFor();
  const table = page.locator("[role=table]");
  assert.equal(await table.getAttribute("aria-rowcount"), "101");
  await page.evaluate("scrollTo(0, document.body.scrollHeight)");
  await page.locator("[role=table][aria-rowcount='121']").waitFor();
});

test("an unknown address is answered by the console's own page", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const { page, errors: complaints } = await openWindow(t, service);
  const answer = await page.goto("/no/such/page");
  assert.equal(answer?.status(), 404);
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await page.getByText("/no/such/page").waitFor();
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByLabel("Password", { exact: true }).waitFor();
  assert.deepEqual(complaints, []);
});

test("earlier addresses lead to the tabs of Keys", { skip: skipReason }, async (t) => {
  const { page, errors: complaints } = await openConsole(t, await startService(t));
  for (const [address, tab] of [
    ["/ssh-keys", "/keys/ssh"],
    ["/s3-keys", "/keys/s3"],
  ] as const) {
    const answer = await page.goto(address);
    assert.equal(answer?.status(), 200);
    await page.waitForURL(`**${tab}`);
  }
  assert.deepEqual(complaints, []);
});

test("billing shows the whole range with an axis, a forecast and the budget", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const body = { name: "trainer", imageName: "i", driver: "simulated" };
  await service.call("POST", "/v1/pods", body);
  await until(async () => {
    await chargeAll(service.service.store, Date.now(), 1_000);
    const { json: report } = await service.call("GET", "/v2/billing");
    return report.metadata.totals.totalAmount > 0;
  }, "");
  await service.call("POST", "/v1/budgets", { name: "Daily", period: "day", limit: 100 });
  const { page, errors: complaints } = await openConsole(t, service, { at: "/billing" });
  await page.getByText("Forecast for this month").waitFor();
  await page.getByText("Budget, $100.00 per day").waitFor();
  const history = page.getByRole("table", { name: "Spending history" });
  await history.getByText("Pods").waitFor();
  await page.getByText("$0.00", { exact: true }).first().waitFor();
  await page.getByRole("radio", { name: "Pods" }).click();
  await page.waitForURL("**/billing?kind=pods");
  await history.getByText("trainer").first().waitFor();

  // A Pod opens into its days and hours, which add up to what the ledger charged.
  const { json: pods } = await service.call("GET", "/v1/pods");
  await service.call("DELETE", `/v1/pods/${pods[0].id}`);
  const { store } = service.service;
  const { id: accountId } = (await store.read(firstAccount))!;
  await until(async () => (await store.read(owedOf, accountId, Date.now())).perHour === 0);
  await chargeAll(store, Date.now(), 1_000);
  const { balance } = await store.read(postedOf, accountId);
  await page.goto(`/billing/pods/${pods[0].id}`);
  await page.getByText("of the days below").waitFor();
  assert.equal(await sumOfAmounts(page, "Days"), -balance);
  await page.getByRole("link", { name: "Hours of" }).last().click();
  await page.waitForURL("**?day=*");
  await page.getByText("of the hours below").waitFor();
  const rows = (await sumOfAmounts(page, "Hours")) / 1e6;
  await page
    .getByText(`$${rows.toFixed(6)}`)
    .first()
    .waitFor();
  assert.deepEqual(complaints, []);
});

test("quotas show what each member holds, and admins set limits", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const ada = await join(service, "dev", "Ada");
  await ada.call("POST", "/v1/pods", { name: "trainer", imageName: "i", driver: "simulated" });
  const { page, errors: complaints } = await openConsole(t, service, { at: "/quotas" });
  const quotas = page.getByRole("table", { name: "Quotas" });
  const set = async (name: string, field: string, limit: string) => {
    await page.getByRole("button", { name: `Set limits: ${name}` }).click();
    await page.getByLabel(field, { exact: true }).fill(limit);
    await page.getByRole("button", { name: "Save limits" }).click();
    await page.getByText(`Limits of ${name} changed`, { exact: true }).waitFor();
  };
  await set("Default of a member", "Running Pods", "3");
  await quotas.getByText("1 of 3").waitFor();
  await set("Whole account", "Dollars per hour", "7.5");
  await set("Ada", "GPUs by type", "NVIDIA A40=0");
  await quotas.getByTitle("NVIDIA A40").waitFor(); // a form opened before would not know the limit
  const own = async () => (await service.call("GET", "/v1/quota")).json.members[0].limits;
  const limits = { pods: 3, gpuTypes: { "NVIDIA A40": 0 } };
  assert.deepEqual(await own(), limits);
  await page.getByRole("button", { name: "Set limits: Ada" }).click();
  await page.getByLabel("Running Pods", { exact: true }).fill("many");
  await page.getByRole("button", { name: "Save limits" }).click();
  await page.getByText("number from 0").waitFor();
  await page.getByLabel("Running Pods", { exact: true }).fill("0");
  await page.getByLabel("GPUs by type").fill("");
  await page.getByRole("button", { name: "Save limits" }).click();
  // A lower limit stops nothing, and the page says what is over.
  await page.getByText("Ada: 1 of 0 running Pods").waitFor();
  assert.deepEqual(await own(), { pods: 0 });
  // What is guaranteed to a project is set where its limits are.
  await service.call("POST", "/v1/projects", { name: "vision" });
  await page.goto("/projects");
  await page.getByRole("button", { name: "Actions for vision" }).click();
  await page.getByRole("menuitem", { name: "Guarantees" }).click();
  const guaranteed = page.getByLabel("Guaranteed GPUs by type");
  await guaranteed.fill("NVIDIA A40=many");
  await page.getByRole("button", { name: "Save guarantees" }).click();
  await page.getByText("a type and a whole number").waitFor();
  await guaranteed.fill("NVIDIA A40=2");
  await page.getByLabel("Weight").fill("3");
  await page.getByRole("button", { name: "Save guarantees" }).click();
  await page.getByText("Guarantees of vision changed", { exact: true }).waitFor();
  await page.goto("/quotas");
  await page.getByRole("table", { name: "Guaranteed GPUs" }).getByText("vision").waitFor();
  const shares = page.getByRole("table", { name: "Share over time" });
  await shares
    .getByRole("row")
    .filter({ hasText: "vision" })
    .getByText("3", { exact: true })
    .waitFor();
  await page.goto("/accounts");
  await page
    .getByRole("button", { name: /Actions for/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "Limits" }).click();
  const cost = page.getByLabel("Dollars per hour", { exact: true });
  assert.equal(await cost.inputValue(), "7.5");
  assert.deepEqual(complaints, []);
});

test("the command palette opens pages and resources by name", { skip: skipReason }, async (t) => {
  const service = await startService(t);
  await service.makeEndpoint({ id: "imaging" });
  const { page, errors: complaints } = await openConsole(t, service);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search pages and resources" }).fill("imaging");
  await page.getByRole("option", { name: "imaging Endpoint" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/serverless/imaging");
  await page.getByRole("button", { name: "Go to" }).click();
  await page.getByRole("dialog", { name: "Go to" }).waitFor();
  const backdrop = "getComputedStyle(document.elementFromPoint(2, 2)).backgroundColor";
  assert.match(await page.evaluate<string>(backdrop), /0\.45/);
  await page.keyboard.type("audit");
  await page.getByRole("option", { name: "Audit log Page" }).click();
  await page.waitForURL("**/audit");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("S3 keys");
  await page.getByRole("option", { name: "S3 keys Page" }).click();
  await page.waitForURL("**/keys/s3");
  await page.getByRole("navigation", { name: "Kinds of keys" }).getByText("SSH").click();
  await page.getByRole("heading", { name: "SSH keys", exact: true }).waitFor();
  assert.deepEqual(complaints, []);
});

/** In micro-dollars: the last cells of all rows but the header. */
async function sumOfAmounts(page: Page, table: string): Promise<number> {
  const rows = page.getByRole("table", { name: table, exact: true }).getByRole("row");
  const texts = await rows.evaluateAll((all) =>
    all.map((row) => row.lastElementChild!.textContent!),
  );
  return texts.slice(1).reduce((sum, text) => sum + Math.round(Number(text.slice(1)) * 1e6), 0);
}
