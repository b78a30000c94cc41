// Alerts for Pods and endpoints that do not work as desired, each with its reason.

import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api, type Schema } from "../../api/client.ts";
import { useCanView } from "../../api/session.ts";
import { phaseOf } from "../pods/pod-status.tsx";
import type { Alert } from "./alerts.tsx";
import { useEndpointLoads } from "./use-endpoint-loads.ts";

/** Limits the number of queries for reasons. */
const MAX_RESOURCES = 8;

/** Reasons that are transient or intended. */
const EXPECTED_CODES = new Set([
  "worker_ready",
  "image_pulling",
  "model_downloading",
  "worker_starting",
  "worker_asked",
  "low_priority",
  "workers_busy",
  "idle",
  "workers_leaving",
  "scaler_delay",
  "scaler_satisfied",
  "rolling_out",
  "in_line",
  "serving",
  "pod_running",
  "pod_starting",
  "pod_stopped",
  "pod_stop_after",
  "pod_max_lifetime",
  "pod_idle",
  "pod_finished",
]);

export function useResourceAlerts(): Alert[] {
  const enabled = useCanView("resources");
  const { data: pods = [] } = api.useQuery("get", "/v1/pods", undefined, { enabled });
  const { loads } = useEndpointLoads();
  const candidates = [
    ...pods.filter(mayNeedAttention).sort(byFailure).slice(0, MAX_RESOURCES),
    ...loads.filter(({ queued, unhealthy }) => queued + unhealthy > 0).slice(0, MAX_RESOURCES),
  ];
  const answers = useQueries({
    queries: candidates.map(({ id }) =>
      api.queryOptions("get", "/v1/why/{id}", { params: { path: { id } } }),
    ),
  });
  return candidates.flatMap(({ id, name }, n) => {
    const why = answers[n]!.data;
    if (!why || EXPECTED_CODES.has(why.code)) return [];
    return [{ id, message: <Reason id={id} name={name || id} why={why} /> }];
  });
}

/** The Pod should run but is unreachable, left the line without being created, or Freehold stopped it. */
function mayNeedAttention(pod: Schema["Pod"]): boolean {
  if (pod.queued) return pod.queued.refused !== undefined;
  if (pod.desiredStatus === "EXITED") return pod.lastStatusChange.startsWith("Exited by Freehold");
  if (pod.desiredStatus !== "RUNNING") return false;
  return phaseOf(pod) !== "running" || Object.keys(pod.portMappings).length === 0;
}

/** Crashed Pods come before those that a budget stopped, which can be all. */
const byFailure = (a: Schema["Pod"], b: Schema["Pod"]) => Number(!a.failure) - Number(!b.failure);

function Reason({ id, name, why }: { id: string; name: string; why: Schema["Why"] }) {
  const link = "font-medium underline";
  return (
    <>
      {why.kind === "pod" ? (
        <Link to="/pods/$podId/{-$tab}" params={{ podId: id }} className={link}>
          {name}
        </Link>
      ) : (
        <Link to="/serverless/$endpointId" params={{ endpointId: id }} className={link}>
          {name}
        </Link>
      )}
      : {why.sentence}
    </>
  );
}
