// Tests of the Kubernetes driver on a real cluster: the rules of every driver, and those of Kubernetes.

import assert from "node:assert/strict";
import { before, suite, test } from "node:test";
import { driverConformance } from "../../../test/conformance/drivers/driver-conformance.ts";
import type { WorkloadKind } from "../../../test/conformance/drivers/driver-harness.ts";
import { ensureShellImage, sharedEngine } from "../../../test/fixtures/docker/engine.ts";
import { piecesInMemory } from "../../../test/fixtures/docker/log-archive.ts";
import {
  sharedCluster,
  skipReason,
  type TestCluster,
} from "../../../test/fixtures/kubernetes/cluster.ts";
import { pauseMs } from "../../../test/fixtures/time/pace.ts";
import { until } from "../../../test/fixtures/until.ts";
import { systemClock } from "../../base/clock.ts";
import { randomIds } from "../../base/ids.ts";
import type { EndCause } from "../../domain/container/end-cause.ts";
import { type Observation, StartAborted, StartRefused, type Workload } from "../driver.ts";
import type { KubernetesObject, ObjectList } from "./client/objects.ts";
import { KubernetesCluster } from "./cluster.ts";
import { KubernetesDriver } from "./kubernetes-driver.ts";
import { installationSelector, namespaceOf } from "./names.ts";

/** The first process of a container receives only the signals that it handles. */
const SCRIPTS: Record<WorkloadKind, string> = {
  runs: "trap 'exit 0' TERM; echo started; sleep 600 & wait",
  "ends with 3": "echo started; exit 3",
  "ignores SIGTERM": "trap '' TERM; echo started; while :; do sleep 600; done",
};

const NODE = { name: "n1", gpuResource: "nvidia.com/gpu", gpuRuntimeClass: null };

