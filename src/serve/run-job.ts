// The execution of one job, from its take to its final post. Exactly one final post is made, whatever
// the handler does; none if the job was stopped and the handler threw, because then the server has
// ended the job or gives it to another worker.

import type { Handler, Job, ServeOptions, TraceFields } from "./handler.ts";
import type { Log } from "./log.ts";
import {
  bodyOfFailure,
  bodyOfResult,
  bodyOfStream,
  describeThrown,
  encode,
  errorYielded,
} from "./outcome.ts";
import type { Delivery } from "./protocol/delivery.ts";
import { ProgressReporter } from "./protocol/progress.ts";

export interface RunJobDeps {
  delivery: Delivery;
  signal: AbortSignal;
  log: Log;
  origin: { hostname: string; workerId: string };
}

type Options = Pick<ServeOptions, "refreshWorker" | "returnAggregateStream">;

/** The final post of a job; a null text means that none is made. */
interface FinalPost {
  text: string | null;
  isStream: boolean;
}

/** Never rejects. Resolves to the text of the final post, null if none was made. */
export async function runJob<Input, Output>(
  job: Job<Input>,
  handler: Handler<Input, Output>,
  options: Options,
  deps: RunJobDeps,
): Promise<string | null> {
  const { delivery, log } = deps;
  const progress = new ProgressReporter(delivery.progress, log);
  const finalPost = await runHandler(job, handler, options, { ...deps, progress });
  await progress.close();
  if (finalPost.text === null) {
    log.info("Stopped; nothing is posted.");
    return null;
  }
  try {
    await delivery.done(finalPost.text, finalPost.isStream);
    return finalPost.text;
  } catch (error) {
    log.error(`The result is lost: ${error instanceof Error ? error.message : error}`);
    return null;
  }
}

async function runHandler<Input, Output>(
  job: Job<Input>,
  handler: Handler<Input, Output>,
  options: Options,
  { delivery, signal, log, origin, progress }: RunJobDeps & { progress: ProgressReporter },
): Promise<FinalPost> {
  const refreshWorker = options.refreshWorker ?? false;
  let isStream = false;
  try {
    if (!Object.hasOwn(job, "input")) throw new TypeError("the job has no input");
    const report = (value: unknown) => progress.report(value);
    const returned = await handler(job, { signal, progress: report, log, trace: traceOf(job) });
    isStream = isIterable(returned);
    if (!isIterable(returned)) return { text: bodyOfResult(returned, refreshWorker), isStream };
    const aggregate = options.returnAggregateStream ?? false;
    const text = await stream(returned, { delivery, signal, aggregate, refreshWorker });
    return { text, isStream };
  } catch (thrown) {
    if (signal.aborted) return { text: null, isStream };
    const description = describeThrown(thrown, origin);
    log.error(description);
    return { text: bodyOfFailure(description, refreshWorker), isStream };
  }
}

/** Posts every yielded value, one at a time, and returns the text of the final post. */
async function stream(
  chunks: AsyncIterable<unknown> | Iterable<unknown>,
  options: { delivery: Delivery; signal: AbortSignal; aggregate: boolean; refreshWorker: boolean },
): Promise<string> {
  const outputs: string[] = [];
  for await (const chunk of chunks) {
    const error = errorYielded(chunk);
    if (error !== null) return bodyOfFailure(error, options.refreshWorker);
    const text = encode(chunk);
    await options.delivery.chunk(`{"output":${text}}`);
    if (options.aggregate) outputs.push(text);
    options.signal.throwIfAborted();
  }
  return bodyOfStream(outputs, options.refreshWorker);
}

/** An array or a string is a result, although it is iterable; a generator is a stream. */
function isIterable(value: unknown): value is AsyncIterable<unknown> | Iterable<unknown> {
  if (typeof value !== "object" || value === null) return false;
  if (Symbol.asyncIterator in value) return true;
  return Symbol.iterator in value && "next" in value && typeof value.next === "function";
}

/** The trace context that the server adds to a job. */
function traceOf({ traceparent, tracestate }: Job): TraceFields | null {
  if (typeof traceparent !== "string") return null;
  return typeof tracestate === "string" ? { traceparent, tracestate } : { traceparent };
}
