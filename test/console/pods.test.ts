// Pods in the console: from the first deployment to termination, live updates, and read-only keys.

import assert from "node:assert/strict";
import { hostname } from "node:os";
import { test } from "node:test";
import { freehold } from "../cli/command.ts";
import { startContainerService } from "../docker/container-service.ts";
import { skipReason as noEngine } from "../fixtures/docker/engine.ts";
import { startService } from "../fixtures/service/service.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
import { openConsole, openWindow, skipReason } from "./browser.ts";

const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
const serviceOptions = { env: { FREEHOLD_MACHINE: machine }, protocol: { endGraceMs: 500 } };

test("a Pod is deployed, logged, opened in a terminal and terminated", {
  skip: skipReason || noEngine,
}, async (t) => {
  const service = await startContainerService(t, serviceOptions);
  const { page, errors: complaints } = await openWindow(t, service);
  const startedAt = performance.now();
  await page.goto(`/#key=${service.key}`);
  await page.getByRole("link", { name: "Pods" }).first().click();
  await page.getByRole("link", { name: "Deploy your first Pod" }).click();
  await page.getByLabel("Display name").fill("first-pod");
  await page.getByLabel("Image").fill(service.shellImage);
  const command = "sh -c 'n=0; while true; do echo said $((n=n+1)); sleep 0.2; done'";
  await page.getByLabel("Start command").fill(command);
  await page.getByLabel("Ports").fill("8080/http");
  await page.getByRole("radio", { name: "CPU" }).click();
  await page
    .getByRole("button", { name: /per vCPU/ })
    .first()
    .click();
  await page.getByLabel("Container disk in GB").fill("1");
  await page.getByLabel("Volume in GB").fill("0");
  await page
    .getByTestId("price")
    .getByText(/^\$\d+\.\d+\/h$/)
    .waitFor();
  await page.getByText('"imageName"').waitFor();
  await page.getByRole("button", { name: "Deploy" }).click();
  await page.getByRole("heading", { name: "first-pod" }).waitFor();
  await page.getByText("Running", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Logs" }).click();
  await page.getByText("said 1", { exact: true }).waitFor();
  await page.getByLabel("Search the log").fill("said 7");
  await page.getByText("said 7", { exact: true }).waitFor();
  t.diagnostic(
    `from the link to its log: ${Math.round((performance.now() - startedAt) / 1_000)} s`,
  );

  await page.getByRole("link", { name: "Terminal" }).click();
  const terminal = page.getByLabel("Terminal in first-pod");
  await terminal.locator("textarea").waitFor();
  await page
    .getByText(/[#$]\s*$/)
    .first()
    .waitFor();
  await page.keyboard.type("echo answer $((6*7))\n");
  await terminal.getByText("answer 42").first().waitFor();
  await page.keyboard.type("exit\n");
  await page.getByText("Session ended").waitFor();

  await page.getByRole("button", { name: "Actions for first-pod" }).click();
  await page.getByRole("menuitem", { name: "Terminate" }).click();
  await page.getByText("This cannot be undone.").waitFor();
  await page.getByRole("button", { name: "Terminate Pod" }).click();
  await page.getByText("No Pods yet").waitFor();
  assert.deepEqual((await service.call("GET", "/v1/pods")).json, []);
  assert.deepEqual(complaints, []);
});

const podRequest = { name: "seen", imageName: "i", driver: "simulated" };

test("changes elsewhere appear at once, without polling", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const { page } = await openConsole(t, service, { at: "/pods" });
  await page.getByText("No Pods yet").waitFor();
  const requestedPaths: string[] = [];
  page.on("request", (request) => requestedPaths.push(new URL(request.url()).pathname));
  const { json: pod } = await service.call("POST", "/v1/pods", podRequest);
  await page.getByRole("link", { name: "seen" }).waitFor();
  const table = page.getByRole("table");
  await table.getByText("Running", { exact: true }).waitFor();
  await table.getByText("Simulated", { exact: true }).waitFor();
  await service.call("POST", `/v1/pods/${pod.id}/stop`);
  await table.getByText("Stopped", { exact: true }).waitFor();
  const lists = requestedPaths.filter((path) => path === "/v1/pods").length;
  assert.ok(lists > 0 && lists < 20, `asked ${lists} times for what changed some times`);

  await page.getByLabel("Status").selectOption("running");
  await page.getByText("0 of 1 Pod").waitFor();
  await page.getByLabel("Status").selectOption("stopped");
  await page.getByRole("link", { name: "seen" }).click();
  await page.getByRole("heading", { name: "seen" }).getByText("Simulated").waitFor();
  await page.getByRole("link", { name: "Events" }).click();
  const events = page.getByRole("list", { name: "Events" });
  await events.getByText("a client stops it").waitFor();
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByTestId("price").getByText("$0.").waitFor();
  await page.getByRole("button", { name: "Start Pod" }).click();
  await events.getByText("a client starts it").waitFor();
  await events.getByText("the container runs").nth(1).waitFor();
  await page.getByRole("link", { name: "Settings" }).last().click();
  await page.getByLabel("Volume in GB").fill("500");
  await page.getByText(/Price while running: \$\d\.\d\d\/h, currently \$/).waitFor();
});

test("a Pod that crashed is not shown as stopped, nor one whose image is pulled as running", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t, virtual);
  const act = (name: string, ...args: string[]) =>
    service.call("POST", "/v1/pods", {
      name,
      imageName: "i",
      driver: "simulated",
      dockerStartCmd: ["simulate", ...args],
    });
  await act("crasher", "--crash-at-start", "--exit-code", "3");
  await act("misspelt", "--no-such-trait");
  await act("puller", "--pull-ms", "86400000");
  await act("server");
  await advance(service, "5m");
  const { page, errors } = await openConsole(t, service, { at: "/pods", width: 1600 });
  const stateOf = (name: string) =>
    page.getByRole("row", { name }).locator(".rounded-full").first();
  await page.getByText("Crashed (exit 3)").waitFor();
  assert.match((await stateOf("crasher").getAttribute("class")) ?? "", /text-bad/);
  for (const [name, state] of [
    ["misspelt", "Start failed"],
    ["puller", "Starting"],
    ["server", "Running"],
  ] as const) {
    assert.equal(await stateOf(name).textContent(), state);
  }
  await advance(service, "3h");
  await page.getByRole("row", { name: "server" }).getByText("3 h ago").waitFor();
  await page.getByLabel("Status").selectOption("crashed");
  await page.getByText("1 of 4 Pods").waitFor();
  const { stdout } = await freehold(["pods", "--data", service.dataFolder]);
  assert.match(stdout, /crasher +CRASHED \(exit 3\) /);
  assert.match(stdout, /misspelt +START FAILED /);
  assert.match(stdout, /puller +STARTING /);
  assert.match(stdout, /server +RUNNING .* 3 h/);
  assert.deepEqual(errors, []);
});

