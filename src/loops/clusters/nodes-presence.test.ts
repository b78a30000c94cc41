// Which loops of a cluster's nodes are started, also after passes that failed.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { machineWith } from "../../../test/conformance/store/pod/pod.ts";
import { VirtualClock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import { manageLeadership, type RemoteMachine } from "../../domain/machine/remote.ts";
import { heartbeatTimingOf } from "../../domain/replica/heartbeat-timing.ts";
import { openSqlite } from "../../store/engine/sqlite/open.ts";
import type { Store } from "../../store/engine/store.ts";
import { acquireLeadership } from "../../store/leadership/leadership.ts";
import { insertRemote } from "../../store/remote-machine/remote-machine.ts";
import { heartbeatNode } from "../../transactions/replica/heartbeat-node.ts";
import { type NodeMachine, nodesPresenceLoop } from "./nodes-presence.ts";

const REMOTE: RemoteMachine = {
  id: "k",
  name: "",
  address: "https://k:6443",
  secrets: "",
  addedAt: 1,
  offer: { declared: {}, simulatedGpus: {}, gpus: {}, publicIp: null },
  hostKey: null,
  wayBackPort: null,
  trouble: null,
};

test("the loops of all nodes are started, whatever failed in the pass that entered them", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-nodes-"));
  const store = await openSqlite(path.join(folder, "freehold.db"));
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const clock = new VirtualClock();
  await store.write(insertRemote, REMOTE);
  await store.write(acquireLeadership, manageLeadership("k"), "r", clock.now(), 3_600_000);
  const failures = { heartbeats: 2, starts: 1 };
  /** The first heartbeats of a node are not written. */
  const failing = {
    notifier: store.notifier,
    read: store.read.bind(store),
    async write(transaction: unknown, ...args: unknown[]) {
      const isOfNode =
        transaction === heartbeatNode && (args[0] as { machine: string }).machine === "n1";
      if (isOfNode && failures.heartbeats-- > 0) throw new Fault("store_unavailable");
      return store.write(transaction as never, ...(args as never));
    },
  } as unknown as Store;
  const nodeOf = (machine: string): NodeMachine => {
    const { inventory: offered } = machineWith(machine, ["kubernetes"]);
    const inventory = { ...offered, node: { remote: "k", name: machine, unhealthyGpus: {} } };
    return {
      machine,
      name: machine,
      isReady: true,
      address: null,
      isCordoned: false,
      healthy: [],
      gpuResource: "",
      inventory,
      whole: inventory,
    };
  };
  const nodes = ["n0", "n1", "n2"].map(nodeOf);
  const started: string[] = [];
  const loop = nodesPresenceLoop({
    store: failing,
    clock,
    heartbeatTiming: heartbeatTimingOf(1_000),
    remote: REMOTE,
    replicaId: "r",
    limits: { quarantinedPods: "keep" },
    nodes: async () => nodes,
    seatOf: ({ machine }) => ({ id: machine, machine, drivers: ["kubernetes"], address: "" }),
    async startLoops(changed) {
      if (failures.starts-- > 0) throw new Error("the cluster does not answer");
      started.push(...changed.map(({ machine }) => machine));
    },
    stopLoops: async () => {},
  });
  await assert.rejects(loop.run(), /does not answer/);
  assert.deepEqual(started, []);
  await assert.rejects(loop.run(), { code: "store_unavailable" });
  assert.deepEqual(started.sort(), ["n0", "n2"], "the node that fails does not hold up the others");
  await loop.run();
  assert.deepEqual(started.sort(), ["n0", "n1", "n2"]);
  await loop.run();
  assert.equal(started.length, 3, "loops that run are not started again");
});
