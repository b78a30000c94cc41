// Clusters, sandboxes and Flash apps in the browser: created, used and deleted.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { ask } from "../graphql/ask.ts";
import { build, makeApp } from "../graphql/flash.ts";
import { openConsole, skipReason } from "./browser.ts";

/** The image of the simulated driver. */
async function makeTemplate({ call }: TestService) {
  const settings = { name: "simulated", imageName: "image", driver: "simulated", volumeInGb: 0 };
  assert.equal((await call("POST", "/v1/templates", settings)).status, 200);
}

/** Browsers report refused requests. */
const isUnexpected = (error: string) => !error.includes("400 (Bad Request)");

test("a sandbox is created, runs a command and is deleted", { skip: skipReason }, async (t) => {
  const service = await startService(t);
  await makeTemplate(service);
  const { page, errors } = await openConsole(t, service);
  await page.goto("/sandboxes");
  await page.getByRole("button", { name: "New sandbox" }).click();
  await page.getByLabel("Idle timeout").fill("300");
  await page.getByRole("button", { name: "Create sandbox" }).click();
  await page.getByText("Must be at most 120").waitFor();
  await page.getByLabel("Idle timeout").fill("20");
  await page.getByText("Required").waitFor();
  await page.getByLabel("Template").selectOption({ label: "simulated" });
  await page.getByRole("button", { name: "Add label" }).click();
  await page.getByLabel("Name of label 1").fill("run=42");
  await page.getByText(/^\$0\.0\d+\/h$/).waitFor();
  await page.getByRole("button", { name: "Create sandbox" }).click();
  await page.getByText("20 min: ends in").waitFor();
  await page.getByLabel("Command", { exact: true }).fill("echo $HOME");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("/root", { exact: true }).waitFor();
  await page.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Change limits" }).click();
  await page.getByLabel("Maximum lifetime").fill("120");
  await page.getByRole("button", { name: "Change limits" }).click();
  await page.getByText("2 h: ends in").waitFor();
  await page.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete sandbox" }).click();
  await page.getByText("Deleted", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Sandboxes" }).first().click();
  await page.getByText("No sandboxes").waitFor();
  await page.getByRole("radio", { name: "Ended" }).click();
  await page.getByText("run=42").waitFor();
  await page.reload();
  await page.getByText("run=42").waitFor();
  assert.deepEqual(errors.filter(isUnexpected), []);
});

test("a cluster is created, edited and deleted", { skip: skipReason }, async (t) => {
  const service = await startService(t);
  await makeTemplate(service);
  const { page, errors } = await openConsole(t, service);
  await page.goto("/clusters");
  await page.getByRole("button", { name: "New cluster" }).click();
  await page.getByRole("button", { name: "Create cluster" }).click();
  await page.getByText("Required").first().waitFor();
  await page.getByLabel("Name", { exact: true }).fill("trio");
  await page.getByLabel("GPU type").selectOption("NVIDIA A40");
  await page.getByLabel("Pods").fill("99");
  await page.getByLabel("Template").selectOption({ label: "simulated" });
  await page.getByRole("button", { name: "Create cluster" }).click();
  await page
    .getByText(/no machine|capacity/i)
    .first()
    .waitFor();
  await page.getByLabel("Pods").fill("2");
  await page.getByText(/^\$0\.7\d\/h$/).waitFor();
  await page.getByRole("button", { name: "Add label" }).click();
  await page.getByLabel("Name of label 1").fill("team=vision");
  await page.getByRole("button", { name: "Create cluster" }).click();
  await page.getByText("trio-1").waitFor();
  await page.getByText("MASTER_ADDR").waitFor();
  await page.getByText("team=vision", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Actions for trio" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await page.getByLabel("Name", { exact: true }).fill("duo");
  await page.getByLabel("Value of label 1").fill("robots");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("team=robots", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Actions for duo" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByLabel("Type duo to confirm").fill("duo");
  await page.getByRole("button", { name: "Delete cluster" }).click();
  await page.getByText("No clusters yet").waitFor();
  assert.deepEqual((await service.call("GET", "/v1/pods")).json, []);
  assert.deepEqual(errors.filter(isUnexpected), []);
});

test("an older build of a Flash app is deployed", { skip: skipReason }, async (t) => {
  const service = await startService(t, { replicas: null });
  const { page, errors } = await openConsole(t, service);
  await page.goto("/flash");
  await page.getByText("No Flash apps yet").waitFor();
  const { appId } = await makeApp(service);
  await page.getByText("dev", { exact: true }).waitFor(); // by a change event
  const older = await build(service, appId);
  const newer = await build(service, appId);
  await page.getByRole("link", { name: "a", exact: true }).click();
  for (const id of [newer, older]) {
    await page.getByRole("row", { name: id }).getByRole("button", { name: "Deploy" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Deploy" }).click();
    await until(async () => {
      const { app } = await ask(
        service,
        `{ app: flashApp(flashAppId: "${appId}") { flashEnvironments { activeBuildId } } }`,
      );
      return app.flashEnvironments[0].activeBuildId === id;
    });
  }
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByLabel("Type a to confirm").fill("a");
  await page.getByRole("button", { name: "Delete app" }).click();
  await page.getByText("No Flash apps yet").waitFor();
  assert.deepEqual(errors, []);
});
