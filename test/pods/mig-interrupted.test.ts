// The service is killed between the end of a GPU's earlier MIG devices and the start of the new ones.

import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import type { Machine } from "../../src/contract/rest-v1/machine/machine.ts";
import { freePort } from "../fixtures/free-port.ts";
import { writeScenario } from "../fixtures/gpu/nvidia-smi.ts";
import { newDataFolder } from "../fixtures/service/service.ts";
import { Service } from "../fixtures/service/service-process.ts";
import { until } from "../fixtures/until.ts";

const A100 = "NVIDIA A100-SXM4-80GB";
const UUID = "GPU-first";
const slices = ["a", "b"].map((id) => {
  return { profile: "3g.40gb", uuid: `MIG-${id}`, memoryMb: 40_192 };
});

/** Once it is asked to create 7g.80gb, it kills the service; later it refuses to. */
const killing = (program: string, killed: string) => `#!/bin/sh
case "$*" in
  *"-cgi 7g.80gb"*)
    if [ ! -e '${killed}' ]; then touch '${killed}'; kill -9 $PPID; exit 1; fi
    echo "Failed to create GPU instances: Insufficient Resources"
    exit 23 ;;
esac
exec '${program}' "$@"
`;

test("a driver that refuses the change after a kill of the service gets the layout of before", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-mig-"));
  const dataFolder = newDataFolder();
  t.after(() => {
    rmSync(folder, { recursive: true });
    rmSync(dataFolder, { recursive: true });
  });
  writeScenario(folder, { gpus: [{ name: A100, memoryMb: 81_920, uuid: UUID, slices }] });
  const program = path.join(folder, "nvidia-smi");
  renameSync(program, `${program}-real`);
  writeFileSync(program, killing(`${program}-real`, path.join(folder, "killed")));
  chmodSync(program, 0o755);
  const start = async () => {
    const service = new Service({
      dataFolder,
      port: await freePort(),
      flags: ["--drivers", "simulated"],
      env: {
        PATH: `${folder}:${process.env.PATH}`,
        FREEHOLD_KERNEL_LOG: "off",
        FREEHOLD_GPU_CHECKS: '{"migLayouts": "set"}',
      },
    });
    t.after(() => service.kill());
    assert.ok(await service.ready(), service.stderr);
    return service;
  };
  const call = async (service: Service, method: string, at: string, body?: object) => {
    const key = readFileSync(path.join(dataFolder, "cli.key"), "utf8").trim();
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(service.origin + at, init);
    assert.equal(answer.status, 200);
    return answer.json();
  };
  const machine = async (service: Service) =>
    ((await call(service, "GET", "/v1/machines")) as Machine[])[0]!;
  const device = async (service: Service) =>
    (await machine(service)).gpuDevices!.find(({ uuid }) => uuid === UUID)!;

  const first = await start();
  const { id } = await machine(first);
  await call(first, "PATCH", `/v1/machines/${id}`, { migLayouts: { [UUID]: ["7g.80gb"] } });
  assert.equal((await first.ended).signal, "SIGKILL");
  const second = await start();
  const ended = await until(async () => {
    const migChange = (await device(second)).migChange!;
    return migChange.outcome === "pending" ? null : migChange;
  });
  assert.equal(ended.outcome, "refused");
  assert.match(
    ended.text!,
    /did not create 7g\.80gb: .*Insufficient Resources; it is divided as before$/,
  );
  assert.equal((await device(second)).state, "split");
});
