// Pods and endpoints that do not do what they should, each with the reason that the service gives.

import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api, type Schema } from "../../api/client.ts";
import { useMayLook } from "../../api/self.ts";
import { phaseOf } from "../pods/pod-status.tsx";
import type { Trouble } from "./attention.tsx";
import { useLoads } from "./loads.ts";

/** So many are asked why; further ones are found on their pages. */
const MOST = 8;

/** Reasons that pass by themselves, or are as somebody wanted it. */
const FINE = new Set([
  ...["worker_ready", "worker_starting", "worker_asked", "low_priority", "workers_busy", "idle"],
  ...["workers_leaving", "scaler_delay", "scaler_satisfied", "rolling_out", "in_line", "serving"],
  ...["pod_running", "pod_starting", "pod_stopped", "pod_stop_after", "pod_finished"],
]);

export function useStuck(): Trouble[] {
  const enabled = useMayLook("resources");
  const { data: pods = [] } = api.useQuery("get", "/v1/pods", undefined, { enabled });
  const { loads } = useLoads();
  const doubtful = [
    ...pods.filter(mayBeStuck).slice(0, MOST),
    ...loads.filter(({ queued, unhealthy }) => queued + unhealthy > 0).slice(0, MOST),
  ];
  const answers = useQueries({
    queries: doubtful.map(({ id }) =>
      api.queryOptions("get", "/v1/why/{id}", { params: { path: { id } } }),
    ),
  });
  return doubtful.flatMap(({ id, name }, n) => {
    const why = answers[n]!.data;
    if (!why || FINE.has(why.code)) return [];
    return [{ id, said: <Said id={id} name={name || id} why={why} /> }];
  });
}

/** Nothing reaches it though it should run, or it was stopped by nobody. */
function mayBeStuck(pod: Schema["Pod"]): boolean {
  if (pod.desiredStatus === "EXITED") return pod.lastStatusChange.startsWith("Exited by Freehold");
  if (pod.desiredStatus !== "RUNNING") return false;
  return phaseOf(pod) !== "running" || Object.keys(pod.portMappings).length === 0;
}

function Said({ id, name, why }: { id: string; name: string; why: Schema["Why"] }) {
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
