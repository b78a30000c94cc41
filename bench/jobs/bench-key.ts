// The key, the endpoint and the workers that the load uses with every peer. The peers on plain Fastify know one key
// only: their workers use the client's.
import { hash } from "node:crypto";

export const benchKey = "fh_benchbenchbenchbenchbenchbenchbenchbench";
export const benchEndpoint = "bench0endpoint";

export const benchKeys = new Map([[hash("sha256", benchKey, "hex"), benchEndpoint]]);

export interface BenchWorker {
  id: string;
  key: string;
}

/** As many as the clients of the largest shape, each with a key of its own. */
export const benchWorkers: BenchWorker[] = Array.from({ length: 128 }, (_, n) => ({
  id: `worker${n}`,
  key: `fhw_bench${String(n).padStart(35, "0")}`,
}));

export const workersWithOneKey = benchWorkers.map(({ id }) => ({ id, key: benchKey }));
