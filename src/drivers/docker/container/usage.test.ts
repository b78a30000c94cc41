// Tests of reading the usage of containers from an engine's answers.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { systemClock } from "../../../base/clock.ts";
import { Engine } from "../engine.ts";
import { ContainerUsage } from "./usage.ts";

/** An engine with running containers, by what it answers for the statistics of each. */
async function engineWith(t: TestContext, answers: Record<string, string>): Promise<Engine> {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-usage-"));
  const running = Object.keys(answers).map((id) => {
    return { Id: id, Labels: { "freehold.workload": id }, Mounts: [] };
  });
  const server = createServer(({ url = "" }, response) => {
    const id = /\/containers\/(\w+)\/stats/.exec(url)?.[1];
    const list = url.includes("/volumes") ? "{}" : JSON.stringify(running);
    response.setHeader("content-type", "application/json");
    response.end(id === undefined ? list : answers[id]);
  });
  await new Promise<void>((resolve) => server.listen(path.join(folder, "sock"), resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  });
  return new Engine({ host: `unix://${folder}/sock`, tls: null }, systemClock);
}

test("a container that ends while it is read has no usage, and the others have theirs", async (t) => {
  const stats = { cpu_stats: { cpu_usage: { total_usage: 5e6 } }, memory_stats: { usage: 7 } };
  const engine = await engineWith(t, { runs: JSON.stringify(stats), ended: "", removed: "{}" });
  const owner = { installation: "i", machine: "m" };
  const usages = await new ContainerUsage(engine, systemClock, owner).read();
  assert.deepEqual(
    usages.map(({ id, cpuMs, memoryBytes }) => [id, cpuMs, memoryBytes]),
    [["runs", 5, 7]],
  );
});
