// Kills of the service while it creates and deletes clusters and sandboxes on a real engine. A cluster has all of its
// members or none, and nothing is left of what was deleted. FREEHOLD_GANG_KILLS sets another number of kills.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { randomFrom } from "../conformance/store/money/lives.ts";
import { sqliteBooks } from "../crash/books.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import { docker, ensureShellImage, sharedEngine, skipReason } from "../fixtures/docker/engine.ts";
import { freePort } from "../fixtures/free-port.ts";
import { Service } from "../fixtures/service/service-process.ts";
import { pauseMs } from "../fixtures/time/pace.ts";
import { until } from "../fixtures/until.ts";

const KILLS = Number(process.env.FREEHOLD_GANG_KILLS ?? 8);
const SEED = Number(process.env.FREEHOLD_SEED ?? 1 + Math.floor(Math.random() * 1e9));
const KEY = "fh_gangkills0123456789abcdefghijklmnop";
const GPU = "NVIDIA A40";
const LONGEST_LIFE_MS = 600;

const HALF_CLUSTERS = `select id from cluster
  where pod_count <> (select count(*) from pod where cluster_id = cluster.id)`;

/** Once everything is deleted. A sandbox that never ran costs nothing, and usages do not overlap. */
const LEFTOVERS = [
  "select id from cluster",
  "select gpu from held_gpu",
  "select id from usage where ended_at is null",
  "select id from sandbox where ended_at is null",
  "select resource_id from usage join sandbox on sandbox.id = resource_id where started_at is null",
  `select a.id from usage a join usage b on a.resource_id = b.resource_id and a.id < b.id
   where b.began_at < a.ended_at`,
  "select transaction_id from ledger_entry group by transaction_id having sum(micros) <> 0",
];

/** A service that is killed and started again on one data folder and one engine. */
class KilledService {
  readonly dataFolder = mkdtempSync(path.join(tmpdir(), "freehold-gangs-"));
  readonly refusals: string[] = [];
  readonly #start: () => Service;
  service: Service;

  constructor(t: TestContext, host: string, port: number) {
    const { dataFolder } = this;
    const env = {
      FREEHOLD_API_KEY: KEY,
      FREEHOLD_DOCKER_HOST: host,
      FREEHOLD_MACHINE: JSON.stringify({ vcpus: 64, memoryInGb: 256, diskInGb: 2_000 }),
      FREEHOLD_GPUS: JSON.stringify({ [GPU]: 8 }),
      FREEHOLD_PROTOCOL: JSON.stringify({ endGraceMs: 100 }),
    };
    const flags = ["--drivers", "docker", "--log-level", "error"];
    this.#start = () => new Service({ dataFolder, port, flags, env });
    this.service = this.#start();
    addCleanup(t, async () => {
      await this.service.kill();
      rmSync(dataFolder, { recursive: true, force: true });
    });
  }

  async killAndRestart(): Promise<void> {
    await this.service.kill();
    assert.equal(this.service.stderr, "");
    assert.deepEqual(await this.rows(HALF_CLUSTERS), []);
    this.service = this.#start();
  }

  /** Rejects if the service is killed meanwhile. */
  async ask<T>(method: string, route: string, body?: object): Promise<T> {
    const response = await fetch(`${this.service.origin}/v2/${route}`, {
      method,
      headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) this.refusals.push(`${method} ${route}: ${text}`);
    return (text === "" ? null : JSON.parse(text)) as T;
  }

  /** The ids of the clusters and sandboxes that exist, as routes. */
  async existing(): Promise<{ clusters: string[]; sandboxes: string[] }> {
    const { clusters } = await this.ask<{ clusters: { id: string }[] }>("GET", "clusters");
    const { sandboxes } = await this.ask<{
      sandboxes: { id: string; terminatedAt: string | null }[];
    }>("GET", "sandboxes");
    const live = sandboxes.filter(({ terminatedAt }) => !terminatedAt);
    return {
      clusters: clusters.map(({ id }) => `clusters/${id}`),
      sandboxes: live.map(({ id }) => `sandboxes/${id}`),
    };
  }

  async rows<Row>(sql: string): Promise<Row[]> {
    const books = sqliteBooks(this.dataFolder);
    const rows = await books.all<Row>(sql);
    await books.close();
    return rows;
  }
}

test(`${KILLS} kills among clusters and sandboxes leave nothing (seed ${SEED})`, {
  skip: skipReason,
}, async (t) => {
  const host = await sharedEngine();
  const random = randomFrom(SEED);
  const killed = new KilledService(t, host, await freePort());
  const bodies = bodiesFor(ensureShellImage(host));
  for (let n = 0; n < KILLS; n++) {
    assert.ok(await killed.service.ready(), killed.service.stderr);
    const work = changeBoth(killed, bodies, random).catch(() => {});
    await pauseMs(random(LONGEST_LIFE_MS));
    await killed.killAndRestart();
    await work;
  }
  assert.ok(await killed.service.ready(), killed.service.stderr);
  const { clusters, sandboxes } = await killed.existing();
  for (const route of [...clusters, ...sandboxes]) await killed.ask("DELETE", route);
  const [row] = await killed.rows<{ machine: string }>("select machine from replica");
  await until(async () => leftOn(host, row!.machine).length === 0);
  await killed.service.end();
  assert.deepEqual(killed.refusals, []);
  for (const sql of LEFTOVERS) assert.deepEqual(await killed.rows(sql), [], sql);
});

function bodiesFor(image: string) {
  const command = { entrypoint: ["sh", "-c", "trap 'exit 0' TERM; sleep 600 & wait"], disk: 1 };
  const compute = { gpuTypeId: GPU, gpuCountPerPod: 1, podCount: 2 };
  return {
    clusters: { ...command, name: "c", type: "TRAINING", image, compute },
    sandboxes: { ...command, imageName: image },
  };
}

/** Creates or deletes a cluster, and at the same time a sandbox. */
async function changeBoth(
  killed: KilledService,
  bodies: ReturnType<typeof bodiesFor>,
  random: (below: number) => number,
): Promise<void> {
  const existing = await killed.existing();
  const kinds = ["clusters", "sandboxes"] as const;
  await Promise.all(
    kinds.map((kind) => {
      const [oldest] = existing[kind];
      return oldest !== undefined && existing[kind].length > random(3)
        ? killed.ask("DELETE", oldest)
        : killed.ask("POST", kind, bodies[kind]);
    }),
  );
}

/** The containers of a machine, and the networks of its clusters. */
function leftOn(host: string, machine: string): string[] {
  const mine = ["--filter", `label=freehold.machine=${machine}`];
  const containers = docker(host, "ps", "--all", "--quiet", ...mine).split("\n");
  const networks = docker(host, "network", "ls", "--format", "{{.Name}}", ...mine).split("\n");
  return [...containers, ...networks.filter((name) => name.includes("-cluster-"))].filter(Boolean);
}
