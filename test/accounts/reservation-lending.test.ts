// Tests of reserved GPUs that are lent: spot Pods borrow what the holder does not use, and give way.

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";
import { join } from "./join.ts";

const ANY_SHARE = '{"memberPercent": "off"}';
const A40 = "NVIDIA A40";
const POD = { driver: "simulated", imageName: "i", gpuTypeIds: [A40], volumeInGb: 0 };
/** All GPUs are those of one machine, also with several replicas. */
const options = {
  env: { FREEHOLD_GPUS: '{"NVIDIA A40": 4}', FREEHOLD_RESERVATION_LIMITS: ANY_SHARE },
  furtherEnv: { FREEHOLD_GPUS: "{}" },
};
const reservedText = (count: number, total: number, rest = "") =>
  new RegExp(`${count} of ${total} NVIDIA A40 are reserved${rest}`);
const ahead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

test("what a reservation's holder does not use is lent to spot Pods, and given back", async (t) => {
  const service = await simulatedService(t, options);
  const ada = await join(service, "dev", "Ada");
  const bob = await join(service, "dev", "Bob", "bob@example.org");
  const grace = await join(service, "member", "Grace", "grace@example.org");
  const { json } = await ada.call("POST", "/v1/reservations", {
    gpuTypeId: A40,
    gpuCount: 3,
    until: ahead(2),
  });
  const path = `/v1/reservations/${json.id}`;
  const useFor = async (by: Pick<typeof ada, "call">) => {
    const { use, borrowers = [] } = (await by.call("GET", path)).json;
    const names = borrowers.map(({ name }: { name: string }) => name).sort();
    return [use.used, use.free, use.lent, use.short, names.join()];
  };
  assert.deepEqual(await useFor(bob), [0, 3, 0, 0, ""]);
  const create = async (by: Pick<typeof ada, "call">, changes: object) => {
    const created = await by.call("POST", "/v1/pods", { ...POD, ...changes });
    assert.equal(created.status, 201, created.text);
    return created.json;
  };
  await create(bob, { name: "paid" });
  const waiting = await create(bob, { name: "waits", queue: true });
  assert.equal(waiting.status, "QUEUED");
  const inLine = await bob.call("GET", `/v1/why/${waiting.id}`);
  assert.match(inLine.json.sentence, reservedText(3, 4, " for Ada until "));

  // Spot Pods borrow all, also past what waits in line for them; the holder's own fill nothing.
  const spot = [
    await create(ada, { name: "own", interruptible: true }),
    await create(bob, { name: "first", interruptible: true }),
    await create(grace, { name: "queued", interruptible: true, queue: true }),
  ];
  assert.ok(spot.every(({ status }) => status !== "QUEUED"));
  assert.deepEqual(await useFor(bob), [0, 0, 3, 0, "first,own,queued"]);
  // A role that sees its own Pods alone.
  assert.deepEqual(await useFor(grace), [0, 0, 3, 0, "queued"]);
  for (const { id } of spot) await until(podsOf(service).reached, id);
  const whyOf = async (by: Pick<typeof ada, "call">, id: string) =>
    (await by.call("GET", `/v1/why/${id}`)).json.sentence;
  const lent =
    / Spot Pods borrow 3 NVIDIA A40 that are reserved for Ada until \S+, so it may be interrupted at any time\./;
  assert.match(await whyOf(bob, spot[1].id), lent);
  assert.doesNotMatch(await whyOf(ada, spot[0].id), lent);

  // On-demand work of others interrupts none of them.
  assert.match((await bob.call("POST", "/v1/pods", POD)).text, reservedText(3, 4));
  assert.deepEqual(await useFor(bob), [0, 0, 3, 0, "first,own,queued"]);

  // The holder takes them back at once.
  const own = await create(ada, { gpuCount: 2, queue: true });
  assert.notEqual(own.status, "QUEUED");
  const [used, free, left, short] = await useFor(bob);
  assert.deepEqual([used, free, left, short], [2, 0, 1, 0]);
  assert.equal((await service.call("DELETE", path)).status, 204);
  // What waits in line interrupts the last one.
  await until(async () => {
    const pods = await Promise.all(spot.map(({ id }) => service.call("GET", `/v1/pods/${id}`)));
    return pods.every(({ json: pod }) => pod.desiredStatus === "EXITED");
  });
});