test("a GPU is chosen by its memory, and virtual ones are marked", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const { page, errors: complaints } = await openConsole(t, service, { at: "/pods/deploy" });
  // There is no real GPU.
  await page.getByRole("radio", { name: "CPU", checked: true }).waitFor();
  await page.getByRole("radio", { name: "GPU" }).click();
  await page.getByText("There are only simulated GPUs here.").waitFor();
  const group = page.getByRole("region", { name: "20 to 24 GB" });
  await group.getByRole("button", { name: /RTX 4090.*8 available, simulated/ }).click();
  await page.getByLabel("Display name").fill("trainer");
  await page.getByText("More options").click();
  await page.getByLabel("Driver").selectOption("simulated");
  await page.getByLabel("Image").fill("i");
  await page.getByRole("button", { name: "Add label" }).click();
  await page.getByLabel("Value of label 1").fill("ads");
  await page.getByRole("button", { name: "Deploy" }).click();
  await page.getByText("Enter a name for each label").waitFor();
  await page.getByLabel("Name of label 1").fill("team");
  await page.getByRole("button", { name: "Deploy" }).click();
  await page.getByRole("heading", { name: "trainer" }).waitFor();
  await page.getByText("1 × RTX 4090 (simulated)").waitFor();
  await page.getByText(/\$\d.*to date/).waitFor();
  const [pod] = (await service.call("GET", "/v1/pods")).json;
  assert.equal(pod.gpu.virtual, true);
  assert.deepEqual(pod.labels, { team: "ads" });
  await page.goto("/pods");
  await page.getByRole("row", { name: /trainer.*simulated/i }).waitFor();
  assert.deepEqual(complaints, []);
});

