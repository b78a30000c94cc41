// Runs the calls of a cassette against a service, in their order. Ids are those that this service answers.

import { type Clock, pause } from "../../base/clock.ts";
import { randomIds } from "../../base/ids.ts";
import { exitCodes, Refusal } from "../../base/refusal.ts";
import { bodyOf, bytesOf } from "../format/body.ts";
import type { RecordedCall } from "../format/cassette.ts";
import { isRead } from "../format/same-call.ts";
import { Bindings } from "../normal/bindings.ts";
import type { Placeholder } from "../normal/placeholders.ts";
import { renderBody, renderHeaders, renderPath, type Values } from "../normal/render.ts";
import type { SessionIds } from "../normal/session-ids.ts";
import { unreachable } from "../record/upstreams.ts";
import { compareAnswers, type Difference } from "./compare.ts";

export interface DiffTarget {
  origin: string;
  key: string;
  /** What the cassette's own names are there. */
  names: SessionIds;
  /** How long a read is repeated until its answer is as recorded. */
  patienceMs: number;
}

export interface ComparedCall {
  number: number;
  call: RecordedCall;
  differences: Difference[];
}

const POLL_MS = 200;

export async function* runCalls(
  calls: RecordedCall[],
  target: DiffTarget,
  clock: Clock,
): AsyncGenerator<ComparedCall> {
  const bindings = new Bindings();
  for (const [at, call] of calls.entries()) {
    const differences = await runCall(call, target, bindings, clock);
    yield { number: at + 1, call, differences };
  }
}

async function runCall(
  call: RecordedCall,
  target: DiffTarget,
  bindings: Bindings,
  clock: Clock,
): Promise<Difference[]> {
  const unknown = unknownId(call, bindings);
  if (unknown) {
    const sentence = `not called: no earlier call answered ${unknown}`;
    return [{ kind: "status", at: "", sentence }];
  }
  const deadline = clock.ticks() + (isRead(call) ? target.patienceMs : 0);
  for (;;) {
    const answer = await send(call, target, bindings, clock.now());
    const differences = compareAnswers(call.answer, answer);
    if (differences.every(({ kind }) => kind === "added") || clock.ticks() >= deadline) {
      bindings.learnBody(call.answer.body, answer.body);
      return differences;
    }
    await pause(clock, POLL_MS);
  }
}

/** An id of the request that no answer gave. */
function unknownId({ path, body }: RecordedCall, bindings: Bindings): string | null {
  const ids = JSON.stringify([path, body]).matchAll(/\{\{id:(\d+)\}\}/g);
  for (const [whole, detail = ""] of ids) {
    if (bindings.valueOf({ name: "id", detail }) === undefined) return whole;
  }
  return null;
}

async function send(
  call: RecordedCall,
  { origin, key, names }: DiffTarget,
  bindings: Bindings,
  now: number,
) {
  const values: Values = { origin, key, now, idOf: (each) => idFor(each, bindings, now) };
  const path = names.replace(renderPath(call.path, values), false);
  const body = bytesOf(renderBody(call.body, values)).toString("latin1");
  const request: RequestInit = {
    method: call.method,
    headers: renderHeaders(call.headers, values),
    redirect: "manual",
    ...(body !== "" && { body: Buffer.from(names.replace(body, false), "latin1") }),
  };
  try {
    const answer = await fetch(origin + path, request);
    const bytes = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, body: bodyOf(bytes) };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
    const sentence = unreachable(new URL(origin), cause ?? new Error(message));
    throw new Refusal(sentence, exitCodes.unreachable);
  }
}

/** A client's UUID is drawn anew, once. */
function idFor(placeholder: Placeholder, bindings: Bindings, now: number): string {
  const known = bindings.valueOf(placeholder);
  if (known !== undefined) return known;
  const uuid = randomIds.job(false, now).replace(/-u1$/, "");
  bindings.learnText(`{{${placeholder.name}:${placeholder.detail}}}`, uuid);
  return uuid;
}
