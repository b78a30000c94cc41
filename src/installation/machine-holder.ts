// Which replica has the machine of a data folder. A copy of the folder carries the same machine: two replicas would both
// run its workloads. The folder of a replica that died differs from a copy by its place, which it records.

import { readFileSync, realpathSync, statSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { pause, systemClock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import { Refusal } from "../base/refusal.ts";
import type { Config } from "../config/config.ts";
import { heartbeatTimingOf } from "../domain/replica/heartbeat-timing.ts";
import type { Store } from "../store/engine/store.ts";
import { replicaOn } from "../store/replica/replica.ts";
import { savedText, writeSecret } from "./data-folder.ts";
import { MACHINE_FILE } from "./folder-identity.ts";

const HOLDER_FILE = "machine.holder";
/** A replica that lives has sent a heartbeat by then. */
const WATCHED_HEARTBEATS = 3;
const BOOT_ID = "/proc/sys/kernel/random/boot_id";

/** Throws Refusal, with the store closed, while another replica sends heartbeats for the machine of this folder. */
export async function refuseHeldMachine(
  { dataFolder: folder, protocol }: Pick<Config, "dataFolder" | "protocol">,
  store: Store,
  machine: string,
): Promise<void> {
  const { heartbeatMs, goneMs } = heartbeatTimingOf(protocol.heartbeatMs);
  if (store.alone) return; // the store is in the folder, which is locked
  const before = await store.read(replicaOn, machine);
  if (!before || before.stoppedAt !== null || before.lostAt !== null) return;
  if (savedText(path.join(folder, HOLDER_FILE)) === holderText(folder, before.id)) return;
  const now = (await store.time()) ?? systemClock.now();
  if (before.seenAt <= now - goneMs) return;
  await pause(systemClock, WATCHED_HEARTBEATS * heartbeatMs);
  const after = await store.read(replicaOn, machine);
  if (!after || after.stoppedAt !== null || after.seenAt <= before.seenAt) return;
  await store.close();
  throw new Refusal(
    `another replica, ${after.address || after.id}, runs as machine ${machine}, so the data folder ${folder} is a copy; ` +
      `give this replica an empty data folder, or stop the other one if this folder replaces it (do not copy ${MACHINE_FILE})`,
  );
}

/** Records in the folder that this replica has its machine. */
export function noteHolder(folder: string, replicaId: string): void {
  writeSecret(path.join(folder, HOLDER_FILE), holderText(folder, replicaId));
}

/** Ends the process at once: what a graceful stop ends on the machine is the other replica's. */
export function endReplaced(log: Logger, machine: string, folder: string): void {
  const reason = `another replica took machine ${machine} while this one was silent`;
  log.error({ folder }, `${reason}: its data folder is a copy; this replica ends`);
  process.exit(1);
}

/** The folder's place: the boot of its host and its inode there. A clone of a disk has the inode, and another boot. */
function holderText(folder: string, replicaId: string): string {
  const { dev, ino } = statSync(realpathSync(folder));
  return `${replicaId} ${bootId()} ${dev} ${ino}`;
}

function bootId(): string {
  try {
    return readFileSync(BOOT_ID, "utf8").trim();
  } catch {
    return hostname();
  }
}
