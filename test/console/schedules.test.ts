// The pages of schedules: one is created, run, paused, edited and deleted, as a person would.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { openConsole, skipReason } from "./browser.ts";

test("a schedule is created, run, paused, edited, resumed and deleted", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  await service.makeEndpoint({ id: "imaging" });
  const { page, errors } = await openConsole(t, service, { at: "/schedules" });
  await page.getByText("No schedules yet").waitFor();
  await page.getByRole("button", { name: "New schedule" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create schedule" }).click();
  await dialog.getByText("Select an endpoint.").waitFor();
  await dialog.getByLabel("Endpoint").selectOption("imaging");
  await dialog.getByLabel("Name").fill("nightly");
  await dialog.getByLabel("Cron expression").fill("30 4 * * *");
  await dialog.getByLabel("Time zone").fill("Europe/Berlin");
  await dialog.getByText("At 04:30. Next runs:").waitFor();
  await dialog.getByLabel("Input").fill('{"table": ');
  await dialog.getByRole("button", { name: "Create schedule" }).click();
  await dialog.getByText("Enter a JSON object").waitFor();
  await dialog.getByLabel("Input").fill('{"table": "orders"}');
  await dialog.getByRole("button", { name: "Create schedule" }).click();
  const table = page.getByRole("table", { name: "schedules" });
  await table.getByText("30 4 * * *").waitFor();
  const choose = async (item: string) => {
    await page.getByRole("button", { name: "Actions for nightly" }).click();
    await page.getByRole("menuitem", { name: item, exact: true }).click();
  };
  await choose("Run now");
  await table.getByText("Submitted").waitFor();
  await choose("Pause");
  await table.getByText("Paused").waitFor();

  await table.getByRole("link", { name: "nightly" }).click();
  const runs = page.getByRole("table", { name: "Runs" });
  await runs.getByText("On request").waitFor();
  await page.getByRole("note").getByText("The schedule was paused").waitFor();
  await choose("Edit");
  await dialog.getByLabel("Cron expression").fill("@hourly");
  await dialog.getByLabel("If an earlier job has not ended").selectOption("FORBID");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Every hour", { exact: true }).waitFor();
  await page.getByText("Skip the run").waitFor();
  await choose("Resume");
  await page.getByText("Active", { exact: true }).waitFor();

  const [schedule] = (await service.call("GET", "/v1/schedules")).json;
  assert.equal(schedule.concurrencyPolicy, "FORBID");
  const { json } = await service.call("GET", `/v1/schedules/${schedule.id}`);
  assert.deepEqual(json.input, { table: "orders" });
  await runs.getByRole("link").click();
  await page.getByText("orders").first().waitFor();
  await page.goBack();
  await choose("Delete");
  await page.getByRole("button", { name: "Delete schedule" }).click();
  await page.getByText("No schedules yet").waitFor();
  assert.deepEqual((await service.call("GET", "/v1/schedules")).json, []);
  assert.deepEqual(errors, []);
});

test("an endpoint shows its schedules, live", { skip: skipReason }, async (t) => {
  const service = await startService(t);
  await service.makeEndpoint({ id: "imaging" });
  const other = await service.makeEndpoint({ id: "other" });
  const body = { cron: "@daily", input: { big: 1 } };
  await service.call("POST", "/v1/schedules", { ...body, name: "elsewhere", endpointId: other });
  const { page, errors } = await openConsole(t, service, { at: "/serverless/imaging/schedules" });
  await page.getByText("No schedules yet").waitFor();
  await service.call("POST", "/v1/schedules", { ...body, name: "cleanup", endpointId: "imaging" });
  await page.getByRole("link", { name: "cleanup" }).waitFor();
  assert.equal(await page.getByText("elsewhere").count(), 0);
  await page.getByRole("button", { name: "New schedule" }).click();
  assert.equal(await page.getByRole("dialog").getByLabel("Endpoint").count(), 0);
  assert.deepEqual(errors, []);
});
