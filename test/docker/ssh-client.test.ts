// `rp pod create`, `connect` and `sync` of runpod 2.0.0rc2, unmodified, against Pods whose image has an SSH server.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { witness } from "../fidelity/witness.ts";
import { skipReason } from "../fixtures/docker/engine.ts";
import { until } from "../fixtures/until.ts";
import { pythonWith } from "../sdk/python-environment.ts";
import { type ContainerService, startContainerService } from "./container-service.ts";
import { ensureSshImage } from "./ssh-image.ts";

const env = {
  FREEHOLD_MACHINE: JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 }),
  FREEHOLD_GPUS: '{"NVIDIA GeForce RTX 3090": 2}',
};

/** Fulfilled when the Pod's SSH server accepts connections. */
const isListening = (service: ContainerService, id: string) =>
  until(async () => {
    const { json } = await service.call("GET", `/v1/pods/${id}/logs?type=container`);
    return json.some(({ text }: { text: string }) => text.includes("Server listening"));
  });

test("rp creates Pods, opens a terminal on them and copies files between them", {
  skip: skipReason,
}, async (t) => {
  const python = pythonWith(t, "2.0.0rc2");
  if (!python) return;
  const service = await startContainerService(t, { env, protocol: { endGraceMs: 500 } });
  witness(t, service, "PyPI runpod 2.0.0rc2, its commands over SSH");
  // The command creates Pods of one image only, which cannot be pulled here.
  service.docker("tag", ensureSshImage(service.host), "runpod/base:0.0.0");
  const home = mkdtempSync(path.join(tmpdir(), "freehold-home-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const program = path.join(path.dirname(python), "rp");
  const variables = { HOME: home, RUNPOD_API_BASE_URL: service.origin, COLUMNS: "200" };
  const options = { env: { PATH: process.env.PATH, ...variables }, timeout: 280_000 };
  const rp = async (args: string[], input = "") => {
    const running = promisify(execFile)(program, args, options);
    running.child.stdin!.end(input);
    const { stdout, stderr } = await running;
    return stdout + stderr;
  };
  const create = async (name: string) => {
    const printed = await rp(["pod", "create", name], "y\n");
    const id = /Pod (\w+) has been created/.exec(printed)?.[1];
    assert.ok(id, printed);
    await isListening(service, id);
    return id;
  };
  await rp(["login", "--api-key", service.key]);
  await rp(["ssh", "add"], "y\nlaptop\n");

  const source = await create("source");
  const script =
    'mkdir -p /workspace/sub; echo "from $HOSTNAME" > /workspace/sub/file; echo done\n';
  const session = await rp(["pod", "connect", source], script);
  assert.match(session, /using key laptop/);
  assert.match(session, /^done$/m);
  const target = await create("target");
  // The machine has two of the only GPU type that the command asks for.
  await assert.rejects(rp(["pod", "create", "third"], "y\n"), /no longer any instances available/);
  const printed = await rp(["pod", "sync", source, target]);
  const place = /Destination location: \w+:(\S+)/.exec(printed)?.[1];
  assert.ok(place, printed);
  assert.match(printed, /Files transferred: 1/);
  const read = await rp(["ssh", target], `cat ${place}/sub/file\n`);
  assert.match(read, /^from \w+$/m);
});
