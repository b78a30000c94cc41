// Tests of partitions between replicas and their database under load: packets are dropped in silence, in one direction or
// both, for longer than each lease.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Connection } from "../crash/connection.ts";
import { type Direction, dropPackets, whyNoPacketLoss } from "../fixtures/packet-loss.ts";
import { pauseMs } from "../fixtures/time/pace.ts";
import { missing, ownServer } from "../postgres/database.ts";
import { portOf, urlOf } from "../postgres/server.ts";
import { ledgerErrors, startPod } from "./ledger.ts";
import { underLoad } from "./scene.ts";

/** Longer than a job's lease, a heartbeat's, and the silence that loses a machine. */
const CUT_MS = 6_000;
/** The addresses at which the two replicas reach the database. */
const ADDRESSES = ["127.0.0.2", "127.0.0.3"];

test("replicas that do not reach the database, or hear no answer of it, lose nothing, and the other one serves", {
  skip: missing || whyNoPacketLoss(),
}, async (t) => {
  const folder = await ownServer(t, { listen_addresses: ["127.0.0.1", ...ADDRESSES].join() });
  const [url, port] = [urlOf(folder, "postgres"), portOf(folder)];
  const at = (address: string) => Object.assign(new URL(url), { hostname: address }).href;
  const { verdict } = await underLoad(t, {
    url,
    urls: ADDRESSES.map(at),
    jobs: 600,
    async trouble(scene) {
      const { replicas, seeded } = scene;
      const ask = { method: "GET" as const, path: "/v1/pods", key: seeded.key };
      const pod = await startPod(scene);
      const partition = async (cut: number[], directions?: Direction[]) => {
        const ends = cut.map((n) => dropPackets(t, { address: ADDRESSES[n]!, port }, directions));
        const served = [0, 1].filter((n) => !cut.includes(n));
        for (const n of served) {
          const other = new Connection(Number(new URL(replicas[n]!.origin).port));
          assert.equal((await other.insist(ask))?.status, 200);
        }
        await pauseMs(CUT_MS);
        for (const n of cut) assert.equal(await isReady(replicas[n]!.origin), false);
        for (const end of ends) end();
      };
      await partition([0]);
      await partition([1], ["answers"]);
      await partition([0, 1], ["requests"]);
      await pod.delete();
    },
  });
  assert.deepEqual(verdict.broken, []);
  assert.deepEqual(await ledgerErrors(url), []);
});

/** False also while it waits for its database. */
async function isReady(origin: string): Promise<boolean> {
  const options = { signal: AbortSignal.timeout(500) };
  const answer = await fetch(`${origin}/readyz`, options).catch(() => null);
  return answer?.status === 200;
}
