// The queries that the benchmark sends to each server.

export interface Query {
  name: string;
  method: "GET" | "POST";
  path: string;
  body?: string;
}

const document = (query: string) => JSON.stringify({ query });

/** The specification's list of Pods, with everything that it can select. */
const pods = `{ myself { pods { id name runtime { uptimeInSeconds
  ports { ip isIpPublic privatePort publicPort type } gpus { id gpuUtilPercent memoryUtilPercent }
  container { cpuPercent memoryPercent } } } } }`;

const gpuTypes = `{ gpuTypes { id displayName memoryInGb secureCloud communityCloud
  lowestPrice(input: {gpuCount: 1}) { uninterruptablePrice stockStatus availableGpuCounts } } }`;

export const queries: Query[] = [
  { name: "GraphQL, Pods", method: "POST", path: "/graphql", body: document(pods) },
  { name: "GraphQL, GPU types", method: "POST", path: "/graphql", body: document(gpuTypes) },
  { name: "REST v1, Pods", method: "GET", path: "/v1/pods" },
  { name: "REST v2, Pods", method: "GET", path: "/v2/pods" },
];
