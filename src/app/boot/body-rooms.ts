// The room for request bodies, which the metrics export.

import { limits } from "../../domain/protocol.ts";
import type { BodyRooms } from "../../edge/http/body/receive.ts";
import { BodyRoom } from "../../edge/http/request/body-room.ts";
import type { ProcessMetrics } from "../../flows/metrics/process-metrics.ts";
import type { Parts } from "../service-parts.ts";

export function bodyRooms({ clock, config }: Parts, metrics: ProcessMetrics): BodyRooms {
  const clients = new BodyRoom(limits.clientRoomBytes);
  const workers = new BodyRoom(limits.workerRoomBytes);
  metrics.exportBodyBytes(() => ({ clients: clients.bytes, workers: workers.bytes }));
  return { clock, clients, workers, waitMs: config.protocol.postHoldMs };
}
