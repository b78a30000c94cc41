// What containers can reach, tried from inside of them: the service, and neither another account's
// containers nor this machine's other ports nor its provider's metadata.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { suite, test } from "node:test";
import { until } from "../../src/drivers/docker/docker-bench.testing.ts";
import type { DockerDriver } from "../../src/drivers/docker/docker-driver.ts";
import { missing } from "../../src/drivers/docker/engine.testing.ts";
import { startContainerHouse } from "./container-house.ts";

/** What bash's own client says: it got through, somebody refused, or nobody answered in time. */
const TRY = (host: string, port: number) =>
  `timeout 2 bash -c 'exec 3<>/dev/tcp/${host}/${port}' 2>/dev/null; ` +
  `case $? in 0) echo open;; 124) echo silence;; *) echo refused;; esac`;

suite("isolation of containers", { skip: missing }, () => {
  test("a container reaches the service and nothing else that is not its account's", async (t) => {
    const house = await startContainerHouse(t);
    if (house.host.includes("freehold-engine-")) return t.skip("an engine without packet rules");
    const driver = house.house.drivers.find(({ name }) => name === "docker") as DockerDriver;
    const image = house.shellImage;
    await house.makeEndpoint({
      template: { imageName: image, dockerStartCmd: ["sleep", "600"] },
      spec: { workersMin: 1, workersMax: 1 },
    });
    const [worker] = await until(() => {
      const names = house.docker(
        "ps",
        "--format",
        "{{.Names}}",
        "--filter",
        "label=freehold.workload",
      );
      const ours = names.split("\n").filter((each) => each.includes(house.house.replica.machine));
      return ours.length > 0 ? ours : null;
    });
    const env = JSON.parse(house.docker("inspect", "--format", "{{json .Config.Env}}", worker!));
    const url = env.find((each: string) => each.startsWith("RUNPOD_API_BASE_URL=")).split("=")[1];
    const { hostname: gateway, port } = new URL(url);

    // Not started by the driver, which would have them ended: nobody wants them.
    const installation = house.house.replica.machine;
    const label = `freehold.installation=${installation}`;
    const start = async (of: string) => {
      const network = await driver.networks.ensure(of);
      const where = ["--label", label, "--network", network];
      return house.docker("run", "--detach", ...where, image, "sleep", "600");
    };
    const other = await start("another-account");
    const [friend, friend2] = [await start("third-account"), await start("third-account")];
    const from = (name: string, host: string, to: number) =>
      house.docker("exec", name, "sh", "-c", TRY(host, to));
    const format = "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}";
    const addressOf = (id: string) => house.docker("inspect", "--format", format, id);

    const stranger = createServer().listen(0, "0.0.0.0");
    t.after(() => stranger.close());
    await once(stranger, "listening");
    const taken = (stranger.address() as { port: number }).port;

    assert.equal(from(worker!, gateway, Number(port)), "open");
    assert.equal(from(worker!, gateway, taken), "silence");
    assert.equal(from(worker!, gateway, 22), "silence");
    assert.equal(from(worker!, "169.254.169.254", 80), "silence");
    assert.equal(from(friend, addressOf(other), 1), "silence");
    assert.equal(from(friend, addressOf(friend2), 1), "refused");
  });

  test("two services on one engine leave each other and strangers alone", async (t) => {
    const [one, two] = [await startContainerHouse(t), await startContainerHouse(t)];
    const name = `stranger-${process.pid}`;
    one.docker("run", "--detach", "--name", name, one.shellImage, "sleep", "600");
    t.after(() => one.docker("rm", "--force", name));
    const template = { imageName: one.shellImage, dockerStartCmd: ["sleep", "600"] };
    const spec = { workersMin: 1, workersMax: 1 };
    for (const house of [one, two]) await house.makeEndpoint({ template, spec });
    await until(() => one.containers().length === 1 && two.containers().length === 1);
    // By hand: it is noticed, and another takes its place.
    const [first] = one.containers();
    const others = two.containers();
    one.docker("rm", "--force", first!);
    await until(() => one.containers().length === 1 && one.containers()[0] !== first);
    assert.deepEqual(two.containers(), others);
    assert.equal(one.docker("inspect", "--format", "{{.State.Running}}", name), "true");
  });
});
