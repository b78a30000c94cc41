// Tests of isolation from inside containers: they reach the service, but not another account's
// containers, other ports of this machine, or the provider's metadata.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { suite, test } from "node:test";
import type { DockerDriver } from "../../src/drivers/docker/docker-driver.ts";
import { skipReason } from "../fixtures/docker/engine.ts";
import { until } from "../fixtures/until.ts";
import { startContainerService } from "./container-service.ts";

/** The result of bash's own client: connected, refused, or no answer in time. */
const TRY = (host: string, port: number) =>
  `timeout 2 bash -c 'exec 3<>/dev/tcp/${host}/${port}' 2>/dev/null; ` +
  `case $? in 0) echo open;; 124) echo silence;; *) echo refused;; esac`;

suite("isolation of containers", { skip: skipReason }, () => {
  test("a container reaches only the service and its account's containers", async (t) => {
    const service = await startContainerService(t);
    if (service.host.includes("freehold-engine-")) return t.skip("an engine without packet rules");
    const driver = service.service.drivers.find(({ name }) => name === "docker") as DockerDriver;
    const image = service.shellImage;
    await service.makeEndpoint({
      template: { imageName: image, dockerStartCmd: ["sleep", "600"] },
      spec: { workersMin: 1, workersMax: 1 },
    });
    const [worker] = await until(() => {
      const names = service.docker(
        "ps",
        "--format",
        "{{.Names}}",
        "--filter",
        "label=freehold.workload",
      );
      const ours = names
        .split("\n")
        .filter((each) => each.includes(service.service.replica.machine));
      return ours.length > 0 ? ours : null;
    });
    const env = JSON.parse(service.docker("inspect", "--format", "{{json .Config.Env}}", worker!));
    const url = env.find((each: string) => each.startsWith("RUNPOD_API_BASE_URL=")).split("=")[1];
    const { hostname: gateway, port } = new URL(url);

    // Not started by the driver, which would end them as undesired.
    const { machine } = service.service.replica;
    const label = `freehold.machine=${machine}`;
    const start = async (of: string) => {
      const network = await driver.networks.ensure(of);
      const where = ["--label", label, "--network", network];
      return service.docker("run", "--detach", ...where, image, "sleep", "600");
    };
    const other = await start("another-account");
    const [friend, friend2] = [await start("third-account"), await start("third-account")];
    const from = (name: string, host: string, to: number) =>
      service.docker("exec", name, "sh", "-c", TRY(host, to));
    const format = "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}";
    const addressOf = (id: string) => service.docker("inspect", "--format", format, id);

    const otherAccount = createServer().listen(0, "0.0.0.0");
    t.after(() => otherAccount.close());
    await once(otherAccount, "listening");
    const taken = (otherAccount.address() as { port: number }).port;

    assert.equal(from(worker!, gateway, Number(port)), "open");
    assert.equal(from(worker!, gateway, taken), "silence");
    assert.equal(from(worker!, gateway, 22), "silence");
    assert.equal(from(worker!, "169.254.169.254", 80), "silence");
    assert.equal(from(friend, addressOf(other), 1), "silence");
    assert.equal(from(friend, addressOf(friend2), 1), "refused");
  });

  test("two services on one engine do not touch each other's or other containers", async (t) => {
    const [one, two] = [await startContainerService(t), await startContainerService(t)];
    const name = `stranger-${process.pid}`;
    one.docker("run", "--detach", "--name", name, one.shellImage, "sleep", "600");
    t.after(() => one.docker("rm", "--force", name));
    const template = { imageName: one.shellImage, dockerStartCmd: ["sleep", "600"] };
    const spec = { workersMin: 1, workersMax: 1 };
    for (const service of [one, two]) await service.makeEndpoint({ template, spec });
    await until(() => one.containers().length === 1 && two.containers().length === 1);
    // Removed by hand: the service notices it and starts another.
    const [first] = one.containers();
    const others = two.containers();
    one.docker("rm", "--force", first!);
    await until(() => one.containers().length === 1 && one.containers()[0] !== first);
    assert.deepEqual(two.containers(), others);
    assert.equal(one.docker("inspect", "--format", "{{.State.Running}}", name), "true");
  });
});