suite("Kubernetes", { skip: skipReason }, () => {
  let testCluster: TestCluster;
  let image: string;

  before(async () => {
    testCluster = await sharedCluster();
    const engine = await sharedEngine();
    image = ensureShellImage(engine);
    await testCluster.load(engine, image);
  });

  async function openHarness() {
    const installation = randomIds.short(14);
    const cluster = new KubernetesCluster(await testCluster.access(), systemClock, installation);
    const options = { cluster, node: NODE, machine: "m1", logPieces: piecesInMemory() };
    const driver = new KubernetesDriver(options);
    const shell = (id: string, script: string, more: Partial<Workload> = {}): Workload => {
      return { id, image, entrypoint: [], command: ["sh", "-c", script], env: {}, ...more };
    };
    return {
      driver,
      cluster,
      shell,
      canHurryStop: false,
      async dispose() {
        const path = `/api/v1/namespaces/${namespaceOf({ installation, machine: "m1" }, "")}`;
        for (const { name } of await cluster.pods()) {
          const pod = `${path}/pods/${name}`;
          await cluster.client.patch(pod, { metadata: { finalizers: null } }).catch(() => {});
          await cluster.client.delete(pod, { gracePeriodSeconds: 0 }).catch(() => {});
        }
        await cluster.client.delete(path).catch(() => {});
        await driver.close();
        await cluster.close();
      },
    };
  }

  const open = async () => {
    const harness = await openHarness();
    return {
      ...harness,
      workload: (id: string, kind: WorkloadKind) => harness.shell(id, SCRIPTS[kind]),
      settle: <T>(promise: Promise<T>) => promise,
      wait: () => pauseMs(30),
    };
  };
  driverConformance("kubernetes", open, 4);

  const on = (
    name: string,
    prove: (harness: Awaited<ReturnType<typeof openHarness>>) => Promise<void>,
  ) =>
    test(name, async () => {
      const harness = await openHarness();
      try {
        await prove(harness);
      } finally {
        await harness.dispose();
      }
    });

  type Open = Awaited<ReturnType<typeof openHarness>>;
  const ended = ({ driver }: Open, id: string): Promise<Observation> =>
    until(async () =>
      (await driver.list()).find((each) => each.id === id && each.state === "ended"),
    );
  const textOf = async ({ driver }: Open, id: string) =>
    (await driver.logs(id, 100)).map(({ text }) => text).join("\n");

  on("variables reach the container as they are, through a Secret", async (harness) => {
    const env = { PLAIN: "a $(HOME) b", LINES: "one\ntwo", EMPTY: "" };
    const script = 'echo "$PLAIN|$LINES|$EMPTY|$1"';
    const command = ["sh", "-c", script, "sh", "$(PLAIN)"];
    await harness.driver.start(harness.shell("w1", "", { env, command }));
    await ended(harness, "w1");
    assert.equal(await textOf(harness, "w1"), "a $(HOME) b|one\ntwo||$(PLAIN)");
    const pods = testCluster.kubectl("get", "pods", "--all-namespaces", "--output", "json");
    assert.ok(!pods.includes("a $(HOME) b"));
  });

  on("a workload that exceeds its memory has ended by it", async (harness) => {
    const script = "x=1234567890; while :; do x=$x$x; done";
    const resources = { memoryMb: 32 };
    await harness.driver.start(harness.shell("w1", script, { resources }));
    assert.equal((await ended(harness, "w1")).oom, true);
  });

  on("a start that can never succeed has a cause and leaves nothing", async (harness) => {
    const refused = (id: string, more: object, why: EndCause) =>
      assert.rejects(
        harness.driver.start(harness.shell(id, "", more)),
        (error) => error instanceof StartRefused && error.why === why,
      );
    await refused("name", { image: "Not An Image" }, "image_unusable");
    await refused("away", { image: "127.0.0.1:1/nothing:1" }, "registry_away");
    await refused("program", { entrypoint: ["/no/such"] }, "entrypoint_not_found");
    assert.deepEqual(await harness.driver.list(), []);
    assert.deepEqual(await harness.cluster.pods(), []);
  });

  on("what is not offered is refused before anything is created", async (harness) => {
    const refused = (more: Partial<Workload>, sentence: RegExp) =>
      assert.rejects(
        harness.driver.start(harness.shell("w1", "", more)),
        (error) => error instanceof StartRefused && sentence.test(error.message),
      );
    await refused(
      { volumes: [{ kind: "network", name: "v", mountPath: "/v" }] },
      /no storage class/,
    );
    await refused(
      { network: { id: "n", cidr: "10.65.0.0/24", address: "10.65.0.2" } },
      /not offered/,
    );
    assert.deepEqual(await harness.cluster.pods(), []);
  });

  on("a node port that is in use is refused as such, and no Pod is left", async (harness) => {
    const { client } = harness.cluster;
    const spec = { type: "NodePort", ports: [{ port: 80 }] };
    const services = "/api/v1/namespaces/default/services";
    const name = `s${harness.cluster.installation.toLowerCase()}`;
    type Service = KubernetesObject & { spec: { ports: { nodePort: number }[] } };
    const taken = await client.create<Service>(services, { metadata: { name }, spec });
    const start = (hostPort: number) => {
      const ports = [{ container: 80, protocol: "tcp" as const, hostPort }];
      return harness.driver.start(harness.shell("w1", SCRIPTS.runs, { ports }));
    };
    const port = taken.spec.ports[0]!.nodePort;
    await assert.rejects(
      start(port),
      (error) =>
        error instanceof StartRefused && error.why === "port_taken" && error.engine === `:${port}`,
    );
    await assert.rejects(start(1), /The cluster has no node port 1: .*"nodePorts"/);
    await until(async () => (await harness.cluster.pods()).length === 0);
    await client.delete(`${services}/${name}`);
    await start(port);
    assert.equal((await harness.driver.list())[0]!.state, "running");
  });

  on("a Pod runs once its load balancer has an address", async (harness) => {
    const options = { node: NODE, machine: "m1", logPieces: piecesInMemory() };
    const { cluster } = harness;
    const driver = new KubernetesDriver({ cluster, ...options, publicPorts: "LoadBalancer" });
    const ports = [{ container: 80, protocol: "tcp" as const, hostPort: 20_080 }];
    const services = `/api/v1/namespaces/${namespaceOf({ installation: cluster.installation, machine: "m1" }, "")}/services`;
    const service = async () =>
      (await cluster.client.get<ObjectList<KubernetesObject>>(services)).items[0];
    const aborted = driver.start(harness.shell("w1", SCRIPTS.runs, { ports }));
    await until(service);
    await driver.stop("w1", 1_000);
    await assert.rejects(aborted, StartAborted);
    await until(async () => !(await service()));
    const started = driver.start(harness.shell("w1", SCRIPTS.runs, { ports }));
    const { metadata } = await until(service);
    assert.deepEqual(await driver.list(), []);
    const status = { loadBalancer: { ingress: [{ ip: "192.0.2.7" }] } };
    await cluster.client.patch(`${services}/${metadata.name}/status`, { status });
    await started;
    assert.equal((await driver.list())[0]!.publicIp, "192.0.2.7");
    await driver.close();
  });

  on("a node without the GPUs says so, and the Pod is removed", async (harness) => {
    const resources = { gpuIndices: [0] };
    await assert.rejects(
      harness.driver.start(harness.shell("w1", "", { resources })),
      /cannot place the Pod on its node: it has too few free GPUs/,
    );
    assert.deepEqual(await harness.cluster.pods(), []);
  });

  on("a Pod that someone deletes is observed with its exit code and its log", async (harness) => {
    await harness.driver.start(harness.shell("w1", SCRIPTS.runs));
    await until(async () => (await textOf(harness, "w1")).includes("started"));
    const [pod] = await harness.cluster.pods();
    testCluster.kubectl("delete", "pod", "-n", pod!.namespace, pod!.name, "--wait=false");
    assert.equal((await ended(harness, "w1")).exitCode, 0);
    await harness.driver.remove("w1");
    assert.deepEqual(await harness.driver.list(), []);
  });

  on("the end of a command ends the processes that it started", async (harness) => {
    await harness.driver.start(harness.shell("w1", SCRIPTS.runs));
    const command = ["sh", "-c", "sleep 12345 & echo begun; wait"];
    const execution = await harness.driver.exec("w1", { command, tty: null });
    for await (const _ of execution.output) break;
    await execution.end();
    const script = "for p in /proc/[0-9]*; do cat $p/cmdline; echo; done 2>/dev/null | cat -v";
    await until(async () => {
      const list = await harness.driver.exec("w1", { command: ["sh", "-c", script], tty: null });
      let text = "";
      for await (const { bytes } of list.output) text += bytes.toString();
      return text.includes("sleep") && !text.includes("12345");
    });
  });

  on("a volume outlives its Pod, until it is removed", async (harness) => {
    const { client } = harness.cluster;
    const volumes = [{ kind: "pod" as const, name: "v", mountPath: "/v", sizeGb: 2 }];
    const claims = () =>
      client.get<ObjectList<KubernetesObject>>("/api/v1/persistentvolumeclaims", {
        labelSelector: installationSelector(harness.cluster.installation),
      });
    // A cluster without a provisioner binds volumes that were created for it.
    const name = harness.cluster.installation.toLowerCase();
    await client.create("/api/v1/persistentvolumes", {
      metadata: { name },
      spec: {
        capacity: { storage: "2G" },
        accessModes: ["ReadWriteOnce"],
        hostPath: { path: `/var/tmp/${name}`, type: "DirectoryOrCreate" },
      },
    });
    await harness.driver.start(harness.shell("w1", "echo written > /v/f", { volumes }));
    assert.equal((await ended(harness, "w1")).exitCode, 0);
    await harness.driver.start(harness.shell("w1", "cat /v/f; exit 4", { volumes }));
    await until(async () => (await ended(harness, "w1")).exitCode === 4);
    assert.match(await textOf(harness, "w1"), /written/);
    await harness.driver.remove("w1");
    assert.equal((await claims()).items.length, 1);
    await harness.driver.removeVolume(volumes[0]!);
    await until(async () => (await claims()).items.length === 0);
    await harness.driver.removeVolume(volumes[0]!);
    await client.delete(`/api/v1/persistentvolumes/${name}`);
  });

  on(
    "the claim of a network volume is shared, and grows if its class allows it",
    async (harness) => {
      const { cluster } = harness;
      const volume = { kind: "network" as const, name: "v", mountPath: "/v" };
      const networkVolumes = { storageClass: "folders" };
      const options = { cluster, logPieces: piecesInMemory(), networkVolumes };
      const drivers = ["n1", "n2"].map((name) => {
        return new KubernetesDriver({ ...options, node: { ...NODE, name }, machine: name });
      });
      const [first, second] = drivers as [KubernetesDriver, KubernetesDriver];
      const lines: (string | null)[] = [];
      const run = (driver: KubernetesDriver, id: string, script: string, sizeGb: number) => {
        const volumes = [{ ...volume, sizeGb }];
        return driver.start(harness.shell(id, script, { volumes }), (line) => lines.push(line));
      };
      await run(first, "w1", "echo kept > /v/f", 10);
      await until(async () => (await first.list())[0]?.exitCode === 0);
      await run(second, "w2", "cat /v/f", 20);
      await until(async () => (await second.list())[0]?.exitCode === 0);
      assert.equal((await second.logs("w2", 1))[0]!.text, "kept");
      assert.match(
        lines.join("\n"),
        /keeps its size of 10G, because Kubernetes refuses to expand it/,
      );
      const claims = () =>
        cluster.client.get<ObjectList<KubernetesObject>>("/api/v1/persistentvolumeclaims", {
          labelSelector: installationSelector(cluster.installation),
        });
      assert.equal((await claims()).items.length, 1);
      // Kubernetes keeps a claim as long as a Pod names it, ended ones included.
      await first.remove("w1");
      await second.remove("w2");
      await first.removeVolume(volume);
      await until(async () => (await claims()).items.length === 0);
      for (const driver of drivers) await driver.close();
    },
  );

  on("another driver finds what this one started", async (harness) => {
    await harness.driver.start(harness.shell("w1", SCRIPTS.runs));
    const options = { node: NODE, machine: "m1", logPieces: piecesInMemory() };
    const { installation } = harness.cluster;
    const cluster = new KubernetesCluster(await testCluster.access(), systemClock, installation);
    const second = new KubernetesDriver({ cluster, ...options });
    assert.deepEqual(await second.list(), await harness.driver.list());
    const otherMachine = new KubernetesDriver({ cluster, ...options, machine: "m2" });
    assert.deepEqual(await otherMachine.list(), []);
    await second.stop("w1", 1_000);
    assert.equal((await ended(harness, "w1")).exitCode, 0);
    await cluster.close();
  });
});
