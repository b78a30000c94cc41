// Tests of the container image, built from the context of `docker build .`, alone, in a Kubernetes cluster, and as
// compose/replicas.yaml runs it: two replicas on PostgreSQL behind a load balancer.

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { sharedEngine } from "../fixtures/docker/engine.ts";
import { freePort } from "../fixtures/free-port.ts";
import { skipReason as noCluster, sharedCluster } from "../fixtures/kubernetes/cluster.ts";
import { helmSkipReason } from "../fixtures/kubernetes/helm.ts";
import { until } from "../fixtures/until.ts";
import { chartStory } from "../kubernetes/chart-install.ts";
import { buildImage } from "./build.ts";
import { Client } from "./client.ts";
import { Composition } from "./composition.ts";
import { docker, missing } from "./engine.ts";
import { podsStory } from "./pods-story.ts";
import { images, makeImages, removeImages } from "./stand-ins.ts";
import { pythonStory, typescriptStory } from "./testcontainers.ts";

const key = "fh_made_by_the_test_of_the_image";
const name = `freehold-test-${process.pid}`;

suite("containers", { skip: missing }, () => {
  let image: string;
  before(() => {
    makeImages();
    image = buildImage(images.node);
  });
  after(() => {
    for (const args of [
      ["rm", "--force", "--volumes", name],
      ["volume", "rm", name],
    ]) {
      try {
        docker(...args);
      } catch {}
    }
    docker("rmi", "--force", image);
    removeImages();
  });

  const start = async () => {
    const port = await freePort();
    const settings = { FREEHOLD_API_KEY: key, FREEHOLD_DRIVERS: "process" };
    const env = Object.entries(settings).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
    const publish = ["--publish", `127.0.0.1:${port}:8700`, "--volume", `${name}:/data`];
    const hard = ["--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL"];
    const soon = ["--health-interval", "1s"];
    docker("run", "--detach", "--name", name, ...publish, ...env, ...hard, ...soon, image);
    const client = new Client(port, key);
    await client.ready();
    return client;
  };

  test("the image contains only what it runs", () => {
    const inside = docker(
      "run",
      "--rm",
      "--entrypoint",
      "sh",
      image,
      "-c",
      "ls -A . node_modules bin",
    );
    assert.doesNotMatch(inside, /typescript|biome|^node$|test|^\.git|^package-lock|node-bin/m);
    assert.match(inside, /^fastify$/m);
    assert.match(docker("run", "--rm", image, "--version"), /^freehold \d/);
  });

  test("a container serves, is healthy, keeps its data, and exits cleanly on SIGTERM", async () => {
    const first = await start();
    assert.deepEqual(await first.greet("you"), { message: "Hello, you!" });
    assert.match(docker("exec", name, "id", "-u"), /^1000$/m);
    assert.equal(docker("exec", name, "ls", "-ld", "/data").slice(0, 10), "drwx------");
    await until(() => health() !== "starting");
    assert.equal(health(), "healthy");
    docker("exec", name, "freehold", "backup", "/data/copy.db");
    const run = await first.call("POST", "/v2/hello/runsync", { input: { name: "again" } });
    docker("stop", "-t", "30", name);
    assert.equal(docker("inspect", "--format", "{{.State.ExitCode}}", name).trim(), "0");
    docker("rm", name);
    const second = await start();
    const { json } = await second.call("GET", `/v2/hello/status/${run.json.id}`);
    assert.deepEqual([json.status, json.output], ["COMPLETED", { message: "Hello, again!" }]);
  });

  const health = () => docker("inspect", "--format", "{{.State.Health.Status}}", name).trim();

  test("the Helm chart runs the image in a cluster", {
    skip: noCluster || helmSkipReason,
  }, async (t) => {
    const cluster = await sharedCluster();
    await cluster.load(await sharedEngine(), image);
    await chartStory(t, cluster, image);
  });

  test("compose.yaml runs Pods and workers on the machine's engine", async (t) => {
    await podsStory(t, image, key);
  });

  test("the Compose file of the examples runs a client's tests beside the service", (t) => {
    const composed = new Composition("examples/compose/compose.yaml", {
      FREEHOLD_IMAGE: image,
      NODE_IMAGE: images.node,
    });
    t.after(() => composed.down());
    assert.match(composed.runToEnd("tests"), /the endpoint hello greets[\s\S]*pass 1\b/);
  });

  test("Testcontainers starts the image for TypeScript", (t) => typescriptStory(t, image));

  test("Testcontainers starts the image for Python", (t) => pythonStory(t, image));

  test("two replicas behind the load balancer continue when one is killed", async (t) => {
    const port = await freePort();
    const composed = new Composition("compose/replicas.yaml", {
      FREEHOLD_IMAGE: image,
      NODE_IMAGE: images.node,
      POSTGRES_IMAGE: images.postgres,
      HAPROXY_IMAGE: images.haproxy,
      FREEHOLD_PUBLISH: `127.0.0.1:${port}`,
      FREEHOLD_API_KEY: key,
      FREEHOLD_SECRET_KEY: "5e".repeat(32),
      POSTGRES_PASSWORD: "only-a-test",
    });
    t.after(() => composed.down());
    composed.up();
    const client = new Client(port, key);
    await client.ready();
    assert.deepEqual(await client.greet("you"), { message: "Hello, you!" });
    const streamed = await client.call("POST", "/v2/hello/run", { input: { count: 3 } });
    assert.equal((await chunksOf(client, streamed.json.id)).length, 3);

    const ids: string[] = [];
    const submit = async () => {
      const { status, json } = await client.call("POST", "/v2/hello/run", { input: {} });
      if (status === 200) ids.push(json.id);
    };
    for (let n = 0; n < 20; n++) await submit();
    composed.kill("freehold-1");
    // A client resends requests that were in flight to the killed replica.
    for (let n = 0; n < 20; n++) await submit().catch(() => {});
    assert.ok(ids.length > 20);
    for (const id of ids) {
      const address = `/v2/hello/status-sync/${id}?wait=90000`;
      assert.equal((await client.call("GET", address)).json.status, "COMPLETED");
    }
    assert.deepEqual(await client.greet("us"), { message: "Hello, us!" });

    composed.start("freehold-1");
    await composed.healthy("freehold-1");
    composed.kill("freehold-2");
    await client.ready();
    assert.deepEqual(await client.greet("all"), { message: "Hello, all!" });
    assert.equal(composed.stop("freehold-1"), 0);
  });
});

/** Each chunk arrives once, no matter which replica answers. */
async function chunksOf(client: Client, id: string): Promise<unknown[]> {
  const chunks: unknown[] = [];
  for (;;) {
    const { json } = await client.call("GET", `/v2/hello/stream/${id}`);
    chunks.push(...json.stream);
    if (json.status === "COMPLETED" && json.stream.length === 0) return chunks;
  }
}
