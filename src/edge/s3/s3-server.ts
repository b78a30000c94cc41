// The listener of the S3 interface. What serves requests is loaded with the first one.

import type { Server } from "node:http";
import { type Listeners, listener } from "../http/listener.ts";
import type { S3Service } from "./serve.ts";

export interface S3ServerDeps extends Omit<S3Service, "listeners"> {
  listeners: Pick<Listeners, "guard" | "localTrust" | "tls">;
}

export function s3Server(deps: S3ServerDeps): Server {
  const { guard, localTrust, tls } = deps.listeners;
  return listener(() => {}, {
    interceptor: {
      takes: () => true,
      isPage: () => false,
      handle: (message, response) =>
        void import("./serve.ts").then(({ serveSigned }) => serveSigned(deps, message, response)),
    },
    upgraders: [],
    guard,
    localTrust,
    tls,
  });
}
