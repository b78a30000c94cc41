// The line of Pods between projects: what they have used of GPUs over time, decayed, beside their weights.

import assert from "node:assert/strict";
import { test } from "node:test";
import { join } from "../accounts/join.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "./fixture.ts";

const POD = { driver: "simulated", imageName: "i", gpuTypeIds: ["NVIDIA A40"], volumeInGb: 0 };

test("the project that has used less comes first, and an idle week halves what was used", async (t) => {
  const service = await simulatedService(t, {
    ...virtual,
    env: { ...virtual.env, FREEHOLD_GPUS: '{"NVIDIA A40": 1}' },
  });
  const ada = await join(service, "dev", "Ada");
  const bob = await join(service, "dev", "Bob", "bob@example.org");
  const ids: string[] = [];
  for (const [name, { member }] of [
    ["vision", ada],
    ["speech", bob],
  ] as const) {
    const body = { name, memberIds: [member.id] };
    ids.push((await service.call("POST", "/v1/projects", body)).json.id);
  }
  const shares = async () => {
    const { projects, shareWithoutProject, ...quota } = (await ada.call("GET", "/v1/quota")).json;
    assert.deepEqual([shareWithoutProject.gpuHours, quota.shareHalfLifeHours], [0, 168]);
    return projects.map(({ share }: { share: object }) => share);
  };
  const hoursOf = async () => (await shares()).map((each: { gpuHours: number }) => each.gpuHours);
  const create = async ({ call }: Pick<typeof ada, "call">, queue = true) =>
    (await call("POST", "/v1/pods", { ...POD, queue })).json;
  const position = async (id: string) =>
    (await service.call("GET", `/v1/pods/${id}`)).json.queued?.position;

  const first = await create(ada, false);
  await until(podsOf(service).reached, first.id);
  await advance(service, "10h");
  const own = await create(ada);
  const other = await create(bob);
  assert.deepEqual([await position(other.id), await position(own.id)], [1, 2]);
  const [used, unused] = await shares();
  assert.ok(Math.abs(used.gpuHours - 9.8) < 0.1, JSON.stringify(used));
  assert.deepEqual([used.part, used.weight, unused.gpuHours], [1, 1, 0]);

  await advance(service, "1m");
  await service.call("DELETE", `/v1/pods/${first.id}`);
  await until(podsOf(service).reached, other.id);
  await advance(service, "20h");
  const late = await create(bob);
  assert.deepEqual([await position(own.id), await position(late.id)], [1, 2]);
  // A weight makes up for what was used.
  const weighted = { weight: 3 };
  const { json } = await service.call("PATCH", `/v1/projects/${ids[1]}`, weighted);
  assert.equal(json.share.weight, 3);
  assert.deepEqual([await position(late.id), await position(own.id)], [1, 2]);
  assert.equal((await bob.call("PATCH", `/v1/projects/${ids[1]}`, { weight: 9 })).status, 403);
  const wrong = await service.call("PATCH", `/v1/projects/${ids[1]}`, { weight: 0 });
  assert.equal(wrong.status, 400);

  for (const { id } of [late, own, other]) await service.call("DELETE", `/v1/pods/${id}`);
  const before = await hoursOf();
  assert.ok(before[1] > before[0], before.join());
  await advance(service, "168h");
  for (const [n, hours] of (await hoursOf()).entries()) {
    assert.ok(Math.abs(hours - before[n] / 2) < 0.01, `${hours} of ${before[n]}`);
  }
});
