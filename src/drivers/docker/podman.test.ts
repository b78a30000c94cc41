// Tests of the container driver on Podman: the rules of every driver, and what differs from Docker.

import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { after, before, suite, test } from "node:test";
import { driverConformance } from "../../../test/conformance/drivers/driver-conformance.ts";
import {
  conformanceHarness,
  type DockerHarness,
  dockerHarness,
} from "../../../test/fixtures/docker/docker-driver-harness.ts";
import { PodmanEngine, podmanSkipReason } from "../../../test/fixtures/docker/podman.ts";
import { until } from "../../../test/fixtures/until.ts";
import { StartRefused } from "../driver.ts";
import { runLocally } from "../machine/run.ts";
import { applyRules } from "./network/firewall.ts";

/** No machine has a GPU of this number, and a CDI specification of its own does no harm to another one. */
const GPU = 9_731;
const UUID = "GPU-00000000-0000-4000-8000-000000009731";
const CDI_FILE = "/etc/cdi/freehold-test-podman.json";
const cdi = {
  cdiVersion: "0.3.0",
  kind: "nvidia.com/gpu",
  devices: [String(GPU), UUID].map((name) => ({
    name,
    containerEdits: { env: ["GPU_OF_CDI=there"] },
  })),
};

// A specification that gives the name a render node would need that node on this machine.
const readCdiNames = async () => new Map([[`/dev/dri/renderD${GPU}`, `amd.com/gpu=${GPU}`]]);

