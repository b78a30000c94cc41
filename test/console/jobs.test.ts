// A newcomer's first job: sent on a page, and its output and its worker's log found by links alone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startHouse } from "../house.ts";
import { missing, openConsole } from "./browser.ts";

const body = (name: string) => JSON.stringify({ input: { name } });

test("a job is sent to hello, and its output and log are found", { skip: missing }, async (t) => {
  const house = await startHouse(t, { drivers: "process" });
  const { page, complaints } = await openConsole(t, house);
  await page.getByRole("link", { name: "Endpoints" }).click();
  await page.getByRole("link", { name: "hello" }).click();
  await page.getByRole("link", { name: "Request" }).click();
  await page.getByLabel("Body").fill('{ "input": ');
  await page.getByText("This is no JSON").waitFor();
  assert.ok(await page.getByRole("button", { name: "Send" }).isDisabled());
  await page.getByLabel("Body").fill(body("browser"));
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("Hello, browser!").waitFor({ timeout: 60_000 });
  await page.getByText("The log of its worker").click();
  await page.getByRole("log").getByText("takes jobs").waitFor({ timeout: 60_000 });
  await page.getByLabel("Search the log").fill("takes jobs");
  await page.getByText("1 line found").waitFor();
  assert.deepEqual(complaints, []);
});

test("jobs appear as they come, and are cancelled together", { skip: missing }, async (t) => {
  const house = await startHouse(t);
  await house.makeEndpoint({ id: "imaging" });
  const { page, complaints } = await openConsole(t, house, { at: "/serverless/imaging/jobs" });
  await page.getByText("No jobs yet").waitFor();
  const ids: string[] = [];
  for (const name of ["first", "second"]) {
    ids.push((await house.call("POST", "/v2/imaging/run", body(name))).json.id);
  }
  for (const id of ids) await page.getByLabel(`Choose job ${id}`).click();
  await page.getByRole("button", { name: "Cancel 2" }).click();
  await page.getByText("2 jobs cancelled").first().waitFor();
  await page.getByText("Cancelled").nth(1).waitFor();
  const { json } = await house.call("GET", "/v1/jobs?status=CANCELLED");
  assert.equal(json.length, 2);
  assert.deepEqual(complaints, []);
});

test("an endpoint is made from an image, changed and deleted", { skip: missing }, async (t) => {
  const house = await startHouse(t);
  const { page, complaints } = await openConsole(t, house, { at: "/serverless/new" });
  await page.getByLabel("Name").fill("painter");
  await page.getByLabel("Image").fill("ghcr.io/acme/painter:1.0");
  await page.getByLabel("RTX 4090").click();
  await page.getByLabel("Workers at least").fill("1");
  await page.getByTestId("price").getByText(/^\$\d/).first().waitFor();
  await page.getByRole("button", { name: "Create endpoint" }).click();
  await page.getByRole("heading", { name: "painter" }).waitFor();
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Workers at most").fill("7");
  await page.getByText("This takes effect at once").waitFor();
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("1 to 7").waitFor();
  const [made] = (await house.call("GET", "/v1/endpoints")).json.filter(
    ({ name }: { name: string }) => name === "painter",
  );
  assert.deepEqual([made.workersMin, made.workersMax, made.version], [1, 7, 1]);
  await page.getByLabel("Actions for painter").click();
  await page.getByText("Delete endpoint").click();
  await page.getByLabel("Type painter to go on").fill("painter");
  await page.getByRole("button", { name: "Delete endpoint" }).click();
  await page.getByText("Endpoint painter is deleted").first().waitFor();
  assert.equal((await house.call("GET", `/v1/endpoints/${made.id}`)).status, 404);
  assert.deepEqual(complaints, []);
});
