// The way to a Pod's http ports, for whoever passes requests on to them. Who they belong to is
// remembered between requests, for as long as one container runs: a commit that changes the Pod rings,
// and whoever has connections to it is told that they are over.

import type { Duplex } from "node:stream";
import { Fault } from "../../domain/fault.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { httpPorts } from "../../domain/pod/ports.ts";
import { type Unreached, unreached } from "../../domain/pod/unreached.ts";
import { findPod } from "../../store/pod/row.ts";
import type { Store } from "../../store/store.ts";
import { topic } from "../../store/wakes.ts";
import { type DialDeps, dialPod } from "./dial.ts";

/** One port of a container that runs. */
export interface Door {
  readonly podId: string;
  readonly port: number;
  /** Aborts when the container is to end or has ended: nothing that was dialed is of use any more. */
  readonly over: AbortSignal;
  /** Rejects with NotReached. */
  dial(): Promise<Duplex>;
}

export class Reach {
  readonly #deps: { store: Store } & DialDeps;
  /** Only Pods that run, or nobody could bound it. */
  readonly #known = new Map<string, Known>();
  readonly #looking = new Map<string, Promise<Known>>();

  constructor(deps: { store: Store } & DialDeps) {
    this.#deps = deps;
  }

  /** At once if it is remembered. The faults pod_not_found, port_not_found and pod_unreachable. */
  door(podId: string, port: number): Door | Promise<Door> {
    const known = this.#known.get(podId);
    if (known && !known.stale) return known.door(port);
    return this.#look(podId).then((found) => found.door(port));
  }

  /** Everything that was dialed is over. */
  close(): void {
    for (const known of this.#known.values()) known.end();
    this.#known.clear();
  }

  #look(podId: string): Promise<Known> {
    const looking = this.#looking.get(podId) ?? this.#ask(podId);
    this.#looking.set(podId, looking);
    return looking;
  }

  async #ask(podId: string): Promise<Known> {
    const { store } = this.#deps;
    const bell = store.wakes.hang(topic.pod(podId));
    try {
      for (;;) {
        const pod = await store.read(findPod, podId);
        if (!bell.rung) return this.#remember(podId, pod);
        await bell.wait(this.#deps.clock, 0);
      }
    } finally {
      bell.close();
      this.#looking.delete(podId);
    }
  }

  #remember(podId: string, pod: Pod | undefined): Known {
    const before = this.#known.get(podId);
    if (before && pod && before.isOf(pod)) {
      before.stale = false;
      return before;
    }
    before?.end();
    this.#known.delete(podId);
    if (!pod || pod.state === "TERMINATED") throw new Fault("pod_not_found", { id: podId });
    const known = new Known(this.#deps, pod);
    if (known.trouble === null) {
      this.#known.set(podId, known);
      known.forget = this.#deps.store.wakes.on(topic.pod(podId), () => {
        known.stale = true;
        // Where the store is away, whoever asks next looks again.
        this.#look(podId).catch(() => {});
      });
    }
    return known;
  }
}

/** A Pod as it was seen last, and the doors to its container. */
class Known {
  stale = false;
  forget = () => {};
  /** Why none of its ports is reached. */
  readonly trouble: Unreached | null;
  readonly #deps: DialDeps;
  readonly #pod: Pod;
  readonly #ports: ReadonlySet<number>;
  readonly #over = new AbortController();
  readonly #doors = new Map<number, Door>();

  constructor(deps: DialDeps, pod: Pod) {
    this.#deps = deps;
    this.#pod = pod;
    this.#ports = new Set(httpPorts(pod.spec.ports));
    this.trouble = troubleOf(pod);
  }

  /** Whether the same container runs as before. */
  isOf(pod: Pod): boolean {
    const { startedRound, startedAt } = this.#pod;
    return (
      troubleOf(pod) === null && pod.startedRound === startedRound && pod.startedAt === startedAt
    );
  }

  door(port: number): Door {
    const { id: podId } = this.#pod;
    if (!this.#ports.has(port)) throw new Fault("port_not_found", { id: podId, port });
    if (this.trouble !== null) throw notReached(podId, port, this.trouble);
    const known = this.#doors.get(port);
    if (known) return known;
    const dial = () => dialPod(this.#deps, this.#pod, port);
    const door: Door = { podId, port, over: this.#over.signal, dial };
    this.#doors.set(port, door);
    return door;
  }

  end(): void {
    this.forget();
    this.#over.abort();
  }
}

function troubleOf({ state, observed, round, startedRound }: Pod): Unreached | null {
  if (state !== "RUNNING") return "stopped";
  return observed === "running" && round === startedRound ? null : "starting";
}

export function notReached(podId: string, port: number, why: Unreached): Fault {
  return new Fault("pod_unreachable", { id: podId, port, why: unreached[why] });
}
