// What the operator does on pages: machines, prices; and a savings plan at one of them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { settleHostKey } from "../../src/store/replica/remote-machine.ts";
import { startHouse } from "../house.ts";
import { missing, openConsole } from "./browser.ts";

test("a machine is drained, worked on, and takes work again", { skip: missing }, async (t) => {
  const house = await startHouse(t);
  const machine = async () => (await house.call("GET", "/v1/machines")).json[0];
  const { id } = await machine();
  const { page, complaints } = await openConsole(t, house, { at: "/machines" });
  const act = async (name: string) => {
    await page.getByLabel(`Actions for ${id}`).first().click();
    await page.getByRole("menuitem", { name }).click();
  };
  await act("Drain");
  await page.getByText("Pods that run stay").waitFor();
  await page.getByRole("button", { name: "Drain machine" }).click();
  await page.getByText("Draining").first().waitFor();
  assert.equal((await machine()).draining, true);
  await act("Take new work again");
  await page.getByText("Online").first().waitFor();
  await act("Plan maintenance");
  await page.getByLabel("From").fill("2030-05-01T08:00");
  await page.getByLabel("To").fill("2030-05-01T09:30");
  await page.getByLabel("Note").fill("A new disk");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("A new disk").waitFor();
  const planned = await machine();
  assert.equal(
    Date.parse(planned.maintenanceEnd) - Date.parse(planned.maintenanceStart),
    5_400_000,
  );
  await page.getByRole("button", { name: "Add machine" }).click();
  await page.getByLabel("Address").fill("ssh://me@127.0.0.1:1");
  await page.getByLabel("Name").fill("nobody");
  await page.getByRole("dialog").getByRole("button", { name: "Add machine" }).click();
  await page.getByLabel("Actions for nobody").waitFor();
  const added = (await house.call("GET", "/v1/machines")).json.find(
    ({ name }: { name?: string }) => name === "nobody",
  );
  await house.house.store.write(settleHostKey, added.id, "SHA256:first");
  await page.reload();
  await page.getByLabel("Actions for nobody").click();
  await page.getByRole("menuitem", { name: "Forget its host key" }).click();
  await page.getByText("SHA256:first").waitFor();
  await page.getByRole("button", { name: "Forget it" }).click();
  await page.getByText("The host key of nobody is forgotten", { exact: true }).waitFor();
  await page.getByLabel("Actions for nobody").click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByLabel("Type nobody to go on").fill("nobody");
  await page.getByRole("button", { name: "Remove machine" }).click();
  await page.getByLabel("Actions for nobody").waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
});

test("a price is changed, and a plan is bought at it", { skip: missing }, async (t) => {
  const house = await startHouse(t);
  const { page, complaints } = await openConsole(t, house, { at: "/prices" });
  await page.getByLabel("Search GPU types").fill("NVIDIA A40");
  await page.getByRole("button", { name: "Change NVIDIA A40" }).click();
  await page.getByLabel("Three months").fill("0.25");
  await page.getByRole("button", { name: "Change 1 price" }).click();
  await page.getByRole("row", { name: "NVIDIA A40" }).getByText("$0.25").waitFor();
  await page.getByText("to $0.25").waitFor();
  await page.goto("/billing");
  await page.getByRole("button", { name: "Buy a plan" }).click();
  await page.getByLabel("GPU type").selectOption("NVIDIA A40");
  await page.getByLabel("GPUs", { exact: true }).fill("2");
  await page.getByRole("button", { name: "Pay $1,095.00" }).click();
  await page.getByText("2 × NVIDIA A40").waitFor();
  await page.getByText("Goes on").waitFor();
  assert.deepEqual(complaints, []);
});
