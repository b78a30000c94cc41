// A test of a takeover: two replicas share a database and a machine over SSH. Both show its Pods; when the
// replica that manages it stops, the other one takes over without restarting a container or opening a
// private image to other accounts.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Up } from "../../src/app/boot/up.ts";
import { commandAddress, openCommand } from "../docker/command.ts";
import { CREDENTIALS, pushPrivate, startRegistry } from "../docker/registry.ts";
import { ensureShellImage } from "../fixtures/docker/engine.ts";
import { createOtherAccount } from "../fixtures/service/other-account.ts";
import { until } from "../fixtures/until.ts";
import { podsOf } from "../pods/fixture.ts";
import { missing } from "../postgres/database.ts";
import { startPair, type Tools } from "../replicas/pair.ts";
import { added, CPU, farMachine, machinesOf, missingRemote, podOn, QUICK } from "./rig.ts";

/** Runs a command in a Pod, with input, both outputs and an exit code. */
async function checkCommand({ origin, cliKey }: Up, pod: string): Promise<void> {
  const script = "read -r a; echo $a; ls /no; exit 3";
  // The machine's connection may be made again at this moment.
  const command = await until(() =>
    openCommand(commandAddress(origin, pod, "bash", "-c", script), cliKey).catch((error) => {
      if (/response: 503/.test(error.message)) return null;
      throw error;
    }),
  );
  command.send(0, "typed\n");
  assert.deepEqual(await command.closed, [1000, "exit 3"]);
  assert.equal(command.texts[1], "typed\n");
  assert.match(command.texts[2]!, /no such file/i);
}

/** Waits for a Pod's page, log and metrics at one replica, and runs a command in it. */
async function checkPod(replica: Tools, up: Up, pod: string): Promise<void> {
  await until(podsOf(replica).reached, pod);
  await until(async () => {
    const log = await replica.call("GET", `/v1/pods/${pod}/logs?type=container`);
    return log.text.includes("hello from") || null;
  }, "");
  await until(async () => {
    const { json } = await replica.call("GET", `/v1/pods/${pod}/metrics`);
    return json.samples?.length > 0 || null;
  }, "");
  await checkCommand(up, pod);
}

test("when the replica that manages a machine stops, the other one manages it", {
  skip: missing || missingRemote,
}, async (t) => {
  const { service, a, b } = await startPair(t, {
    drivers: "simulated",
    // With a second account, a registry on loopback has to be allowed.
    env: { FREEHOLD_WEBHOOK_ALLOW: "127.0.0.1,localhost" },
    protocol: { ...QUICK, heartbeatMs: 1_000, measureMs: 500 },
  });
  const remote = await farMachine(t);
  const registry = await startRegistry(t);
  const shellImage = ensureShellImage(remote.engine.host);
  const image = pushPrivate(t, { docker: remote.docker, shellImage }, registry.closed);
  const auth = { name: "ours", ...CREDENTIALS };
  const { id: authId } = (await a.call("POST", "/v1/containerregistryauth", auth)).json;
  const tenant = await createOtherAccount(service);
  const machine = await added(a, remote);
  await until(machinesOf(a).online, machine);
  const script = "echo hello from $HOSTNAME; exec sleep 1000";
  const shell = { dockerEntrypoint: ["bash", "-c"], dockerStartCmd: [script] };
  const pod = await podOn(a, { ...shell, imageName: image, containerRegistryAuthId: authId });
  for (const [n, each] of [a, b].entries()) {
    await checkPod(each, service.replicas[n]!, pod);
  }
  // The replica that manages the machine may not answer the other one while it replaces the container.
  const greetings = (service: typeof a, count: number) =>
    until(async () => {
      const log = await service.call("GET", `/v1/pods/${pod}/logs?type=container`);
      assert.ok(log.status === 200 || log.json.code === "worker_unreachable", log.text);
      if (log.status !== 200 || log.json.length !== count) return null;
      return log.json.map(({ text }: { text: string }) => text) as string[];
    }, "");
  const first = await greetings(a, 1);
  await b.call("POST", `/v1/pods/${pod}/restart`);
  const bothGreetings = await greetings(a, 2);
  assert.equal(bothGreetings[0], first[0]);
  await until(podsOf(a).reached, pod);
  const containers = () => remote.docker("ps", "--all", "--quiet", "--no-trunc");
  const before = containers();

  const manages = service.replicas.findIndex(({ service: { localDrivers } }) =>
    localDrivers.at(machine),
  );
  await service.replicas[manages]!.stop();
  const other = [b, a][manages]!;
  await until(async () => service.replicas[1 - manages]!.service.localDrivers.at(machine), "");
  await until(machinesOf(other).online, machine);
  await until(podsOf(other).reached, pod);
  assert.equal(containers(), before);
  assert.deepEqual(await greetings(other, 2), bothGreetings);

  const { json: refusedPod } = await other.call(
    "POST",
    "/v1/pods",
    { ...CPU, imageName: image },
    tenant,
  );
  const why = await until(async () => {
    const { json } = await other.call("GET", `/v1/why/${refusedPod.id}`, undefined, tenant);
    return json.code === "pod_start_failing" ? json : null;
  }, "");
  assert.equal(why.evidence.cause, "image_unauthorised", why.sentence);
  await other.call("DELETE", `/v1/pods/${refusedPod.id}`, undefined, tenant);

  await other.call("DELETE", `/v1/pods/${pod}`);
  await until(async () => containers() === "" || null, "");
});