suite("containers of Podman", { skip: podmanSkipReason }, () => {
  const engine = new PodmanEngine();
  before(() => engine.start());
  after(() => engine.dispose());

  driverConformance("podman", () => conformanceHarness(engine.host), 2);

  const on = (name: string, prove: (harness: DockerHarness) => Promise<void>) =>
    test(name, async () => {
      const harness = await dockerHarness(engine.host, undefined, { readCdiNames });
      try {
        await prove(harness);
      } finally {
        await harness.dispose();
      }
    });

  on("a GPU is attached by its CDI name, and nothing else is lost on the way", async (harness) => {
    mkdirSync("/etc/cdi", { recursive: true });
    writeFileSync(CDI_FILE, JSON.stringify(cdi));
    try {
      const resources = { gpuIndices: [GPU], gpuUuids: [UUID], memoryMb: 64, vcpu: 1.5 };
      const ports = [{ container: 22, protocol: "tcp" as const }];
      const volumes = [{ kind: "pod" as const, name: "v1", mountPath: "/workspace" }];
      const folders = [{ folder: engine.folder, mountPath: "/models" }];
      const script = "echo $GPU_OF_CDI $A; echo kept > /workspace/f; cat /workspace/f; sleep 600";
      const more = {
        resources,
        ports,
        volumes,
        folders,
        env: { A: "b=c" },
        hosts: { api: "10.0.0.1" },
      };
      await harness.driver.start(harness.shell("w1", script, more));
      const lines = await until(async () => {
        const all = await harness.logLines("w1");
        return all.length === 2 ? all : null;
      });
      assert.deepEqual(lines, ["there b=c", "kept"]);
      const [port] = (await harness.observe("w1"))?.ports ?? [];
      assert.equal(port?.container, 22);
      const missing = { resources: { gpuIndices: [GPU + 1] } };
      await assert.rejects(
        harness.driver.start(harness.shell("w2", "sleep 600", missing)),
        (error) => error instanceof StartRefused && /CDI specification/.test(error.message),
      );
      assert.equal((await harness.driver.list()).length, 1);
      await harness.driver.stop("w1", 0);
    } finally {
      rmSync(CDI_FILE);
    }
  });

  on("an AMD GPU is attached by its CDI name where the engine reports it", async (harness) => {
    mkdirSync("/etc/cdi", { recursive: true });
    const [{ containerEdits }] = cdi.devices as [(typeof cdi.devices)[number]];
    const device = { name: String(GPU), containerEdits };
    const file = "/etc/cdi/freehold-test-podman-amd.json";
    writeFileSync(file, JSON.stringify({ ...cdi, kind: "amd.com/gpu", devices: [device] }));
    // Podman 4.3 has CDI, and does not report what it found.
    const client = harness.driver.engine;
    const call = client.callWithin.bind(client);
    client.callWithin = async (...request) => {
      const answer = await call(...request);
      if (typeof answer !== "object" || answer === null || !("ServerVersion" in answer))
        return answer;
      return { ...answer, DiscoveredDevices: [{ Source: "cdi", ID: `amd.com/gpu=${GPU}` }] };
    };
    try {
      const node = { render: `/dev/dri/renderD${GPU}`, group: 9_732, cdi: `amd.com/gpu=${GPU}` };
      const resources = { gpuIndices: [0], gpuUuids: ["GPU-4c2b9f3e8a7d6150"], gpuNodes: [node] };
      await harness.driver.start(harness.shell("w1", "echo $GPU_OF_CDI; id -G", { resources }));
      await harness.untilEnded("w1");
      const [device, groups] = await harness.logLines("w1");
      assert.equal(device, "there");
      assert.ok(groups?.split(" ").includes("9732"), groups);
    } finally {
      rmSync(file);
    }
  });

  on("containers of two accounts do not reach each other, those of one do", async (harness) => {
    const networkOf = (account: string) => `freehold-${harness.installation}-${account}`;
    // The end of the third account's container lifts the isolation by netavark 1.4.0.
    for (const [id, account] of [
      ["w1", "one"],
      ["w2", "one"],
      ["w3", "two"],
      ["w4", "three"],
    ] as const) {
      await harness.driver.start(harness.shell(id, "sleep 600", { account }));
    }
    await harness.driver.stop("w4", 0);
    const { networks } = harness.driver;
    const bridges = await networks.bridges();
    assert.equal(bridges?.length, 3);
    const rules = { bridgePrefix: networks.bridgePrefix, ports: [], bridges };
    assert.equal(await applyRules(runLocally(), rules), null);
    const nameOf = (id: string) => `freehold-${harness.installation}-${id}`;
    const format = "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}";
    const addressOf = (id: string) => harness.docker("inspect", "--format", format, nameOf(id));
    // Nothing listens there: a container that is reached refuses at once.
    const reach = (from: string, to: string) => {
      const connect = `timeout 2 bash -c 'exec 3<>/dev/tcp/${addressOf(to)}/1' 2>/dev/null`;
      const line = `${connect}; case $? in 124) echo silence;; *) echo refused;; esac`;
      return harness.docker("exec", nameOf(from), "sh", "-c", line);
    };
    assert.deepEqual(
      [reach("w1", "w2"), reach("w2", "w1"), reach("w1", "w3"), reach("w3", "w1")],
      ["refused", "refused", "silence", "silence"],
    );
    const listed = engine.podman("network", "inspect", networkOf("one"), networkOf("two"));
    assert.deepEqual(
      (JSON.parse(listed) as { options: object }[]).map(({ options }) => options),
      [{ isolate: "true" }, { isolate: "true" }],
    );
  });

  on("a log is read from any line on, although its times are whole seconds", async (harness) => {
    await harness.driver.start(
      harness.shell("w1", "n=0; while [ $n -lt 40 ]; do n=$((n+1)); echo line $n; done"),
    );
    await harness.untilEnded("w1");
    const all = await harness.driver.logs("w1", 1_000);
    assert.equal(all.length, 40);
    assert.equal(new Set(all.map(({ mark }) => mark)).size, 40);
    assert.deepEqual(await harness.driver.logs("w1", 5), all.slice(-5));
    const since = await harness.driver.logs("w1", 1_000, all[0]!.at! + 0.5);
    assert.deepEqual(since, all);
  });
});
