// A machine is removed while another replica places something on it: that is counted, and nothing is left without a machine.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import pg from "pg";
import { VirtualClock } from "../../src/base/clock.ts";
import type { RemoteMachine } from "../../src/domain/machine/remote.ts";
import { removeMachine } from "../../src/flows/machine/remove.ts";
import { insertAccount } from "../../src/store/account/account.ts";
import { openPostgres } from "../../src/store/engine/postgres/open.ts";
import { findVolume, insertVolume } from "../../src/store/network-volume/network-volume.ts";
import { insertRemote } from "../../src/store/remote-machine/remote-machine.ts";
import { replicaOn } from "../../src/store/replica/replica.ts";
import { forgetNode } from "../../src/transactions/machine/forget-node.ts";
import { gpuMachine } from "../conformance/store/pod/pod.ts";
import { until } from "../fixtures/until.ts";
import { freshDatabase, missing } from "./database.ts";

const NOW = Date.UTC(2026, 0, 1);
const WAITING = `select 1 from pg_stat_activity
  where datname = current_database() and wait_event in ('transactionid', 'tuple')`;
const PLACE = "update network_volume set machine = 'm' where id = 'v'";

const remote: RemoteMachine = {
  id: "m",
  name: "",
  address: "ssh://m",
  secrets: "",
  addedAt: NOW,
  offer: { declared: {}, simulatedGpus: {}, gpus: {}, publicIp: null },
  hostKey: null,
  wayBackPort: null,
  trouble: null,
};

const volume = {
  id: "v",
  accountId: "a",
  name: "v",
  labels: {},
  size: 10,
  type: "STANDARD" as const,
  dataCenterId: "X",
  machine: null,
  virtual: false,
  createdAt: NOW,
};

/** A machine, and a volume without a place. */
async function open(t: TestContext) {
  const url = await freshDatabase(t);
  const store = await openPostgres(url);
  const other = new pg.Client(url);
  await other.connect();
  t.after(async () => {
    await store.close();
    await other.end();
  });
  await store.write(insertAccount, { id: "a", name: "a", webhookSecret: null, createdAt: NOW });
  await store.write(insertRemote, remote);
  await gpuMachine(store, "m", NOW);
  await store.write(insertVolume, volume);
  return {
    store,
    /** Lets `call` begin while another places the volume on the machine, which it has locked. */
    async duringPlacement<Result>(call: () => Promise<Result>) {
      await other.query(`begin; select 1 from replica where machine = 'm' for update; ${PLACE}`);
      let isOver = false;
      const result = call().finally(() => {
        isOver = true;
      });
      result.catch(() => {}); // the caller sees it
      await until(async () => isOver || (await other.query(WAITING)).rowCount === 1);
      await other.query("commit");
      return result;
    },
  };
}

test("a machine is not removed while something is placed on it", { skip: missing }, async (t) => {
  const { store, duringPlacement } = await open(t);
  const remove = (force: boolean) =>
    removeMachine({ store, clock: new VirtualClock() }, "a", "m", force);
  await assert.rejects(
    duringPlacement(() => remove(false)),
    /1 network volume/,
  );
  assert.equal((await store.read(findVolume, "v"))!.machine, "m");
  await remove(true);
  assert.equal(await store.read(findVolume, "v"), undefined);
});

test("a node that left its cluster is known while something is placed on it", {
  skip: missing,
}, async (t) => {
  const { store, duringPlacement } = await open(t);
  await duringPlacement(() => store.write(forgetNode, "m", NOW));
  assert.equal((await store.read(findVolume, "v"))!.machine, "m");
  assert.ok(await store.read(replicaOn, "m"));
});
