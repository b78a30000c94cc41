// The account of the GPU-hours that Pods hold and do not use.

import assert from "node:assert/strict";
import { test } from "node:test";
import { join } from "../accounts/join.ts";
import { freehold } from "../cli/command.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "./fixture.ts";

interface IdleGpuRecord {
  id: string | null;
  name: string;
  idleGpuHours: number;
  measuredGpuHours: number;
}

async function start(
  service: TestService,
  call: TestService["call"],
  name: string,
  load: string[],
  gpuCount = 1,
): Promise<void> {
  const command = { dockerStartCmd: ["simulate", ...load], name, stopWhenIdle: { never: true } };
  const body = { driver: "simulated", imageName: "i", gpuCount, ...command };
  const { json, text } = await call("POST", "/v1/pods", body);
  assert.ok(json.id, text);
  await until(podsOf(service).reached, json.id);
}

test("GPU-hours count as idle by person and project, and what is not measured counts nowhere", async (t) => {
  const service = await simulatedService(t, virtual);
  const ada = await join(service, "dev", "Ada");
  const project = { name: "vision", memberIds: [ada.member.id] };
  const { json: vision } = await service.call("POST", "/v1/projects", project);
  await start(service, ada.call, "idle", ["--gpu-percent", "0"], 2);
  await start(service, ada.call, "busy", ["--gpu-percent", "90"]);
  await start(service, service.call, "unmeasured", []);
  await start(service, service.call, "idle too", ["--gpu-percent", "3"]);

  const query = async (grouping: string) => {
    const answer = await service.call("GET", `/v1/idle-gpu-hours?grouping=${grouping}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.json as IdleGpuRecord[];
  };
  await advance(service, "2h");
  const isWritten = (hours: number) => (records: IdleGpuRecord[]) =>
    records.some(({ idleGpuHours }) => idleGpuHours > hours);
  await until(async () => isWritten(2.8)(await query("member")));

  const [first, second, ...others] = await query("member");
  assert.deepEqual([first?.id, first?.name, others.length], [ada.member.id, "Ada", 0]);
  assert.deepEqual([second?.id, second?.name], [null, "No member"]);
  // The first sample of a Pod has no load of its CPUs, and may be of the middle of the move.
  const isNear = (hours: number | undefined, expected: number) =>
    assert.ok(hours && hours > 0.7 * expected && hours < 1.05 * expected, `${hours}, ${expected}`);
  isNear(first?.idleGpuHours, 4);
  isNear(first?.measuredGpuHours, 6);
  isNear(second?.idleGpuHours, 2);
  const [mostIdle, idleToo, busy, ...more] = await query("pod");
  assert.deepEqual([mostIdle?.name, idleToo?.name, busy?.name], ["idle", "idle too", "busy"]);
  assert.equal(mostIdle?.idleGpuHours, mostIdle?.measuredGpuHours);
  assert.deepEqual([busy?.idleGpuHours, more], [0, []]);
  isNear(busy?.measuredGpuHours, 2);
  assert.equal((await query("project"))[0]!.id, vision.id);

  const names = (await query("project")).map(({ name }) => name);
  assert.deepEqual(names, ["vision", "No project"]);
  const csv = await service.call("GET", "/v1/idle-gpu-hours?format=csv");
  assert.match(csv.text, /^id,name,idleGpuHours,measuredGpuHours\r\n\w+,Ada,/);
  const none = await service.call("GET", "/v1/idle-gpu-hours?endTime=2001-01-01T00:00:00Z");
  assert.deepEqual(none.json, []);
  assert.equal((await ada.call("GET", "/v1/idle-gpu-hours")).status, 403);
  const where = ["--data", service.dataFolder];
  const { stdout } = await freehold(["idle", "--by", "project", ...where]);
  assert.match(stdout, /^PROJECT +IDLE GPU-HOURS +MEASURED +IDLE\nvision +\d\.\d +\d\.\d +\d\d%\n/);

  // What was held stays with the project of that time.
  await service.call("PATCH", `/v1/projects/${vision.id}`, { memberIds: [] });
  const before = (await query("project"))[0]!;
  await advance(service, "40m");
  await until(async () => {
    const [others] = (await query("project")).filter(({ id }) => id === null);
    return others!.idleGpuHours > second!.idleGpuHours + 1;
  });
  assert.deepEqual(
    (await query("project")).find(({ id }) => id === vision.id),
    before,
  );
  const [day] = await query("day");
  assert.match(day!.name, /^\d{4}-\d\d-\d\d$/);
});
