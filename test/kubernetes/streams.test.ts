// Commands and connections of the Kubernetes client in Pods of a real cluster.

import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, suite, test } from "node:test";
import { systemClock } from "../../src/base/clock.ts";
import type { Execution } from "../../src/drivers/driver.ts";
import { ApiClient } from "../../src/drivers/kubernetes/client/api-client.ts";
import { ApiError } from "../../src/drivers/kubernetes/client/api-error.ts";
import { execInPod } from "../../src/drivers/kubernetes/client/exec.ts";
import { forwardPort, PortRefused } from "../../src/drivers/kubernetes/client/port-forward.ts";
import { ensureImage, sharedEngine } from "../fixtures/docker/engine.ts";
import { sharedCluster, skipReason } from "../fixtures/kubernetes/cluster.ts";
import { until } from "../fixtures/until.ts";

const IMAGE = "freehold-test-node-shell:1";
const POD = "/api/v1/namespaces/streams/pods/streams";

/** Echoes what it receives on port 8080, and closes the connection after `bye`. On 8081 it writes without an end. */
const SERVER = `
const net = require("node:net");
net.createServer((s) => {
  s.on("data", (d) => (String(d) === "bye" ? s.end() : s.write(d)));
  s.on("error", () => {});
}).listen(8080);
net.createServer((s) => {
  s.on("error", () => {});
  const more = () => { while (s.write(Buffer.alloc(65536))); };
  s.on("drain", more);
  more();
}).listen(8081, () => console.log("ready"));
`;

suite("streams of the Kubernetes client", { skip: skipReason }, () => {
  let client: ApiClient;

  before(async () => {
    const cluster = await sharedCluster();
    const engine = await sharedEngine();
    const programs = ["bash", "sh", "cat", "stty", "sleep"];
    const which = (name: string) => `/usr/bin/${name}`;
    ensureImage(engine, IMAGE, () => [
      ...programs.map((name): [string, string] => [name, which(name)]),
      ["node", process.execPath],
    ]);
    await cluster.load(engine, IMAGE);
    client = new ApiClient(await cluster.access(), systemClock);
    await client.create("/api/v1/namespaces", { metadata: { name: "streams" } });
    const pod = {
      metadata: { name: "streams" },
      spec: {
        containers: [
          {
            name: "main",
            image: IMAGE,
            imagePullPolicy: "Never",
            command: ["node", "-e", SERVER],
          },
        ],
        terminationGracePeriodSeconds: 0,
      },
    };
    // A new namespace refuses Pods until its service account exists.
    await until(() =>
      client.create("/api/v1/namespaces/streams/pods", pod).then(
        () => true,
        () => false,
      ),
    );
    await until(async () => (await text(`${POD}/log`).catch(() => "")).includes("ready"));
  });

  after(async () => {
    await client?.delete("/api/v1/namespaces/streams").catch(() => {});
    client?.close();
  });

  async function text(path: string): Promise<string> {
    const parts: Buffer[] = [];
    const stream = await client.stream(path, {}, new AbortController().signal);
    for await (const part of stream) parts.push(part as Buffer);
    return Buffer.concat(parts).toString();
  }

  const run = (...command: string[]) => execInPod(client, POD, "main", { command, tty: null });

  test("a command has its output, its errors and its exit code", async () => {
    const execution = await run("sh", "-c", "echo out; echo err >&2; exit 7");
    assert.deepEqual(await read(execution), { stdout: "out\n", stderr: "err\n" });
    assert.equal(await execution.exitCode(), 7);
  });

  test("a command reads its input to the end", async () => {
    const execution = await run("cat");
    const output = read(execution);
    const input = Buffer.alloc(3_000_000, "x");
    for (let from = 0; from < input.length; from += 100_000) {
      await execution.write(input.subarray(from, from + 100_000));
    }
    execution.endInput();
    assert.equal((await output).stdout.length, input.length);
    assert.equal(await execution.exitCode(), 0);
  });

  test("a terminal has a size, which can change", async () => {
    // A size arrives after the command has started.
    const waitFor = (size: string) => `until [ "$(stty size)" = "${size}" ]; do sleep 0.02; done`;
    const script = `${waitFor("41 99")}; echo first; ${waitFor("50 120")}; echo second`;
    const tty = { cols: 99, rows: 41 };
    const execution = await execInPod(client, POD, "main", {
      command: ["bash", "-c", script],
      tty,
    });
    let output = "";
    for await (const { bytes } of execution.output) {
      output += bytes.toString();
      if (output === "first\r\n") await execution.resize(120, 50);
    }
    assert.equal(output, "first\r\nsecond\r\n");
    assert.equal(await execution.exitCode(), 0);
  });

  test("a command that is not in the image exits with 127 and says so", async () => {
    const execution = await run("no-such-command");
    assert.match((await read(execution)).stderr, /no-such-command/);
    assert.equal(await execution.exitCode(), 127);
  });

  test("a command in a Pod that does not exist is refused", async () => {
    await assert.rejects(
      execInPod(client, `${POD}-missing`, "main", { command: ["sh"], tty: null }),
      (error) => error instanceof ApiError && error.status === 404,
    );
  });

  test("a connection carries bytes both ways and ends with the peer", async () => {
    const stream = await forwardPort(client, POD, 8080);
    stream.write("hello");
    const [first] = (await once(stream, "data")) as [Buffer];
    assert.equal(first.toString(), "hello");
    stream.write("bye");
    stream.resume();
    await once(stream, "end");
    stream.destroy();
  });

  test("a closed port is reported as refused", async () => {
    const stream = await forwardPort(client, POD, 81);
    stream.resume();
    const [error] = (await once(stream, "error")) as [Error];
    assert.ok(error instanceof PortRefused, error.message);
    assert.match(error.message, /refused/);
  });

  test("a connection that is not read holds little memory", async () => {
    const stream = await forwardPort(client, POD, 8081);
    await once(stream, "readable");
    let readable = -1;
    // Without back-pressure the amount would never stop growing.
    await until(() => {
      const before = readable;
      readable = stream.readableLength;
      return before === readable;
    });
    assert.ok(readable < 1_000_000, `${readable} bytes`);
    stream.destroy();
  });
});

async function read({ output }: Execution): Promise<{ stdout: string; stderr: string }> {
  const texts = { stdout: "", stderr: "" };
  for await (const { output: name, bytes } of output) texts[name] += bytes.toString();
  return texts;
}
