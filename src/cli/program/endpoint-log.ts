// The logs of all workers of an endpoint as one.

import { pause, systemClock } from "../../base/clock.ts";
import type { LogLine } from "../../contract/rest-v1/observe/log.ts";
import { call } from "../client/api.ts";
import { followLog, type Log, readLog } from "./log-lines.ts";

export interface WorkerLine extends LogLine {
  workerId: string;
}

/** How often it looks for new workers. */
const LOOK_MS = 1_000;
const DEFAULT_TAIL = 100;

/** Newest workers that have ended, which are shown if none runs. */
const ENDED = 3;

/** A log without its route. */
type WorkerLogs = Omit<Log, "path">;

const logOf = (logs: WorkerLogs, workerId: string): Log => {
  return { ...logs, path: `/v1/workers/${encodeURIComponent(workerId)}/logs` };
};

/** The newest lines of the workers that run; of the last ones if none does. */
export async function readEndpointLog(logs: WorkerLogs, endpointId: string): Promise<WorkerLine[]> {
  const workers = await workersOf(logs, endpointId, ENDED);
  const running = workers.filter(({ phase }) => phase !== "ended");
  const lines = await Promise.all(
    (running.length > 0 ? running : workers).map(async ({ id: workerId }) => {
      const ofWorker = await readLog(logOf(logs, workerId));
      return ofWorker.map((line): WorkerLine => ({ workerId, ...line }));
    }),
  );
  // A line without a time stays behind the line before it.
  const timed = lines.flatMap((ofWorker) => {
    let at = "";
    return ofWorker.map((line) => {
      at = line.at ?? at;
      return { at, line };
    });
  });
  timed.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return timed.map(({ line }) => line).slice(-Number(logs.tail ?? DEFAULT_TAIL));
}

/** Follows each worker from its start, or from its newest lines if it runs already. Never ends by itself. */
export async function followEndpointLog(
  logs: WorkerLogs,
  endpointId: string,
  onLine: (line: WorkerLine) => void,
): Promise<never> {
  const followed = new Set<string>();
  const follow = async (workerId: string) => {
    for await (const line of followLog(logOf(logs, workerId))) onLine({ workerId, ...line });
  };
  return new Promise((_, reject) => {
    const look = async () => {
      for (;;) {
        for (const { id } of await workersOf(logs, endpointId, 0)) {
          if (followed.has(id)) continue;
          followed.add(id);
          follow(id).catch(reject);
        }
        await pause(systemClock, LOOK_MS);
      }
    };
    look().catch(reject);
  });
}

const workersOf = ({ service }: WorkerLogs, endpointId: string, ended: number) =>
  call(service, "GET /v1/endpoints/{endpointId}/workers", {
    params: { endpointId },
    query: { ended },
  });
