// Tests of a replica's failure: its workers are lost and replaced elsewhere, and their jobs end.

import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultTemplate } from "../../src/domain/template/template.ts";
import { openPostgres } from "../../src/store/engine/postgres/open.ts";
import { Connection } from "../crash/connection.ts";
import { seedStore } from "../crash/seed.ts";
import { Replica } from "../faults/scene.ts";
import { freePort } from "../fixtures/free-port.ts";
import { until } from "../fixtures/until.ts";
import { freshDatabase, missing } from "../postgres/database.ts";

test("a replica dies with its workers, and the other takes over", { skip: missing }, async (t) => {
  const url = await freshDatabase(t);
  const { key } = await seedStore(await openPostgres(url), 0);
  const ports = [await freePort(), await freePort()];
  const [first, second] = ports.map((port) => new Replica(port, url));
  t.after(() => Promise.all([first!.clear(), second!.clear()]));
  await first!.start();
  const call = async (port: number, method: "GET" | "POST", path: string, body?: unknown) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await new Connection(port).insist({ method, path, key, ...sent });
    return JSON.parse(answer!.text) as Record<string, never>;
  };
  const { imageName } = defaultTemplate("simulated");
  const template = {
    name: "slow",
    imageName,
    isServerless: true,
    driver: "simulated",
    dockerStartCmd: ["simulate", "--job-ms", "3000", "--echo"],
  };
  const { id: templateId } = await call(ports[0]!, "POST", "/v1/templates", template);
  const wanted = { templateId, workersMin: 1, workersMax: 1, computeType: "CPU" };
  const { id: endpoint } = await call(ports[0]!, "POST", "/v1/endpoints", wanted);
  const idle = async () => {
    const { workers } = await call(ports[0]!, "GET", `/v2/${endpoint}/health`);
    return (workers as unknown as { idle: number }).idle === 1;
  };
  await until(idle);
  await second!.start();
  const { id } = await call(ports[1]!, "POST", `/v2/${endpoint}/run`, { input: { n: 1 } });
  const job = async () => call(ports[1]!, "GET", `/v2/${endpoint}/status/${id}`);
  await until(async () => (await job()).status === "IN_PROGRESS");
  await first!.kill();
  const { retries, output } = await until(async () => {
    const answer = await job();
    assert.notEqual(answer.status, "FAILED");
    return answer.status === "COMPLETED" ? answer : null;
  });
  assert.deepEqual([retries, output], [1, { n: 1 }]);
});
