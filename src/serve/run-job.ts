// One job from its hand-over to its final post. Whatever the handler does, exactly one final post
// is made; none where the job was stopped and the handler gave up, because then the server has
// already ended the job or will give it to another worker.

import type { Delivery } from "./delivery.ts";
import type { Handler, Job, ServeOptions } from "./handler.ts";
import type { Log } from "./log.ts";
import {
  bodyOfFailure,
  bodyOfResult,
  bodyOfStream,
  describeThrown,
  encode,
  errorYielded,
} from "./outcome.ts";
import { Progress } from "./progress.ts";

export interface Surroundings {
  delivery: Delivery;
  signal: AbortSignal;
  log: Log;
  origin: { hostname: string; workerId: string };
}

type Options = Pick<ServeOptions, "refreshWorker" | "returnAggregateStream">;

/** How a job ended: the text of the final post, null where there is to be none. */
interface Ending {
  text: string | null;
  isStream: boolean;
}

/** Never rejects. Resolves to the text of the final post, null where none was made. */
export async function runJob<Input, Output>(
  job: Job<Input>,
  handler: Handler<Input, Output>,
  options: Options,
  surroundings: Surroundings,
): Promise<string | null> {
  const { delivery, log } = surroundings;
  log.debug("Started.");
  const progress = new Progress(delivery.progress, log);
  const ending = await end(job, handler, options, { ...surroundings, progress });
  await progress.close();
  if (ending.text === null) {
    log.info("Stopped; nothing is posted.");
    return null;
  }
  try {
    await delivery.done(ending.text, ending.isStream);
    log.debug("Finished.");
    return ending.text;
  } catch (error) {
    log.error(`The result is lost: ${error instanceof Error ? error.message : error}`);
    return null;
  }
}

async function end<Input, Output>(
  job: Job<Input>,
  handler: Handler<Input, Output>,
  options: Options,
  { delivery, signal, log, origin, progress }: Surroundings & { progress: Progress },
): Promise<Ending> {
  const refreshWorker = options.refreshWorker ?? false;
  let isStream = false;
  try {
    if (!Object.hasOwn(job, "input")) throw new TypeError("the job has no input");
    const report = (value: unknown) => progress.report(value);
    const returned = await handler(job, { signal, progress: report, log });
    isStream = isIterable(returned);
    if (!isIterable(returned)) return { text: bodyOfResult(returned, refreshWorker), isStream };
    const keep = options.returnAggregateStream ?? false;
    const text = await stream(returned, { delivery, signal, keep, refreshWorker });
    return { text, isStream };
  } catch (thrown) {
    if (signal.aborted) return { text: null, isStream };
    const description = describeThrown(thrown, origin);
    log.error(description);
    return { text: bodyOfFailure(description, refreshWorker), isStream };
  }
}

/** Posts every value yielded, one at a time, and returns the text of the final post. */
async function stream(
  chunks: AsyncIterable<unknown> | Iterable<unknown>,
  how: { delivery: Delivery; signal: AbortSignal; keep: boolean; refreshWorker: boolean },
): Promise<string> {
  const kept: string[] = [];
  for await (const chunk of chunks) {
    const error = errorYielded(chunk);
    if (error !== null) return bodyOfFailure(error, how.refreshWorker);
    const text = encode(chunk);
    await how.delivery.chunk(`{"output":${text}}`);
    if (how.keep) kept.push(text);
    how.signal.throwIfAborted();
  }
  return bodyOfStream(kept, how.refreshWorker);
}

/** A list or a string is a result, though it can be iterated; a generator is a stream. */
function isIterable(value: unknown): value is AsyncIterable<unknown> | Iterable<unknown> {
  if (typeof value !== "object" || value === null) return false;
  if (Symbol.asyncIterator in value) return true;
  return Symbol.iterator in value && "next" in value && typeof value.next === "function";
}
