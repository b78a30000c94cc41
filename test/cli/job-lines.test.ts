// `freehold up` prints a line per ended job on a terminal, and only there.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { JobLinePrinter } from "../../src/app/boot/job-lines.ts";
import { VirtualClock } from "../../src/base/clock.ts";
import { topic } from "../../src/store/engine/notifier.ts";
import { startService, type TestWorker } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { freehold } from "./command.ts";
import { pseudoTerminal, type Terminal, terminal } from "./terminal.ts";

test("a terminal shows each ended job with its endpoint, state, times and error", async (t) => {
  const { up, call } = await started(t, pseudoTerminal);
  const { id } = await call("/v2/hello/runsync", { input: { name: "you" } });
  const [line] = await up.until(/^.* {2}hello .*$/m);
  assert.match(
    stripVTControlCharacters(line).trimEnd(),
    new RegExp(
      `^\\d\\d:\\d\\d:\\d\\d {2}hello {13}${id} {2}COMPLETED {2}waited .* ran [\\d.]+ m?s$`,
    ),
  );
  const { id: cancelled } = await call("/v2/hello/run", {
    input: {},
    policy: { delay: 3_600 },
  });
  await call(`/v2/hello/cancel/${cancelled}`, {});
  await up.until(new RegExp(`${cancelled} {2}CANCELLED {2}waited 0 ms`));
  assert.equal(await up.interrupt(), 0, up.text());
});

test("a pipe shows no job, and neither does a terminal with the setting off", async (t) => {
  for (const [open, flags] of [
    [terminal, []],
    [pseudoTerminal, ["--job-lines", "off"]],
  ] as const) {
    const { up, call } = await started(t, open, flags);
    const { id } = await call("/v2/hello/runsync", { input: {} });
    assert.equal(await up.interrupt(), 0);
    assert.ok(!up.text().includes(id), up.text());
  }
});

test("the setting is on or off", async () => {
  const { code, stderr } = await freehold(["up", "--job-lines", "yes"]);
  assert.notEqual(code, 0);
  assert.match(stderr, /FREEHOLD_JOB_LINES is "yes"; it takes one of on, off/);
});

test("a burst is bounded, and the next one is printed after a pause", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const clock = new VirtualClock();
  const texts: string[] = [];
  const { store } = service.service;
  const lines = new JobLinePrinter({
    store,
    clock,
    lineOf: ({ id, state }) => `${id} ${state}`,
    write: (text) => texts.push(text),
  });
  t.after(() => lines.stop());
  const finishes = async (count: number) => {
    for (let n = 0; n < count; n++) await finishOne(service, endpoint, worker);
  };
  await finishes(25);
  const printed = async (count: number) => {
    await until(async () => {
      await clock.advance(0);
      return texts.length === count;
    });
    return texts.at(-1)!.trimEnd().split("\n");
  };
  const first = await printed(1);
  assert.equal(first.length, 21);
  assert.equal(new Set(first.slice(0, 20)).size, 20);
  assert.match(first[0]!, /COMPLETED$/);
  assert.equal(first[20], "and 5 more");
  await finishes(2);
  await clock.advance(999);
  assert.equal(texts.length, 1, "within the second");
  await clock.advance(1);
  assert.equal((await printed(2)).length, 2);
  await finishes(1);
  for (let n = 0; n < 1_000; n++) store.notifier.notify(topic.job(`another-${n}`));
  await clock.advance(1_000);
  assert.equal((await printed(3)).at(-1), "and possibly more");
});

async function finishOne(
  service: Awaited<ReturnType<typeof startService>>,
  endpoint: string,
  worker: TestWorker,
): Promise<void> {
  const { json } = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
  await until(async () => (await worker.call("job-take", "?job_in_progress=0")).json);
  assert.equal((await worker.call(`job-done/${json.id}`, "", '{"output":1}')).status, 200);
}

async function started(
  t: TestContext,
  open: (t: TestContext, args: string[], cwd: string) => Terminal,
  flags: readonly string[] = [],
) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-lines-"));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  const listens = ["--listen", "--proxy-listen", "--s3-listen", "--ssh-listen"];
  const args = [
    "up",
    ...listens.flatMap((flag) => [flag, "127.0.0.1:0"]),
    "--data",
    path.join(folder, "data"),
    "--drivers",
    "process",
    "--api-key",
    "fh_a_key_for_tests",
    ...flags,
  ];
  const up = open(t, args, folder);
  const [, origin] = await up.until(/^ *REST +(http:\/\/[\d.:]+)\/v1/m);
  await up.until(/^ *clients: /m);
  const call = async (route: string, body: object): Promise<{ id: string }> => {
    const answer = await fetch(`${origin}${route}`, {
      method: "POST",
      headers: { authorization: "fh_a_key_for_tests", "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 200);
    return (await answer.json()) as { id: string };
  };
  return { up, call };
}
