// The proxy's own listener, where the path tells the site: /<pod>/<port>/... It is for programs whose
// resolver does not know the names below localhost.

import type { Server } from "node:http";
import { listener } from "../http/listener.ts";
import { isSafe, type PodProxy } from "./proxy.ts";

export function pathServer(proxy: PodProxy): Server {
  return listener(() => {}, {
    first: {
      takes: () => true,
      isPage: () => false,
      handle: (request, response) => proxy.handlePath(request, response),
    },
    upgraders: [{ takesUpgrade: isSafe, upgrade: (upgrade) => proxy.upgradePath(upgrade) }],
  });
}
