// The engine's own news of our containers, read for as long as the driver is open. Only hints: when
// the stream breaks it is opened again, and what was missed is seen by whoever looks.

import type { Readable } from "node:stream";
import { type Clock, pause } from "../../base/clock.ts";
import { LABEL } from "./container.ts";
import type { Engine } from "./engine.ts";

export interface Event {
  workload: string;
  container: string;
  action: "start" | "die" | "destroy";
}

export interface Listener {
  /** The engine answers, for the first time or again. */
  onConnect(): Promise<void>;
  onEvent(event: Event): void;
}

const AGAIN_MS = 1_000;

interface Message {
  Action?: string;
  Actor?: { ID?: string; Attributes?: Record<string, string> };
}

/** Resolves once `closed` is aborted. */
export async function followEvents(
  engine: Engine,
  clock: Clock,
  installation: string,
  closed: AbortSignal,
  listener: Listener,
): Promise<void> {
  const label = [`${LABEL.installation}=${installation}`];
  const filters = JSON.stringify({ type: ["container"], label });
  while (!closed.aborted) {
    try {
      await engine.ask(async (docker) => {
        const stream = (await docker.getEvents({ filters })) as Readable;
        closed.addEventListener("abort", () => stream.destroy(), { once: true });
        if (closed.aborted) return;
        await listener.onConnect();
        for await (const line of lines(stream)) note(JSON.parse(line) as Message, listener);
      });
    } catch {
      // Whoever commands or looks says that the engine is away.
    }
    await pause(clock, AGAIN_MS, closed);
  }
}

function note({ Action: action, Actor: actor }: Message, listener: Listener): void {
  const workload = actor?.Attributes?.[LABEL.workload];
  if (!workload || !actor?.ID) return;
  if (action !== "start" && action !== "die" && action !== "destroy") return;
  listener.onEvent({ workload, container: actor.ID, action });
}

async function* lines(stream: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of stream) {
    const all = (rest + piece.toString()).split("\n");
    rest = all.pop()!;
    yield* all.filter((line) => line.trim() !== "");
  }
}
