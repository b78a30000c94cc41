// Tests that every acknowledgement follows a sync of the disk, measured in the system calls.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { freePort } from "../fixtures/free-port.ts";
import { Service } from "../fixtures/service/service-process.ts";
import { until } from "../fixtures/until.ts";
import { type Answer, Connection } from "./connection.ts";
import { type Seeded, seed } from "./seed.ts";
import { parseTrace, STRACE, shownUnsynced, unsynced } from "./sync-trace.ts";

const ALONE = 25;
const TOGETHER = 150;
const WATCHED = 25;

const skip = canTrace() ? false : "strace is not here or may not trace: the disk's syncs go unseen";

/** For single and concurrent requests. */
test("nothing is acknowledged before its sync", { skip }, async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-sync-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const dataFolder = path.join(folder, "data");
  const seeded = await seed(dataFolder, 1);
  const port = await freePort();
  const file = path.join(folder, "trace");
  const flags = ["--drivers", "simulated"];
  const service = new Service({ dataFolder, port, flags, under: [...STRACE, "-o", file] });
  t.after(() => service.kill());
  assert.ok(await service.ready(), service.stderr);
  const play = new Play(new Connection(port), seeded);
  for (let n = 0; n < ALONE; n++) await play.wholeJob(n);
  for (let n = 0; n < WATCHED; n++) await play.watchedJob(n);
  await Promise.all(Array.from({ length: TOGETHER }, (_, n) => play.submit(`together-${n}`)));
  service.signal("SIGTERM");
  assert.deepEqual(await service.ended, { code: 0, signal: null });

  const trace = parseTrace(await whenWhole(file, service.pid));
  const faults = play.promises.map(({ kind, token }) => unsynced(trace, kind, token));
  faults.push(...play.shown.map((token) => shownUnsynced(trace, token)));
  assert.deepEqual(
    faults.filter((fault) => fault !== null),
    [],
  );
  const syncs = trace.calls.filter(({ kind }) => kind === "sync").length;
  t.diagnostic(`${play.promises.length} acknowledgements, ${syncs} syncs of the log`);
  assert.equal(play.promises.length, ALONE * 4 + TOGETHER);
});

interface Promised {
  /** The position of the token. */
  kind: "request" | "reply";
  token: string;
}

/** Clients and one worker, one call after another by default. */
class Play {
  readonly promises: Promised[] = [];
  /** Outputs that a client read while they were being posted. */
  readonly shown: string[] = [];
  readonly #connection: Connection;
  readonly #seeded: Seeded;

  constructor(connection: Connection, seeded: Seeded) {
    this.#connection = connection;
    this.#seeded = seeded;
  }

  async submit(token: string): Promise<string> {
    const answer = await this.#ask("client", "POST", "run", `{"input":{"token":"in-${token}."}}`);
    this.promises.push({ kind: "request", token: `in-${token}.` });
    return (JSON.parse(answer.text) as { id: string }).id;
  }

  /**
   * Submitted, taken, streamed and finished; and another job cancelled. A take acknowledges
   * nothing.
   */
  async wholeJob(n: number): Promise<void> {
    const id = await this.submit(`alone-${n}`);
    const worker = this.#seeded.workers[0]!.id;
    const taken = await this.#ask("worker", "GET", `job-take/${worker}`);
    assert.ok(taken.text.includes(id));
    for (const post of ["job-stream", "job-done"]) {
      const token = `${post}-${n}.`;
      await this.#ask("worker", "POST", `${post}/${worker}/${id}`, `{"output":"${token}"}`);
      this.promises.push({ kind: "request", token });
    }
    const other = await this.#ask("client", "POST", "run", '{"input":{}}');
    const { id: cancelled } = JSON.parse(other.text) as { id: string };
    await this.#ask("client", "POST", `cancel/${cancelled}`);
    this.promises.push({ kind: "request", token: cancelled });
  }

  /** A client reads the job all the while: each response must be durable too. */
  async watchedJob(n: number): Promise<void> {
    const run = await this.#ask("client", "POST", "run", '{"input":{}}');
    const { id } = JSON.parse(run.text) as { id: string };
    const worker = this.#seeded.workers[0]!.id;
    await this.#ask("worker", "GET", `job-take/${worker}`);
    const output = `shown-${n}.`;
    const done = this.#ask("worker", "POST", `job-done/${worker}/${id}`, `{"output":"${output}"}`);
    const readStatus = async () => {
      for (;;) {
        const { text } = await this.#ask("client", "GET", `status/${id}`);
        if (text.includes(output)) return;
      }
    };
    await Promise.all([done, readStatus(), readStatus(), readStatus()]);
    this.shown.push(output);
  }

  async #ask(
    who: "client" | "worker",
    method: "GET" | "POST",
    route: string,
    body?: string,
  ): Promise<Answer> {
    const { endpointId, key, workers } = this.#seeded;
    const answer = await this.#connection.ask({
      method,
      path: `/v2/${endpointId}/${route}`,
      key: who === "client" ? key : workers[0]!.key,
      ...(body !== undefined && { body }),
    });
    assert.equal(answer?.status, 200, answer?.text);
    return answer!;
  }
}

/**
 * strace continues to write after the process has ended; an incomplete trace would fail the checks.
 */
async function whenWhole(file: string, pid: number): Promise<string> {
  // strace pads process ids to five places.
  const last = new RegExp(`^${pid} +\\+\\+\\+ `, "m");
  return until(() => {
    const text = readFileSync(file, "utf8");
    return last.test(text) && text;
  });
}

function canTrace(): boolean {
  return spawnSync(STRACE[0]!, [...STRACE.slice(1), "-o", "/dev/null", "true"]).status === 0;
}
