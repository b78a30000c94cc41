// Two servers on one database and a machine by SSH: one attends it, both show what runs there, and when
// the one dies the other goes on, with nothing doubled, and no private image open to all.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Up } from "../../src/app/up.ts";
import { ensureShellImage } from "../../src/drivers/docker/engine.testing.ts";
import { commandAddress, openCommand } from "../docker/command.ts";
import { CREDENTIALS, pushPrivate, startRegistry } from "../docker/registry.ts";
import { podsOf, until } from "../pods/stage.ts";
import { missing } from "../postgres/database.ts";
import { startPair } from "../replicas/pair.ts";
import { makeStranger } from "../stranger.ts";
import { added, CPU, farMachine, machinesOf, missingRemote, podOn, QUICK } from "./rig.ts";

/** A command has its input, both its outputs and its exit code. */
async function runs({ origin, cliKey }: Up, pod: string): Promise<void> {
  const script = "read -r a; echo $a; ls /no; exit 3";
  const command = await openCommand(commandAddress(origin, pod, "bash", "-c", script), cliKey);
  command.send(0, "typed\n");
  assert.deepEqual(await command.closed, [1000, "exit 3"]);
  assert.equal(command.texts[1], "typed\n");
  assert.match(command.texts[2]!, /no such file/i);
}

test("the replica that attends a machine goes, and the other attends it", {
  skip: missing || missingRemote,
}, async (t) => {
  const { house, a, b } = await startPair(t, {
    drivers: "fake",
    protocol: { ...QUICK, beatMs: 1_000, measureMs: 500 },
  });
  const far = await farMachine(t);
  const registry = await startRegistry(t);
  const shellImage = ensureShellImage(far.engine.host);
  const image = pushPrivate(t, { docker: far.docker, shellImage }, registry.closed);
  const auth = { name: "ours", ...CREDENTIALS };
  const { id: opens } = (await a.call("POST", "/v1/containerregistryauth", auth)).json;
  const stranger = await makeStranger(house);
  const machine = await added(a, far);
  await until(machinesOf(a).online, machine);
  const script = "echo hello from $HOSTNAME; exec sleep 1000";
  const shell = { dockerEntrypoint: ["bash", "-c"], dockerStartCmd: [script] };
  const pod = await podOn(a, { ...shell, imageName: image, containerRegistryAuthId: opens });
  for (const [n, each] of [a, b].entries()) {
    await until(podsOf(each).reached, pod);
    await until(async () => {
      const log = await each.call("GET", `/v1/pods/${pod}/logs?type=container`);
      return log.text.includes("hello from") || null;
    }, "");
    await until(async () => {
      const { json } = await each.call("GET", `/v1/pods/${pod}/metrics`);
      return json.samples?.length > 0 || null;
    }, "");
    await runs(house.replicas[n]!, pod);
  }
  const greetings = async (house: typeof a) => {
    const { json } = await house.call("GET", `/v1/pods/${pod}/logs?type=container`);
    return json.map(({ text }: { text: string }) => text);
  };
  const first = await greetings(a);
  await b.call("POST", `/v1/pods/${pod}/restart`);
  const both = await until(async () => {
    const all = await greetings(a);
    return all.length === 2 ? all : null;
  }, "");
  assert.equal(both[0], first[0]);
  await until(podsOf(a).reached, pod);
  const containers = () => far.docker("ps", "--all", "--quiet", "--no-trunc");
  const before = containers();

  const attends = house.replicas.findIndex(({ house: { attended } }) => attended.at(machine));
  await house.replicas[attends]!.stop();
  const other = [b, a][attends]!;
  await until(async () => house.replicas[1 - attends]!.house.attended.at(machine), "");
  await until(machinesOf(other).online, machine);
  await until(podsOf(other).reached, pod);
  assert.equal(containers(), before);
  assert.deepEqual(await greetings(other), both);

  const { json: theirs } = await other.call(
    "POST",
    "/v1/pods",
    { ...CPU, imageName: image },
    stranger,
  );
  const why = await until(async () => {
    const { json } = await other.call("GET", `/v1/why/${theirs.id}`, undefined, stranger);
    return json.code === "pod_start_failing" ? json : null;
  }, "");
  assert.equal(why.evidence.cause, "image_unauthorised", why.sentence);
  await other.call("DELETE", `/v1/pods/${theirs.id}`, undefined, stranger);

  await other.call("DELETE", `/v1/pods/${pod}`);
  await until(async () => containers() === "" || null, "");
});
