// What the store knows about when workers run, to check what their drivers report.

import type { LiveWorker } from "../../domain/worker/worker.ts";
import type { KnownTimes } from "../machines/reported-times.ts";

export const knownTimes =
  (workers: readonly LiveWorker[]) =>
  (id: string): KnownTimes | null => {
    const worker = workers.find((each) => each.id === id);
    if (!worker) return null;
    const { observed, createdAt, startedAt } = worker;
    const requestedAt = observed === "new" ? createdAt : null;
    return { requestedAt, startedAt: startedAt ?? createdAt };
  };
