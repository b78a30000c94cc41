// The jobs of an endpoint.

import { getRouteApi } from "@tanstack/react-router";
import { JobList } from "../jobs/jobs.tsx";

const route = getRouteApi("/inside/serverless/$endpointId");

export function EndpointJobs() {
  return <JobList {...route.useParams()} />;
}
