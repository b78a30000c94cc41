// Several interceptors as one: the first that takes a request handles it.

import type { PlainHandler, PlainInterceptor } from "../listener.ts";

export function firstOf(interceptors: readonly PlainInterceptor[]): PlainInterceptor {
  return {
    takes: (request) => interceptors.some((each) => each.takes(request)),
    isPage: (origin) => interceptors.some((each) => each.isPage(origin)),
    handle: (request, response) =>
      interceptors.find((each) => each.takes(request))?.handle(request, response),
  };
}

/** An interceptor as a handler of plain requests. */
export const plainHandlerOf =
  (interceptor: PlainInterceptor): PlainHandler =>
  (request, respond) => {
    if (!interceptor.takes(request)) return false;
    interceptor.handle(request, respond());
    return true;
  };
