// Routes of REST v2 from operations.

import type { FastifyInstance } from "fastify";
import { ID_PATTERN } from "../../../base/ids.ts";
import type { Operation, Operations } from "../../../contract/operation.ts";
import { Fault } from "../../../domain/fault.ts";
import type { FaultCode } from "../../../domain/fault-catalog.ts";
import {
  type Handlers,
  type RequestReaders,
  serveOperations,
} from "../../management/serve/serve.ts";
import { bodyReader } from "./read-body.ts";
import { queryReader } from "./read-query.ts";

const restV2: RequestReaders = { params: idReader, query: queryReader, body: bodyReader };

/** An operation without a handler does not compile. */
export function serveRestV2<const Ops extends Operations>(
  app: FastifyInstance,
  operations: Ops,
  handlers: Handlers<Ops>,
): void {
  serveOperations(app, operations, handlers, restV2);
}

const notFound: Record<string, FaultCode> = {
  podId: "pod_not_found",
  clusterId: "cluster_not_found",
  sandboxId: "sandbox_not_found",
  endpointId: "endpoint_not_found",
  templateId: "template_not_found",
  networkVolumeId: "network_volume_not_found",
  registryId: "registry_auth_not_found",
  secretId: "secret_not_found",
  workerId: "worker_not_found",
};

/** Nothing has an id of another form, so a malformed id is an unknown one. */
function idReader({ names = [] }: Operation) {
  return (params: Record<string, string>): void => {
    for (const [name, id] of Object.entries(params)) {
      if (names.includes(name) || ID_PATTERN.test(id)) continue;
      throw new Fault(notFound[name] ?? "resource_not_found", { id: id.slice(0, 80) });
    }
  };
}
