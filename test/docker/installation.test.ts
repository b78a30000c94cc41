// Containers whose database is lost, on a real engine: no service ends them until an operator says so.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { Refusal } from "../../src/base/refusal.ts";
import { freehold } from "../cli/command.ts";
import { docker, ensureShellImage, sharedEngine, skipReason } from "../fixtures/docker/engine.ts";
import { freePort } from "../fixtures/free-port.ts";
import { Service } from "../fixtures/service/service-process.ts";
import { until } from "../fixtures/until.ts";
import { podsOf } from "../pods/fixture.ts";
import { startContainerService } from "./container-service.ts";

const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
const options = { env: { FREEHOLD_MACHINE: machine }, protocol: { endGraceMs: 500 } };
const make = { computeType: "CPU", vcpuCount: 2, volumeInGb: 1, containerDiskInGb: 1 };
const sleeps = { dockerEntrypoint: ["sh", "-c"], dockerStartCmd: ["sleep 1000"] };

test("a service without its database ends none of its containers until an operator removes them", {
  skip: skipReason,
}, async (t) => {
  const host = await sharedEngine();
  const old = await startContainerService(t, { ...options, host, replicas: null });
  const { dataFolder, containers } = old;
  const installation = await pod(old);
  const [container] = containers();
  await old.stop();
  const at = ["--data", dataFolder];
  const leftovers = () => leftoversOf(dataFolder, host, installation);
  assert.match(
    await leftovers(),
    /the service is stopped, and .* 1 container \(1 running\), 1 net/,
  );

  for (const name of ["freehold.db", "freehold.db-wal", "freehold.db-shm"]) {
    rmSync(path.join(dataFolder, name), { force: true });
  }
  const again = { ...options, dataFolder, replicas: null, host };
  await assert.rejects(startContainerService(t, again), (error) => {
    return error instanceof Refusal && error.message.includes(installation);
  });
  assert.equal(runs(host, container!), "true");

  assert.equal((await freehold(["adopt", ...at])).code, 0);
  const service = await startContainerService(t, again);
  const [own] = await until(async () => {
    const { json } = await service.call("GET", "/v1/machines");
    const found = json[0].unknownInstallations?.filter(isOld);
    return found?.length > 0 ? found : null;
  });
  const use = { containers: 1, running: 1, networks: 1, volumes: 1, removing: false };
  assert.deepEqual(own, { id: installation, ...use });
  const { text } = await service.call("GET", "/metrics");
  const [, counted] = /^freehold_unknown_containers\{machine="\w+"\} (\d+)$/m.exec(text)!;
  assert.ok(Number(counted) >= 1, text);
  // The new service works beside them: its own Pod runs while the old one goes on.
  await pod(service);
  assert.equal(runs(host, container!), "true");
  assert.match(await leftovers(), /no service runs for installation .* 1 container \(1 running\)/);

  const id = service.service.replica.machine;
  const clean = await freehold(["machine", "clean", id, installation, "--volumes", ...at]);
  assert.equal(clean.code, 0, clean.stderr);
  await until(async () => {
    const { json } = await service.call("GET", "/v1/machines");
    return json[0].unknownInstallations?.some(isOld) ? null : true;
  });
  assert.equal(docker(host, "ps", "-aq", "--filter", `id=${container}`), "");
  const filter = ["-q", "--filter", `label=freehold.installation=${installation}`];
  assert.equal(docker(host, "volume", "ls", ...filter), "");
  assert.equal(service.containers().length, 1);
  const missing = await freehold(["machine", "clean", id, installation, ...at]);
  assert.match(missing.stderr, /has nothing of an installation/);

  function isOld(use: { id: string }) {
    return use.id === installation;
  }
});

test("a service that is stopped and started finds its containers again", {
  skip: skipReason,
}, async (t) => {
  const host = await sharedEngine();
  const first = await startContainerService(t, { ...options, host, replicas: null });
  await pod(first);
  const before = first.containers();
  await first.stop();
  const { dataFolder } = first;
  await startContainerService(t, { ...options, host, replicas: null, dataFolder });
  assert.deepEqual(first.containers(), before);
});

test("a temporary service leaves no container, network, volume or folder", {
  skip: skipReason,
}, async (t) => {
  const host = await sharedEngine();
  const image = ensureShellImage(host);
  const dataFolder = path.join(mkdtempSync(path.join(tmpdir(), "freehold-temporary-")), "data");
  t.after(() => rmSync(path.dirname(dataFolder), { recursive: true, force: true }));
  const flags = ["--drivers", "docker", "--docker-host", host, "--machine", machine];
  const service = new Service({
    dataFolder,
    port: await freePort(),
    flags: [...flags, "--temporary", "on"],
    input: "pipe",
  });
  t.after(() => service.end());
  assert.ok(await service.ready(), service.stderr);
  const key = readFileSync(path.join(dataFolder, "cli.key"), "utf8").trim();
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ ...make, ...sleeps, imageName: image });
  const pods = `${service.origin}/v1/pods`;
  assert.equal((await fetch(pods, { method: "POST", headers, body })).status, 201);
  const ofFolder = ["--filter", `label=freehold.data-folder=${dataFolder}`];
  await until(() => docker(host, "ps", "-q", ...ofFolder));
  service.endInput();
  assert.deepEqual(await service.ended, { code: 0, signal: null }, service.stderr);
  assert.equal(docker(host, "ps", "-aq", ...ofFolder), "");
  for (const noun of ["volume", "network"])
    assert.equal(docker(host, noun, "ls", "-q", ...ofFolder), "");
  assert.ok(!existsSync(dataFolder));
});

/** Starts a Pod; returns the installation that its container carries. */
async function pod(service: Awaited<ReturnType<typeof startContainerService>>): Promise<string> {
  const body = { ...make, ...sleeps, imageName: service.shellImage };
  const { json, text } = await service.call("POST", "/v1/pods", body);
  assert.ok(json.id, text);
  await until(podsOf(service).reached, json.id);
  const [container] = service.containers();
  const label = '{{index .Config.Labels "freehold.installation"}}';
  return service.docker("inspect", "--format", label, container!).trim();
}

function runs(host: string, container: string): string {
  return docker(host, "inspect", "--format", "{{.State.Running}}", container).trim();
}

/** The lines of `freehold doctor` about an installation. */
async function leftoversOf(
  dataFolder: string,
  host: string,
  installation: string,
): Promise<string> {
  const config = path.join(dataFolder, "doctor.json");
  writeFileSync(config, JSON.stringify({ dockerHost: host }));
  const at = ["--data", dataFolder, "--config", config, "--listen", "127.0.0.1:0"];
  const { stdout } = await freehold(["doctor", ...at]);
  return stdout
    .split("\n")
    .filter((line) => line.includes(installation))
    .join("\n");
}
