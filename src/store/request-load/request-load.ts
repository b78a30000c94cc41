// The table `request_load`: the requests of load-balancing endpoints that each replica forwards or holds.

import type { QueueLoad } from "../../domain/endpoint/fleet.ts";
import { change, row, rows, type Tx } from "../engine/statement.ts";

/** The requests of one replica on one worker, or held by it if `workerId` is empty. */
export interface RequestLoad {
  endpointId: string;
  workerId: string;
  requests: number;
}

export function* setRequestLoad(load: RequestLoad, replica: string, now: number): Tx<void> {
  const { endpointId, workerId, requests } = load;
  if (requests === 0) {
    yield* change(
      "delete from request_load where worker_id = ? and endpoint_id = ? and replica = ?",
      workerId,
      endpointId,
      replica,
    );
    return;
  }
  yield* change(
    `insert into request_load (endpoint_id, worker_id, replica, requests, since, reported_at)
     values (?, ?, ?, ?, ?, ?)
     on conflict (worker_id, endpoint_id, replica)
     do update set requests = excluded.requests, reported_at = excluded.reported_at`,
    endpointId,
    workerId,
    replica,
    requests,
    now,
    now,
  );
}

/** The requests in flight by worker, without those of one replica. */
export function* requestsElsewhere(
  endpointId: string,
  replica: string,
): Tx<{ workerId: string; requests: number }[]> {
  return yield* rows<{ workerId: string; requests: number }>(
    `select worker_id as "workerId", cast(sum(requests) as bigint) as requests from request_load
     where endpoint_id = ? and replica <> ? and worker_id <> '' group by worker_id`,
    endpointId,
    replica,
  );
}

/** The requests of an endpoint as the autoscaler's input. */
export function* requestLoadOf(endpointId: string): Tx<QueueLoad> {
  const held = yield* row<{ requests: number; since: number | null }>(
    `select cast(coalesce(sum(requests), 0) as bigint) as requests, min(since) as since
     from request_load where endpoint_id = ? and worker_id = ''`,
    endpointId,
  );
  const sent = yield* row<{ requests: number }>(
    `select cast(coalesce(sum(requests), 0) as bigint) as requests from request_load
     where endpoint_id = ? and worker_id <> ''`,
    endpointId,
  );
  return {
    waiting: held!.requests,
    waitingLowPriority: 0,
    oldestWaitingAt: held!.since,
    inProgress: sent!.requests,
    inProgressLowPriority: 0,
  };
}

/** Removes the loads of replicas that stopped reporting. */
export function* deleteLoadsBefore(before: number): Tx<number> {
  return yield* change("delete from request_load where reported_at < ?", before);
}
