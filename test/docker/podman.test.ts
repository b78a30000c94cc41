// Tests of a service on Podman: its workers reach it, although their network's address comes with the first of them.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { suite, test } from "node:test";
import type { DockerDriver } from "../../src/drivers/docker/docker-driver.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import { PodmanEngine, podmanSkipReason } from "../fixtures/docker/podman.ts";
import { until } from "../fixtures/until.ts";
import { startContainerService } from "./container-service.ts";

/** A worker's call of the service, in bash. */
const CALL =
  'IFS=/: read -r _ _ _ host port _ <<<"$RUNPOD_WEBHOOK_GET_JOB"; ' +
  'until exec 3<>"/dev/tcp/$host/$port"; do sleep 0.1; done 2>/dev/null; ' +
  "printf 'GET /v1/health HTTP/1.0\\r\\nhost: x\\r\\n\\r\\n' >&3; read -r line <&3; " +
  'echo "the service says $line"; sleep 600';

suite("a service on Podman", { skip: podmanSkipReason }, () => {
  test("the first worker of an account starts and reaches the service", async (t) => {
    const engine = new PodmanEngine();
    addCleanup(t, () => engine.dispose());
    await engine.start();
    const service = await startContainerService(t, { host: engine.host });
    await service.makeEndpoint({
      template: {
        imageName: service.shellImage,
        dockerEntrypoint: ["bash", "-c"],
        dockerStartCmd: [CALL],
      },
      spec: { workersMin: 1, workersMax: 1 },
    });
    const said = await until(() => {
      const [container] = service.containers();
      const log = container ? service.docker("logs", container) : "";
      return /the service says (.*)/.exec(log)?.[1] ?? null;
    });
    assert.match(said, /^HTTP\/1\.1 \d{3} /);
    const driver = service.service.drivers.find(({ name }) => name === "docker") as DockerDriver;
    const prefix = driver.networks.bridgePrefix;
    const rules = execFileSync("iptables", ["-w", "-S", `FREEHOLD-${prefix}-OUT`], {
      encoding: "utf8",
    });
    const [bridge, ...others] = (await driver.networks.bridges()) ?? [];
    assert.deepEqual(others, []);
    assert.match(
      rules,
      new RegExp(`-i ${bridge} -o ${bridge} -j RETURN\n.*-o ${prefix}\\+ -j DROP`),
    );
    for (const container of service.containers()) service.docker("kill", container);
  });
});
