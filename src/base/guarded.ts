// The wrapper for handlers of events: of sockets, notifications and timers. What a handler throws would end the process, so
// that one input could end all replicas. It is reported once, and the next event is handled.

import type { Logger } from "./log.ts";

/** More kinds of errors than a program has; bounds the memory of an error whose message varies. */
const MAX_REPORTED = 1_000;

const reported = new Set<string>();
let log: Logger | null = null;

/** Errors of handlers go to this logger, once each; before that they are warnings of the process. */
export function reportHandlerErrors(to: Logger): void {
  log = to;
}

/**
 * `source` completes the sentence "the handler of ... failed". `fail` ends what waits for the handler, such as a request:
 * its client must not wait for an answer that does not come.
 */
export function guarded<Args extends unknown[]>(
  source: string,
  handler: (...args: Args) => unknown,
  fail: (...args: NoInfer<Args>) => void = () => {},
): (...args: Args) => void {
  return (...args) => {
    const refuse = (error: unknown) => {
      reportHandlerError(source, error);
      try {
        fail(...args);
      } catch (failure) {
        reportHandlerError(source, failure);
      }
    };
    try {
      const result = handler(...args);
      if (result instanceof Promise) result.catch(refuse);
    } catch (error) {
      refuse(error);
    }
  };
}

/** For an input that a handler refuses without an exception. */
export function reportHandlerError(source: string, error: unknown): void {
  const key = `${source} ${error}`;
  if (reported.has(key) || reported.size >= MAX_REPORTED) return;
  reported.add(key);
  const message = `the handler of ${source} failed; the event is dropped`;
  if (log) log.error({ err: error }, message);
  else process.emitWarning(`${message}: ${error instanceof Error ? error.stack : error}`);
}
