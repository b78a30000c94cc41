// Connections to ports of Pods. Kubernetes reports a refused connection a moment later, and an accepted one not at all,
// so the first connection to a port waits for that moment. Later ones do not.

import { once } from "node:events";
import type { Duplex } from "node:stream";
import { Deadline, LATE, within } from "../../base/clock.ts";
import { NotReached } from "../../domain/container/unreachable-port.ts";
import { ApiError } from "./client/api-error.ts";
import { forwardPort, PortRefused } from "./client/port-forward.ts";
import type { KubernetesCluster } from "./cluster.ts";

const MIN_WAIT_MS = 250;
/** A refusal comes from as far away as the answer to the handshake; a busy cluster delays both. */
const HANDSHAKES = 10;
const MAX_KNOWN = 10_000;

export class PodDialer {
  readonly #cluster: KubernetesCluster;
  /** Ports that accepted a connection, by Pod. */
  readonly #open = new Set<string>();

  constructor(cluster: KubernetesCluster) {
    this.#cluster = cluster;
  }

  /** Rejects with NotReached. */
  async dial(uid: string, path: string, port: number): Promise<Duplex> {
    const { client, clock } = this.#cluster;
    const key = `${uid}:${port}`;
    const startedAt = clock.ticks();
    const stream = await forwardPort(client, path, port).catch((error) => {
      throw new NotReached(error instanceof ApiError ? "not_running" : "machine_away");
    });
    stream.once("error", () => this.#open.delete(key));
    if (this.#open.has(key)) return stream;
    const waitMs = Math.max(MIN_WAIT_MS, (clock.ticks() - startedAt) * HANDSHAKES);
    const failure = await this.#failureWithin(stream, waitMs);
    if (failure !== null) {
      stream.destroy();
      throw failure;
    }
    if (this.#open.size >= MAX_KNOWN) this.#open.clear();
    this.#open.add(key);
    return stream;
  }

  /** Null as soon as bytes come, or if nothing happens. */
  async #failureWithin(stream: Duplex, waitMs: number): Promise<NotReached | null> {
    const failure = await within(new Deadline(this.#cluster.clock, waitMs), (signal) =>
      once(stream, "readable", { signal }).then(
        () => (stream.readableLength > 0 ? null : new NotReached("silent")),
        (error) => new NotReached(error instanceof PortRefused ? "refused" : "silent"),
      ),
    );
    return failure === LATE ? null : failure;
  }
}
