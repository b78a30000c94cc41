// Something that somebody asks for and that is told of in the audit log. Which act a request is about
// follows its own way through the flows, so that the entry is made in the commit of the change, and no
// flow need know who asked: all of them write by a store that knows.

import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "../../base/clock.ts";
import type { Actor, AuditEntry } from "../../domain/audit/entry.ts";
import { catalogue, Fault } from "../../domain/fault.ts";
import { appendEntry } from "../../store/audit/audit.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { StoreAround } from "../store-around.ts";

/** What is known of it before it is done. */
export type Asked = Omit<AuditEntry, "at" | "outcome" | "detail">;

interface Act extends Asked {
  told: boolean;
}

const acting = new AsyncLocalStorage<Act>();

/** Runs what was asked, and whatever follows from it. */
export function doing<Result>(asked: Asked, work: () => Result): Result {
  return acting.run({ ...asked, told: false }, work);
}

/** Who asks, where somebody does. Verbs run in turns of their own: it is asked for before. */
export const whoAsks = (): Actor | undefined => acting.getStore()?.actor;

/** For what changes nothing that is kept: it is told of by itself. */
export async function tellNow({ store, clock }: { store: Store; clock: Clock }): Promise<void> {
  const act = acting.getStore();
  if (!act || act.told) return;
  act.told = true;
  await store.write(appendEntry, entryOf(act, clock.now()));
}

/** What is being made now, where the act does not name it yet. */
export function makes(id: string): void {
  const act = acting.getStore();
  if (act && act.resourceId === "") act.resourceId = id;
}

/** What was refused is told of as well, if it can be: who is refused hears why all the same. */
export async function tellRefused(
  { store, clock }: { store: Store; clock: Clock },
  asked: Asked,
  refusal: Fault | { code: string },
): Promise<void> {
  if (refusal instanceof Fault && !isTold(refusal)) return;
  const { code } = refusal;
  const act = acting.getStore();
  if (act) act.told = true;
  const entry = { ...asked, at: clock.now(), outcome: "refused" as const, detail: code };
  await store.write(appendEntry, entry).catch(() => {});
}

/** What the service itself is to blame for, and what came too often, is no matter of who may what. */
function isTold({ code, status }: Fault): boolean {
  return status !== 429 && catalogue[code].blame !== "service";
}

/** Tells of an act in the turn of its first change. */
export class AuditedStore extends StoreAround {
  readonly #clock: Clock;

  constructor(inner: Store, clock: Clock) {
    super(inner);
    this.#clock = clock;
  }

  write<Args extends unknown[], Result>(
    verb: (...args: Args) => Verb<Result>,
    ...args: Args
  ): Promise<Result> {
    const act = acting.getStore();
    if (!act || act.told) return this.inner.write(verb, ...args);
    return this.inner.write(telling<Result>, act, () => verb(...args), this.#clock.now());
  }
}

function* telling<Result>(act: Act, verb: () => Verb<Result>, now: number): Verb<Result> {
  const result = yield* verb();
  if (isRefusal(result)) return result;
  if (act.resourceId === "") act.resourceId = idOf(result);
  yield* appendEntry(entryOf(act, now));
  act.told = true;
  return result;
}

function entryOf({ told: _, ...asked }: Act, at: number): AuditEntry {
  return { ...asked, at, outcome: "done", detail: "" };
}

/** How verbs say that nothing was changed. */
function isRefusal(result: unknown): boolean {
  return result instanceof Fault || result === "conflict" || result === false;
}

/** Of what was made: a Pod, or an endpoint with all that is seen of it. */
function idOf(result: unknown): string {
  const { id, endpoint, budget } = (result ?? {}) as Record<string, unknown>;
  if (typeof id === "string") return id;
  return endpoint || budget ? idOf(endpoint ?? budget) : "";
}
