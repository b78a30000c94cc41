// The time from a submit on one replica to the receipt by a worker whose poll another replica holds.
import { setTimeout as pause } from "node:timers/promises";
import { dropFolder, newFolder, postgresHome } from "../host/home.ts";
import { startOn } from "../peers/freehold.ts";
import { type IdleLatency, measureIdle } from "./idle-latency.ts";

const SETTLE_MS = 500;

export async function measureAcross(jobs: number): Promise<IdleLatency> {
  const home = await postgresHome();
  const folder = newFolder();
  const one = await startOn(home);
  const other = await startOn({
    ...home,
    environment: { ...home.environment, FREEHOLD_DATA: folder },
  });
  await pause(SETTLE_MS);
  const latency = await measureIdle(one, other, home.folder, jobs);
  await Promise.all([one.stop(), other.stop()]);
  dropFolder(folder);
  await home.drop();
  return latency;
}
