// What the operator does on pages: machines, prices; and a savings plan at one of them.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { pinHostKey } from "../../src/store/remote-machine/remote-machine.ts";
import { recordUnknownInstallations } from "../../src/store/unknown-installation/unknown-installation.ts";
import { newDataFolder, startService } from "../fixtures/service/service.ts";
import { openConsole, skipReason } from "./browser.ts";

test("a machine is drained, put into maintenance, and takes workloads again", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const machine = async () => (await service.call("GET", "/v1/machines")).json[0];
  const { name: hostName } = await machine();
  assert.equal(hostName, hostname());
  const { page, errors: complaints } = await openConsole(t, service, { at: "/machines" });
  const act = async (name: string) => {
    await page.getByLabel(`Actions for ${hostName}`).first().click();
    await page.getByRole("menuitem", { name }).click();
  };
  // A dialog begins in its first field, or at the harmless button, and gives the focus back.
  const focus = page.locator(":focus");
  const opener = page.getByLabel(`Actions for ${hostName}`).first();
  await act("Drain");
  await page.getByRole("button", { name: "Cancel" }).and(focus).waitFor();
  await page.keyboard.press("Escape");
  await opener.and(focus).waitFor();
  await page.getByRole("button", { name: "Add machine" }).click();
  await page.getByLabel("Address").and(focus).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Add machine" }).and(focus).waitFor();

  await act("Drain");
  await page.getByText("Running Pods and volumes stay").waitFor();
  await page.getByRole("button", { name: "Drain machine" }).click();
  await page.getByText("Draining", { exact: true }).waitFor();
  assert.equal((await machine()).draining, true);
  await act("Stop draining");
  await page.getByText("Online").first().waitFor();
  // Forms and pages use the time zone that the person chose.
  await page.goto("/settings");
  await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
  await page.getByText("Times in Asia/Tokyo (UTC+09:00)").waitFor();
  await page.goto("/machines");
  await act("Schedule maintenance");
  await page.getByLabel("Start").fill("2030-05-01T08:00");
  await page.getByLabel("End").fill("2030-05-01T09:30");
  await page.getByLabel("Note").fill("A new disk");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("A new disk").waitFor();
  const planned = await machine();
  assert.equal(planned.maintenanceStart, "2030-04-30T23:00:00.000Z");
  assert.equal(planned.maintenanceEnd, "2030-05-01T00:30:00.000Z");
  await page.getByText("2030-05-01 08:00").waitFor();
  await page.getByRole("button", { name: "Add machine" }).click();
  await page.getByLabel("Address").fill("ssh://me@127.0.0.1:1");
  await page.getByLabel("Name").fill("nobody");
  await page.getByRole("dialog").getByRole("button", { name: "Add machine" }).click();
  await page.getByLabel("Actions for nobody").waitFor();
  const added = (await service.call("GET", "/v1/machines")).json.find(
    ({ name }: { name?: string }) => name === "nobody",
  );
  await service.service.store.write(pinHostKey, added.id, "SHA256:first");
  await page.reload();
  await page.getByLabel("Actions for nobody").click();
  await page.getByRole("menuitem", { name: "Reset host key" }).click();
  await page.getByText("SHA256:first", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Reset host key" }).click();
  await page.getByText("Host key of nobody reset", { exact: true }).waitFor();
  await page.getByLabel("Actions for nobody").click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByLabel("Type nobody to confirm").fill("nobody");
  await page.getByRole("button", { name: "Remove machine" }).click();
  await page.getByLabel("Actions for nobody").waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
});

test("the page of a machine lists its Pods, and removes what other installations left", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const {
    json: [{ id }],
  } = await service.call("GET", "/v1/machines");
  const { store } = service.service;
  const leftover = { containers: 3, running: 1, networks: 1, volumes: 2 };
  const leftovers = ["one", "two"].map((installation) => ({ ...leftover, installation }));
  await store.write(recordUnknownInstallations, id, leftovers);
  const { page, errors: complaints } = await openConsole(t, service, { at: "/machines" });
  await page.getByText("2 other data folders left 6 containers (2 running)").waitFor();
  await service.call("POST", "/v1/pods", { name: "trainer", imageName: "i", driver: "simulated" });
  await page.getByRole("link", { name: "Review and clean" }).click();
  await page.getByRole("heading", { name: "Details" }).waitFor();
  assert.equal(new URL(page.url()).pathname, `/machines/${id}`);
  await page.getByRole("link", { name: "trainer" }).waitFor();
  const installations = page.getByRole("list", { name: "Other installations" });
  const one = installations.getByRole("listitem").filter({ hasText: "one" });
  await one.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Remove installation" }).click();
  await one.getByText("Removing").waitFor();
  assert.deepEqual(complaints, []);
});

