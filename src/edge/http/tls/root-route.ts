// The root certificate of the local authority. It is public, and clients need it before they can speak TLS with the
// service, so it needs no key and is served over plain http as well.

import type { FastifyInstance } from "fastify";
import { Fault } from "../../../domain/fault.ts";
import { OPEN_GET } from "../request/open-get.ts";

export const ROOT_PATH = "/tls/root.pem";

/** Browsers offer to install a file of this type. */
const TYPE = "application/x-x509-ca-cert";

export function rootRoute(root: (() => string) | null) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get(ROOT_PATH, OPEN_GET, async (_, reply) => {
      if (root === null) throw new Fault("route_not_found", { method: "GET", path: ROOT_PATH });
      return reply.type(TYPE).header("cache-control", "no-cache").send(root());
    });
  };
}
