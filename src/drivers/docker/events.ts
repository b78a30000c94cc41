// The engine's events about this installation's containers, followed while the driver is open. Events
// are hints: when the stream breaks it is reopened, and lost events are found by the next `list`.

import { addAbortSignal, type Readable } from "node:stream";
import { type Clock, pause } from "../../base/clock.ts";
import { type ContainerOwner, LABEL, ownerFilter } from "./container/container-spec.ts";
import type { Engine } from "./engine.ts";

export interface Event {
  workload: string;
  container: string;
  action: "start" | "die" | "destroy";
}

export interface EngineListener {
  /** The engine answers, for the first time or again. */
  onConnect(): Promise<void>;
  onEvent(event: Event): void;
}

const RETRY_MS = 1_000;

interface Message {
  Action?: string;
  Actor?: { ID?: string; Attributes?: Record<string, string> };
}

interface EventsDeps {
  engine: Engine;
  clock: Clock;
  owner: ContainerOwner;
}

/** Resolves once `closed` aborts. */
export async function followEvents(
  { engine, clock, owner }: EventsDeps,
  listener: EngineListener,
  closed: AbortSignal,
): Promise<void> {
  const filters = JSON.stringify({ type: ["container"], ...ownerFilter(owner) });
  while (!closed.aborted) {
    try {
      // The engine may be silent, and its stream too: pings beside it tell that it lives.
      const stream = (await engine.callWhileAlive((docker) =>
        docker.getEvents({ filters, abortSignal: closed }),
      )) as Readable;
      engine.guard(addAbortSignal(closed, stream));
      await listener.onConnect();
      for await (const line of lines(stream)) dispatch(JSON.parse(line) as Message, listener);
    } catch {
      // Queries and commands report that the engine is unavailable.
    }
    await pause(clock, RETRY_MS, closed);
  }
}

function dispatch({ Action: action, Actor: actor }: Message, listener: EngineListener): void {
  const workload = actor?.Attributes?.[LABEL.workload];
  if (!workload || !actor?.ID) return;
  if (action === "start" || action === "die" || action === "destroy") {
    listener.onEvent({ workload, container: actor.ID, action });
  } else if (action === "remove") {
    // Podman's word.
    listener.onEvent({ workload, container: actor.ID, action: "destroy" });
  }
}

async function* lines(stream: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of stream) {
    const all = (rest + piece.toString()).split("\n");
    rest = all.pop()!;
    yield* all.filter((line) => line.trim() !== "");
  }
}