test("a price is changed, and a plan that is bought at the new price is shown", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const { page, errors: complaints } = await openConsole(t, service, { at: "/prices" });
  await page.getByLabel("Search GPU types").fill("NVIDIA A40");
  await page.getByRole("button", { name: "Edit NVIDIA A40" }).click();
  await page.getByLabel("3 months").fill("0.25");
  await page.getByRole("button", { name: "Update 1 price" }).click();
  await page.getByRole("row", { name: "NVIDIA A40" }).getByText("$0.25").waitFor();
  await page.getByText("to $0.25").waitFor();
  await page.goto("/billing");
  await page.getByRole("heading", { name: "Budgets" }).waitFor();
  assert.equal(await page.getByText("Savings plans").count(), 0);
  const plan = { gpuTypeId: "NVIDIA A40", gpuCount: 2, planLength: "threeMonth" };
  await service.call("POST", "/v1/savings-plans", plan);
  await page.getByText("2 × A40").waitFor();
  await page.getByText("$1,095.00").first().waitFor();
  await page.getByText("Active").waitFor();
  assert.deepEqual(complaints, []);
});

test("GPUs without a price get one on the page of prices and on that of their machine", {
  skip: skipReason,
}, async (t) => {
  const dataFolder = newDataFolder();
  const gpus = [
    { name: "ACME Nova", memoryMb: 12_282, count: 2 },
    { name: "AMD Radeon PRO W7900", memoryMb: 46_064 },
  ];
  writeFileSync(path.join(dataFolder, "freehold.gpus.json"), JSON.stringify({ gpus }));
  const service = await startService(t, { drivers: "simulated", replicas: null, dataFolder });
  const { page, errors: complaints } = await openConsole(t, service, { at: "/" });
  await page.getByText("3 GPUs cannot be rented for want of a price: ACME Nova, AMD").waitFor();
  await page.goto("/prices");
  await page.getByRole("button", { name: "Set the price of ACME Nova" }).click();
  const dialog = page.getByRole("dialog");
  assert.equal(await dialog.getByLabel("Memory, in GB").inputValue(), "12");
  await dialog.getByRole("button", { name: "Set price" }).click();
  await dialog.getByText("Set a price; 0 is one").waitFor();
  await dialog.getByLabel("On demand").fill("0.5");
  await dialog.getByLabel("Spot").fill("0.2");
  await dialog.getByLabel("Display name").fill("Nova");
  await dialog.getByRole("button", { name: "Set price" }).click();
  await page.getByLabel("Search GPU types").fill("ACME");
  await page.getByRole("row", { name: "ACME Nova" }).getByText("$0.20").first().waitFor();
  const [{ id }] = (await service.call("GET", "/v1/machines")).json;
  await page.goto(`/machines/${id}`);
  await page.getByRole("button", { name: "Set the price of AMD Radeon PRO W7900" }).click();
  await dialog.getByLabel("On demand").fill("0");
  await dialog.getByRole("button", { name: "Set price" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("list", { name: "GPUs without a price" }).waitFor({ state: "detached" });
  const types = (await service.call("GET", "/v1/price-book")).json.gpuTypes;
  const added = types.filter(({ source }: { source: string }) => source === "priceBook");
  assert.deepEqual(
    added.map((type: Record<string, unknown>) => [
      type.id,
      type.displayName,
      type.memoryInGb,
      type.securePrice,
      type.secureSpotPrice,
    ]),
    [
      ["ACME Nova", "Nova", 12, 0.5, 0.2],
      ["AMD Radeon PRO W7900", "PRO W7900", 48, 0, 0],
    ],
  );
  await page.goto("/prices");
  await page.getByLabel("Search GPU types").fill("ACME");
  await page.getByRole("button", { name: "Actions for ACME Nova" }).click();
  await page.getByRole("menuitem", { name: "Remove price" }).click();
  await dialog.getByText("What runs on it stays").waitFor();
  await dialog.getByRole("button", { name: "Remove price" }).click();
  await page.getByRole("button", { name: "Set the price of ACME Nova" }).waitFor();
  assert.deepEqual(complaints, []);
});

test("GPUs are divided into shares and made whole again on the page of their machine", {
  skip: skipReason,
}, async (t) => {
  const dataFolder = newDataFolder();
  const gpus = [{ name: "NVIDIA A100-SXM4-80GB", memoryMb: 81_920, count: 2 }];
  writeFileSync(path.join(dataFolder, "freehold.gpus.json"), JSON.stringify({ gpus }));
  const service = await startService(t, { drivers: "simulated", replicas: null, dataFolder });
  const machine = async () => (await service.call("GET", "/v1/machines")).json[0];
  const sharesOf = async () =>
    (await machine()).gpuDevices.map(({ shares }: { shares?: { count: number } }) => shares?.count);
  const { page, errors: complaints } = await openConsole(t, service, {
    at: `/machines/${(await machine()).id}`,
  });
  const dialog = page.getByRole("dialog");
  const save = () => dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Divide GPU 0" }).click();
  await dialog.getByText("declared, not enforced").waitFor();
  await dialog.getByLabel("Shares", { exact: true }).fill("4");
  await save();
  await dialog.getByText("Must be a whole number of GB").waitFor();
  await dialog.getByLabel("Memory of each").fill("40");
  await save();
  await dialog.getByText("4 shares have at most 20 GB each").waitFor();
  await dialog.getByLabel("Memory of each").fill("20");
  await dialog.getByLabel("Also the 1 other GPU of this type").click();
  await save();
  const devices = page.getByRole("list", { name: "GPUs", exact: true });
  await devices.getByText("4 × 20 GB, 0 in use").nth(1).waitFor();
  assert.deepEqual(await sharesOf(), [4, 4]);
  await page.getByRole("button", { name: "Divide GPU 1" }).click();
  await dialog.getByLabel("Offer it as").selectOption("whole");
  await save();
  await dialog.waitFor({ state: "detached" });
  assert.deepEqual(await sharesOf(), [4, undefined]);
  // Chromium logs the refusal that the form shows.
  assert.deepEqual(
    complaints.filter((error) => !error.includes("status of 400")),
    [],
  );
});

test("a GPU is divided into MIG devices, and its row says what was refused", {
  skip: skipReason,
}, async (t) => {
  const dataFolder = newDataFolder();
  const gpus = [{ name: "NVIDIA A100-SXM4-80GB", memoryMb: 81_920 }, { name: "NVIDIA A40" }];
  writeFileSync(path.join(dataFolder, "freehold.gpus.json"), JSON.stringify({ gpus }));
  const env = { FREEHOLD_GPU_CHECKS: '{"migLayouts": "set"}' };
  const service = await startService(t, { drivers: "simulated", replicas: null, dataFolder, env });
  const [{ id }] = (await service.call("GET", "/v1/machines")).json;
  const { page } = await openConsole(t, service, { at: `/machines/${id}` });
  const dialog = page.getByRole("dialog");
  const divide = async (name: string, profiles: string) => {
    await page.getByRole("button", { name }).click();
    await dialog.getByLabel("Offer it as").selectOption("mig");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Enter one profile or more").waitFor();
    await dialog.getByLabel("Profiles").fill(profiles);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
  };
  const devices = page.getByRole("list", { name: "GPUs", exact: true });
  await divide("Divide GPU 0", "3g.40gb, 3g.40gb");
  await devices.getByText("MIG 3g.40gb").nth(1).waitFor();
  await divide("Divide GPU 1", "1g.10gb");
  await devices.getByText("MIG layout refused").waitFor();

  await page.getByRole("button", { name: "Cordon GPU 0", exact: true }).click();
  await devices.getByText("cordoned").first().waitFor();
  await page.getByRole("button", { name: "Divide GPU 0" }).click();
  await dialog.getByLabel("Offer it as").selectOption("whole");
  await dialog.getByRole("button", { name: "Save" }).click();
  await devices.getByText("MIG 3g.40gb").first().waitFor({ state: "detached" });
});
