// A test of a killed replica that manages a machine: the other replica takes over its Pods, starts none
// twice, and continues requests.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Machine } from "../../src/contract/rest-v1/machine/machine.ts";
import { manageLeadership } from "../../src/domain/machine/remote.ts";
import { openPostgres } from "../../src/store/engine/postgres/open.ts";
import { row, type Tx } from "../../src/store/engine/statement.ts";
import type { Store } from "../../src/store/engine/store.ts";
import { seedStore } from "../crash/seed.ts";
import { commandAddress, openCommand } from "../docker/command.ts";
import { Replica } from "../faults/scene.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import { ensureShellImage } from "../fixtures/docker/engine.ts";
import { freePort } from "../fixtures/free-port.ts";
import { until } from "../fixtures/until.ts";
import { podsOf } from "../pods/fixture.ts";
import { freshDatabase, missing } from "../postgres/database.ts";
import { added, farMachine, machinesOf, missingRemote, podOn, QUICK_LOSS } from "./rig.ts";

test("when the replica that manages a machine is killed, the other one takes over", {
  skip: missing || missingRemote,
}, async (t) => {
  const url = await freshDatabase(t);
  const store = await openPostgres(url);
  addCleanup(t, () => store.close());
  const { key } = await seedStore(await openPostgres(url), 0);
  const env = { FREEHOLD_PROTOCOL: JSON.stringify({ ...QUICK_LOSS, heartbeatMs: 500 }) };
  const replicas = [
    new Replica(await freePort(), url, env),
    new Replica(await freePort(), url, env),
  ];
  for (const replica of replicas) addCleanup(t, () => replica.clear());
  for (const replica of replicas) await replica.start();
  const far = await farMachine(t);
  const [a, b] = replicas.map((replica) => talkTo(replica, key));
  const image = ensureShellImage(far.engine.host);
  const machine = await added(a!, far);
  await until(machinesOf(a!).online, machine);
  const script = "echo hello from afar; exec sleep 1000";
  const shell = { dockerEntrypoint: ["bash", "-c"], dockerStartCmd: [script], imageName: image };
  const pod = await podOn(a!, shell);
  await until(podsOf(b!).reached, pod);
  const containers = () => far.docker("ps", "--all", "--quiet", "--no-trunc");
  const before = containers();

  const dies = (await holderOf(store, machine)) === replicas[0]!.origin ? 0 : 1;
  const [lost, left] = [replicas[dies]!, replicas[1 - dies]!];
  const other = [b!, a!][dies]!;
  await lost.kill();
  await until(async () => (await holderOf(store, machine)) === left.origin || null, "");
  await until(machinesOf(other).online, machine);
  assert.equal((await podsOf(other).get(pod)).desiredStatus, "RUNNING");
  const command = commandAddress(left.origin, pod, "bash", "-c", "echo still here");
  const answer = await until(async () => {
    const opened = await openCommand(command, key).catch(() => null);
    return opened && (await opened.closed) && opened.texts[1];
  }, "");
  assert.equal(answer, "still here\n");
  assert.equal(containers(), before);
  await other.call("DELETE", `/v1/pods/${pod}`);
  await until(async () => containers() === "" || null, "");
});

/** Where the server listens that attends a machine. */
async function holderOf(store: Store, machine: string): Promise<string | undefined> {
  function* ask(): Tx<string | undefined> {
    const found = yield* row<{ address: string }>(
      "select replica.address from leadership join replica on replica.id = leadership.holder where leadership.name = ?",
      manageLeadership(machine),
    );
    return found?.address;
  }
  return store.read(ask);
}

function talkTo({ origin }: Replica, key: string) {
  return {
    async call(method: string, path: string, body?: unknown) {
      const authorization = `Bearer ${key}`;
      const headers = { authorization, "content-type": "application/json" };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await fetch(origin + path, { method, headers, ...sent });
      const text = await answer.text();
      const json = text === "" ? undefined : (JSON.parse(text) as Machine);
      return { status: answer.status, headers: answer.headers, text, json };
    },
  };
}
