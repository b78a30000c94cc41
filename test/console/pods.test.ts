// Pods in the console: what somebody does who has read nothing, and what others may not.

import assert from "node:assert/strict";
import { test } from "node:test";
import { missing as noEngine } from "../../src/drivers/docker/engine.testing.ts";
import { startContainerHouse } from "../docker/container-house.ts";
import { startHouse } from "../house.ts";
import { missing, openConsole, openWindow } from "./browser.ts";

const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
const own = { env: { FREEHOLD_MACHINE: machine }, protocol: { endGraceMs: 500 } };

test("a newcomer deploys a Pod, follows its log, types in its terminal and ends it", {
  skip: missing || noEngine,
}, async (t) => {
  const house = await startContainerHouse(t, own);
  const { page, complaints } = await openWindow(t, house);
  const begun = performance.now();
  await page.goto(`/#key=${house.key}`);
  await page.getByRole("link", { name: "Pods" }).first().click();
  await page.getByRole("link", { name: "Deploy your first Pod" }).click();
  await page.getByLabel("Name", { exact: true }).fill("newcomer");
  await page.getByLabel("Image").fill(house.shellImage);
  const said = "sh -c 'n=0; while true; do echo said $((n=n+1)); sleep 0.2; done'";
  await page.getByLabel("Start command").fill(said);
  await page.getByLabel("Ports").fill("8080/http");
  await page.getByRole("radio", { name: "CPU" }).click();
  await page
    .getByRole("button", { name: /per vCPU/ })
    .first()
    .click();
  await page.getByLabel("Container disk, GB").fill("1");
  await page.getByLabel("Volume, GB").fill("0");
  await page
    .getByTestId("price")
    .getByText(/^\$\d+\.\d+\/h$/)
    .waitFor();
  await page.getByText('"imageName"').waitFor();
  await page.getByRole("button", { name: "Deploy" }).click();
  await page.getByRole("heading", { name: "newcomer" }).waitFor();
  await page.getByText("Running", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Logs" }).click();
  await page.getByText("said 1", { exact: true }).waitFor();
  await page.getByLabel("Search the log").fill("said 7");
  await page.getByText("said 7", { exact: true }).waitFor();
  t.diagnostic(`from the link to its log: ${Math.round((performance.now() - begun) / 1_000)} s`);

  await page.getByRole("link", { name: "Terminal" }).click();
  const terminal = page.getByLabel("Terminal in newcomer");
  await terminal.locator("textarea").waitFor();
  await page
    .getByText(/[#$]\s*$/)
    .first()
    .waitFor();
  await page.keyboard.type("echo answer $((6*7))\n");
  await terminal.getByText("answer 42").first().waitFor();
  await page.keyboard.type("exit\n");
  await page.getByText("The session has ended").waitFor();

  await page.getByRole("button", { name: "Actions for newcomer" }).click();
  await page.getByRole("menuitem", { name: "Terminate" }).click();
  await page.getByText("This cannot be undone.").waitFor();
  await page.getByRole("button", { name: "Terminate it" }).click();
  await page.getByText("No Pods yet").waitFor();
  assert.deepEqual((await house.call("GET", "/v1/pods")).json, []);
  assert.deepEqual(complaints, []);
});

const wanted = { name: "seen", imageName: "i", driver: "fake" };

test("what happens elsewhere is shown at once, without asking again and again", {
  skip: missing,
}, async (t) => {
  const house = await startHouse(t);
  const { page } = await openConsole(t, house, { at: "/pods" });
  await page.getByText("No Pods yet").waitFor();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const { json: pod } = await house.call("POST", "/v1/pods", wanted);
  await page.getByRole("link", { name: "seen" }).waitFor();
  const table = page.getByRole("table");
  await table.getByText("Running", { exact: true }).waitFor();
  await house.call("POST", `/v1/pods/${pod.id}/stop`);
  await table.getByText("Stopped", { exact: true }).waitFor();
  const lists = asked.filter((path) => path === "/v1/pods").length;
  assert.ok(lists > 0 && lists < 20, `asked ${lists} times for what changed some times`);

  await page.getByLabel("State").selectOption("running");
  await page.getByText("0 of 1 Pod").waitFor();
  await page.getByLabel("State").selectOption("stopped");
  await page.getByRole("link", { name: "seen" }).click();
  await page.getByRole("link", { name: "Events" }).click();
  const events = page.getByRole("list", { name: "Events" });
  await events.getByText("a client stops it").waitFor();
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByTestId("price").getByText("$0.").waitFor();
  await page.getByRole("button", { name: "Start it" }).click();
  await events.getByText("a client starts it").waitFor();
  await events.getByText("the container runs").nth(1).waitFor();
  await page.getByRole("link", { name: "Settings" }).last().click();
  await page.getByLabel("Volume, GB").fill("500");
  await page.getByText(/It costs \$\d\.\d\d\/h while it runs, instead of \$/).waitFor();
});

test("what no machine has is refused with the reason of each", { skip: missing }, async (t) => {
  const small = JSON.stringify({ vcpus: 1, memoryInGb: 1, diskInGb: 500 });
  const house = await startHouse(t, { env: { FREEHOLD_MACHINE: small } });
  const { page } = await openConsole(t, house, { at: "/pods/deploy" });
  await page.getByLabel("Image").fill("i");
  await page.getByRole("radio", { name: "CPU" }).click();
  await page.getByText("More options").click();
  await page.getByLabel("Driver").selectOption("fake");
  await page.getByRole("button", { name: "Deploy" }).click();
  await page.getByText("There are no instances currently available").waitFor();
  await page.getByText("Choose another GPU").waitFor();
  await page.getByText(house.house.replica.machine).waitFor();
});

test("a key that may only read shows everything and changes nothing", {
  skip: missing,
}, async (t) => {
  const house = await startHouse(t);
  await house.call("POST", "/v1/pods", wanted);
  const reader = { name: "reader", permissions: { rest: "read" } };
  const { json: key } = await house.call("POST", "/v1/keys", reader);
  const { page, complaints } = await openConsole(t, house, { at: "/pods", key: key.key });
  await page.getByRole("link", { name: "seen" }).waitFor();
  await page.getByText("reader, read only").waitFor();
  assert.equal(await page.getByRole("link", { name: "Deploy a Pod" }).count(), 0);
  assert.equal(await page.getByRole("button", { name: /Actions/ }).count(), 0);
  await page.goto("/pods/deploy");
  await page.getByText("Your key may only read").waitFor();
  assert.ok(await page.getByRole("button", { name: "Deploy" }).isDisabled());
  assert.deepEqual(complaints, []);
});
