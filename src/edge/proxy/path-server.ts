// The proxy's own listener, which routes by path: /<pod>/<port>/... It is for programs whose resolver
// does not resolve names below localhost.

import type { Server } from "node:http";
import { type Listeners, listener } from "../http/listener.ts";
import { isSafe, type PodProxy } from "./proxy.ts";

export function pathServer(
  proxy: PodProxy,
  rules: Pick<Listeners, "guard" | "localTrust">,
): Server {
  const { guard, localTrust } = rules;
  return listener(() => {}, {
    interceptor: {
      takes: () => true,
      isPage: () => false,
      handle: (request, response) => proxy.handlePath(request, response),
    },
    upgraders: [{ takesUpgrade: isSafe, upgrade: (upgrade) => proxy.upgradePath(upgrade) }],
    guard,
    localTrust,
  });
}
