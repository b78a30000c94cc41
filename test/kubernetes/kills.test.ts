// Kills of the service while it creates and deletes Pods in a cluster. A Pod that stays keeps its container and its
// volume, and nothing is left of what was deleted. FREEHOLD_KUBERNETES_KILLS sets another number of kills.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { suite, type TestContext, test } from "node:test";
import { randomFrom } from "../conformance/store/money/lives.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import { freePort } from "../fixtures/free-port.ts";
import { ownCluster, skipReason, type TestCluster } from "../fixtures/kubernetes/cluster.ts";
import { Service } from "../fixtures/service/service-process.ts";
import { pauseMs } from "../fixtures/time/pace.ts";
import { until } from "../fixtures/until.ts";
import { addCluster, type Caller, createPod, loadImage, objectsOf, untilSays } from "./rig.ts";

const KILLS = Number(process.env.FREEHOLD_KUBERNETES_KILLS ?? 4);
const SEED = Number(process.env.FREEHOLD_SEED ?? 1 + Math.floor(Math.random() * 1e9));
const KEY = "fh_kubekills0123456789abcdefghijklmnop";
const LONGEST_LIFE_MS = 2_500;

suite("kills of the service of a Kubernetes cluster", { skip: skipReason }, () => {
  test(`${KILLS} kills lose no Pod and no volume, and leave nothing (seed ${SEED})`, async (t) => {
    const cluster = await ownCluster(t, "--node", "n1", "--node", "n2");
    await loadImage(cluster);
    const killed = new KilledService(t, cluster, await freePort());
    await killed.ready();
    await addCluster(killed, cluster, 2);
    const staying = await createPod(killed, { volumeInGb: 1 });
    await untilSays(killed, staying, "hello");
    const before = identities(cluster, staying);

    const random = randomFrom(SEED);
    for (let n = 0; n < KILLS; n++) {
      const work = changePods(killed, staying, random).catch(() => {});
      await pauseMs(random(LONGEST_LIFE_MS));
      await killed.kill();
      await work;
      await killed.ready();
    }

    for (const id of await podsBeside(killed, staying)) await deletePod(killed, id);
    await until(() => cluster.kubectl(...own("pods")).split("\n").length === 1);
    assert.deepEqual(identities(cluster, staying), before);
    await untilSays(killed, staying, "hello");
    await deletePod(killed, staying);
    for (const kind of ["pods", "secrets", "persistentvolumeclaims"])
      await until(() => cluster.kubectl(...own(kind)) === "");
    await killed.service.end();
  });
});

/** A service that is killed and started again on one data folder. */
class KilledService implements Caller {
  readonly #start: () => Service;
  service: Service;

  constructor(t: TestContext, cluster: TestCluster, port: number) {
    const dataFolder = mkdtempSync(path.join(tmpdir(), "freehold-kubernetes-kills-"));
    const env = {
      FREEHOLD_API_KEY: KEY,
      FREEHOLD_PUBLIC_URL: cluster.reachUrl,
      FREEHOLD_PROTOCOL: JSON.stringify({ endGraceMs: 100 }),
    };
    const flags = ["--drivers", "simulated", "--log-level", "error"];
    this.#start = () => new Service({ dataFolder, port, flags, env });
    this.service = this.#start();
    addCleanup(t, async () => {
      await this.service.kill();
      rmSync(dataFolder, { recursive: true, force: true });
    });
  }

  async ready(): Promise<void> {
    assert.ok(await this.service.ready(), this.service.stderr);
  }

  async kill(): Promise<void> {
    await this.service.kill();
    this.service = this.#start();
  }

  /** Rejects if the service is killed meanwhile. */
  call: Caller["call"] = async (method, route, body) => {
    const response = await fetch(`${this.service.origin}${route}`, {
      method,
      headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const { status, headers } = response;
    return { status, headers, text, json: text === "" ? null : JSON.parse(text) };
  };
}

/** Creates a Pod, or deletes one if there are some. */
async function changePods(
  caller: Caller,
  staying: string,
  random: (below: number) => number,
): Promise<void> {
  const [oldest] = await podsBeside(caller, staying);
  if (oldest !== undefined && random(2) === 0) await deletePod(caller, oldest);
  else await createPod(caller, { volumeInGb: 1 });
}

async function podsBeside(caller: Caller, staying: string): Promise<string[]> {
  const pods = (await caller.call("GET", "/v1/pods")).json as { id: string }[];
  return pods.map(({ id }) => id).filter((id) => id !== staying);
}

const deletePod = (caller: Caller, id: string) => caller.call("DELETE", `/v1/pods/${id}`);

const own = (kind: string) => ["get", kind, "-A", "-o", "name", "-l", "freehold.dev/installation"];

/** Which Pod and which claim the cluster has for it. */
function identities(cluster: TestCluster, id: string) {
  const [object, ...others] = objectsOf(cluster, id);
  assert.deepEqual(others, []);
  const { namespace, uid } = object!.metadata;
  const { volumes } = object!.spec as {
    volumes: { persistentVolumeClaim?: { claimName: string } }[];
  };
  const claim = volumes.find((each) => each.persistentVolumeClaim)!.persistentVolumeClaim!
    .claimName;
  const query = ["get", "pvc", claim, "-n", namespace!, "-o", "jsonpath={.metadata.uid}"];
  return { pod: uid, claim: cluster.kubectl(...query) };
}