test("a Pod without capacity fails with the reason of each machine", {
  skip: skipReason,
}, async (t) => {
  const small = JSON.stringify({ vcpus: 1, memoryInGb: 1, diskInGb: 500 });
  const env = { FREEHOLD_MACHINE: small, FREEHOLD_CPU_OVERCOMMIT: "8" };
  const service = await startService(t, { env });
  const { page } = await openConsole(t, service, { at: "/pods/deploy" });
  await page.getByLabel("Image").fill("i");
  await page.getByRole("radio", { name: "CPU" }).click();
  await page.getByText("More options").click();
  await page.getByLabel("Driver").selectOption("simulated");
  await page.getByRole("button", { name: "Deploy" }).click();
  await page.getByText("There are no instances currently available").waitFor();
  await page.getByText("Ask for less or for another type").waitFor();
  const reason = `${hostname()}: it has 1 vCPUs and 2 are asked for`;
  await page.getByRole("listitem").filter({ hasText: reason }).first().waitFor();
  await page.goto("/machines");
  await page.getByText(/CPUs are over-committed 8 times/).waitFor();
  await page.getByText("0 of 8", { exact: true }).waitFor();
});

test("Pods are sorted and filtered in the address, and several are stopped and terminated at once", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  for (const [name, vcpuCount] of [
    ["worker-9", 4],
    ["worker-10", 2],
    ["other", 2],
  ] as const) {
    const body = { ...podRequest, name, computeType: "CPU", vcpuCount, volumeInGb: 0 };
    await service.call("POST", "/v1/pods", body);
  }
  const { page, errors: complaints } = await openConsole(t, service, { at: "/pods?sort=pod" });
  const table = page.getByRole("table", { name: "Pods" });
  const names = () => table.getByRole("link").allTextContents();
  const address = () => new URL(page.url()).search;
  await table.getByRole("link").nth(2).waitFor();
  assert.deepEqual(await names(), ["other", "worker-9", "worker-10"]);
  const header = table.getByRole("columnheader", { name: "Pod", exact: true });
  assert.equal(await header.getAttribute("aria-sort"), "ascending");
  await header.getByRole("button").click();
  await page.waitForURL("**/pods?sort=-pod");
  assert.deepEqual(await names(), ["worker-10", "worker-9", "other"]);
  await header.getByRole("button").click();
  await page.waitForURL("**/pods");
  await table.getByRole("button", { name: "Price" }).click();
  await page.waitForURL("**/pods?sort=-price");
  assert.equal((await names())[0], "worker-9");
  await page.getByLabel("Search Pods").fill("worker");
  await page.waitForURL("**q=worker**");
  await page.getByLabel("Status").selectOption("running");
  await page.waitForURL("**status=running**");
  assert.equal(address(), "?sort=-price&q=worker&status=running");
  await page.reload();
  await page.getByText("2 of 3 Pods").waitFor();
  assert.equal(await page.getByLabel("Search Pods").inputValue(), "worker");
  await table
    .getByText(/^CPU \d+%$/)
    .first()
    .waitFor();

  await page.getByLabel("Select all Pods").check();
  await page.getByText("2 Pods selected").waitFor();
  await page.getByRole("button", { name: "Stop 2" }).click();
  await page.getByRole("dialog").getByText("worker-10").waitFor();
  await page.getByRole("button", { name: "Stop 2 Pods" }).click();
  await page.getByText("0 of 3 Pods").waitFor();
  await page.getByLabel("Status").selectOption("stopped");
  await page.getByLabel("Select worker-9").check();
  await page.getByLabel("Select worker-10").check();
  await page.getByRole("button", { name: "Terminate 2" }).click();
  await page.getByRole("button", { name: "Terminate 2 Pods" }).click();
  await page.getByText("0 of 1 Pod").waitFor();
  const { json: pods } = await service.call("GET", "/v1/pods");
  assert.deepEqual(
    pods.map(({ name, desiredStatus }: Record<string, unknown>) => [name, desiredStatus]),
    [["other", "RUNNING"]],
  );
  assert.deepEqual(complaints, []);
});

test("a read-only key shows everything and changes nothing", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  await service.call("POST", "/v1/pods", podRequest);
  const reader = { name: "reader", permissions: { rest: "read" } };
  const { json: key } = await service.call("POST", "/v1/keys", reader);
  const { page, errors: complaints } = await openConsole(t, service, { at: "/pods", key: key.key });
  await page.getByRole("link", { name: "seen" }).waitFor();
  await page.getByText("reader (read-only)").waitFor();
  assert.equal(await page.getByRole("link", { name: "Deploy Pod" }).count(), 0);
  assert.equal(await page.getByRole("button", { name: /Actions/ }).count(), 0);
  await page.goto("/pods/deploy");
  await page.getByText("Your API key is read-only").waitFor();
  assert.ok(await page.getByRole("button", { name: "Deploy" }).isDisabled());
  assert.deepEqual(complaints, []);
});
