// What becomes of each route of REST v2 when one account asks with the ids of another.

import type { Case } from "./routes.ts";

const hidden: Case = { outcome: "hidden" };
const own: Case = { outcome: "own" };
const open: Case = { outcome: "open" };
const hiddenWith = (body: object): Case => ({ outcome: "hidden", body: () => body });
const ownWith = (body: object): Case => ({ outcome: "own", body: () => body });

export const restV2Routes: Record<string, Case> = {
  "GET /v2/openapi.json": open,
  "GET /v2/docs": open,
  "GET /v2/docs/start.js": open,
  "GET /v2/pods": own,
  "POST /v2/pods": {
    outcome: "invalid",
    body: ({ templateId }) => ({
      name: "beta",
      templateId,
      cpu: { id: "cpu3c", vcpuCount: 2 },
    }),
  },
  "GET /v2/pods/:podId": hidden,
  "PATCH /v2/pods/:podId": hiddenWith({ name: "beta" }),
  "POST /v2/pods/:podId/action": hiddenWith({ action: "stop" }),
  "GET /v2/pods/:podId/logs": hidden,
  "DELETE /v2/pods/:podId": hidden,
  "GET /v2/serverless": own,
  "POST /v2/serverless": {
    outcome: "invalid",
    body: ({ templateId }) => ({
      name: "beta",
      type: "QUEUE",
      templateId,
      cpu: [{ id: "cpu3c", vcpuCount: 2 }],
      scaling: { type: "REQUEST_COUNT", requestCount: 1 },
    }),
  },
  "GET /v2/serverless/:endpointId": hidden,
  "PATCH /v2/serverless/:endpointId": hiddenWith({ name: "beta" }),
  "GET /v2/serverless/:endpointId/workers": hidden,
  "GET /v2/serverless/:endpointId/workers/:workerId/logs": hidden,
  "GET /v2/serverless/:endpointId/releases": hidden,
  "GET /v2/serverless/:endpointId/builds": hidden,
  "GET /v2/serverless/:endpointId/builds/:buildId": hidden,
  "DELETE /v2/serverless/:endpointId": hidden,
  "GET /v2/catalog/gpus": open,
  "GET /v2/catalog/gpus/:gpuTypeName": open,
  "GET /v2/catalog/cpus": open,
  "GET /v2/catalog/cpus/:cpuFlavorName": open,
  "GET /v2/catalog/datacenters": open,
  "GET /v2/catalog/datacenters/:dataCenterName": open,
  "GET /v2/catalog/templates": own,
  "GET /v2/billing": own,
  "GET /v2/billing/pods": own,
  "GET /v2/billing/serverless": own,
  "GET /v2/billing/network-volumes": own,
  "GET /v2/billing/endpoints": own,
  "GET /v2/billing/clusters": own,
  "GET /v2/templates": own,
  "POST /v2/templates": ownWith({ name: "beta v2", image: "i" }),
  "GET /v2/templates/:templateId": hidden,
  "PATCH /v2/templates/:templateId": hiddenWith({ name: "beta" }),
  "DELETE /v2/templates/:templateId": hidden,
  "GET /v2/network-volumes": own,
  "POST /v2/network-volumes": ownWith({ name: "beta", size: 10, dataCenter: "EU-RO-1" }),
  "GET /v2/network-volumes/:networkVolumeId": hidden,
  "PATCH /v2/network-volumes/:networkVolumeId": hiddenWith({ name: "beta" }),
  "DELETE /v2/network-volumes/:networkVolumeId": hidden,
  "GET /v2/registries": own,
  "POST /v2/registries": ownWith({ name: "beta v2", username: "u", password: "p" }),
  "GET /v2/registries/:registryId": hidden,
  "DELETE /v2/registries/:registryId": hidden,
  "GET /v2/registries/delegations": own,
  "POST /v2/registries/delegations": {
    outcome: "invalid",
    body: () => ({ resource: "beta" }),
  },
  "DELETE /v2/registries/delegations/:delegationId": hidden,
  "GET /v2/account/secrets": own,
  "POST /v2/account/secrets": ownWith({ name: "beta_v2", value: "v" }),
  "GET /v2/account/secrets/:secretId": hidden,
  "PATCH /v2/account/secrets/:secretId": hiddenWith({ value: "v" }),
  "DELETE /v2/account/secrets/:secretId": hidden,
  "GET /v2/account/ssh-keys": own,
  "PUT /v2/account/ssh-keys": ownWith({ keys: [] }),
};
