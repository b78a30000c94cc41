// The expected result of each route when an account uses the ids of another account. A route
// without a case fails the test.

import { restV2Routes } from "./rest-v2-routes.ts";
import type { Ids, Scene } from "./scene.ts";

/**
 * hidden   another account's resource is not found: 404
 * own      the response covers the calling account only
 * refused  the route is for other callers: 403
 * invalid  the body names another account's resource: 400
 * open     the response is the same for every account
 * endless  a stream, which has its own test
 */
export type Outcome = "hidden" | "own" | "refused" | "invalid" | "open" | "endless";

export interface Case {
  outcome: Outcome;
  body?: (ids: Ids, own: Scene["own"]) => object;
}

const hidden: Case = { outcome: "hidden" };
const own: Case = { outcome: "own" };
const refused: Case = { outcome: "refused" };
const open: Case = { outcome: "open" };
type Body = NonNullable<Case["body"]>;
const withBody = (outcome: Outcome, body: Record<string, unknown> | Body): Case => ({
  outcome,
  body: typeof body === "function" ? body : () => body,
});
const image = { name: "beta", imageName: "i" };
const pod = { ...image, driver: "simulated", computeType: "CPU" };
const input = withBody("hidden", { input: {} });
const named = withBody("hidden", { name: "beta" });
const schedule = { name: "beta", cron: "@daily", input: {} };

export const routes: Record<string, Case> = {
  // First, because later it reports the caller's own requests.
  "GET /v1/audit": own,
  // Replicas
  "GET /replica/machines/:machineId/workers/:workerId/logs": refused,
  "GET /replica/machines/:machineId/workers/:workerId/usage": refused,
  "GET /replica/flash/archives/:flashBuildId": refused,
  "GET /replica/machines/:machineId/usage": refused,
  "GET /replica/machines/:machineId/workers/:workerId/follow": refused,
  "GET /flash/downloads/:flashBuildId": refused,
  "PUT /flash/uploads/:flashBuildId": refused,
  "GET /healthz": open,
  "GET /readyz": open,
  "GET /metrics": refused,
  // Queue
  "POST /v2/:endpointId/run": input,
  "POST /v2/:endpointId/runsync": input,
  "GET /v2/:endpointId/status/:jobId": hidden,
  "POST /v2/:endpointId/status/:jobId": hidden,
  "GET /v2/:endpointId/status-sync/:jobId": hidden,
  "POST /v2/:endpointId/status-sync/:jobId": hidden,
  "POST /v2/:endpointId/cancel/:jobId": hidden,
  "POST /v2/:endpointId/retry/:jobId": hidden,
  "POST /v2/:endpointId/purge-queue": hidden,
  "GET /v2/:endpointId/stream/:jobId": hidden,
  "POST /v2/:endpointId/stream/:jobId": hidden,
  "GET /v2/:endpointId/health": hidden,
  "GET /v2/:endpointId/metrics": hidden,
  "GET /v2/:endpointId/requests": hidden,
  "GET /v2/:endpointId/openai/*": hidden,
  "POST /v2/:endpointId/openai/*": withBody("hidden", {}),
  "PUT /v2/:endpointId/openai/*": withBody("hidden", {}),
  "DELETE /v2/:endpointId/openai/*": hidden,
  "PATCH /v2/:endpointId/openai/*": withBody("hidden", {}),
  // Workers
  "GET /v2/:endpointId/job-take/:workerId": refused,
  "GET /v2/:endpointId/job-take-batch/:workerId": refused,
  "POST /v2/:endpointId/job-done/:workerId/:jobId": withBody("refused", { output: 1 }),
  "POST /v2/:endpointId/job-stream/:workerId/:jobId": withBody("refused", { output: 1 }),
  "GET /v2/:endpointId/job-stop/:workerId": refused,
  "GET /v2/:endpointId/ping/:workerId": refused,
  // Pods
  "POST /v1/pods": withBody("invalid", ({ templateId, networkVolumeId }: Ids) => ({
    ...pod,
    templateId,
    networkVolumeId,
  })),
  "GET /v1/pods": own,
  "GET /v1/pods/:podId": hidden,
  "PATCH /v1/pods/:podId": named,
  "POST /v1/pods/:podId/update": named,
  "PUT /v1/pods/:podId": named,
  "DELETE /v1/pods/:podId": hidden,
  "POST /v1/pods/:podId/start": hidden,
  "POST /v1/pods/:podId/resume": hidden,
  "POST /v1/pods/:podId/stop": hidden,
  "POST /v1/pods/:podId/restart": hidden,
  "POST /v1/pods/:podId/reset": hidden,
  "GET /v1/pod/:podId/logs": hidden,
  "GET /v1/pods/:podId/logs": hidden,
  "GET /v1/pods/:podId/events": hidden,
  "GET /v1/pods/:podId/metrics": hidden,
  "GET /v1/pods/:podId/exec": hidden,
  // Templates and endpoints
  "POST /v1/templates": withBody("invalid", ({ containerRegistryAuthId }: Ids) => ({
    ...image,
    containerRegistryAuthId,
  })),
  "GET /v1/templates": own,
  "GET /v1/templates/:templateId": hidden,
  "PATCH /v1/templates/:templateId": named,
  "POST /v1/templates/:templateId/update": named,
  "DELETE /v1/templates/:templateId": hidden,
  "POST /v1/endpoints": withBody("invalid", ({ templateId }: Ids) => ({ templateId })),
  "GET /v1/endpoints": own,
  "GET /v1/endpoint-activity": own,
  "GET /v1/endpoints/:endpointId": hidden,
  "PATCH /v1/endpoints/:endpointId": named,
  "POST /v1/endpoints/:endpointId/update": named,
  "POST /v1/endpoints/:endpointId/releases/:version/rollback": hidden,
  "POST /v1/endpoints/:endpointId/requests": withBody("hidden", { method: "GET", path: "/" }),
  "DELETE /v1/endpoints/:endpointId": hidden,
  "GET /v1/endpoints/:endpointId/cost": hidden,
  "GET /v1/endpoints/:endpointId/history": hidden,
  "GET /v1/endpoints/:endpointId/workers": hidden,
  "GET /v1/endpoints/:endpointId/releases": hidden,
  "GET /v1/workers/:workerId": hidden,
  "GET /v1/workers/:workerId/logs": hidden,
  "GET /v1/workers/:workerId/metrics": hidden,
  "GET /v1/jobs": own,
  "GET /v1/jobs/export": own,
  "GET /v1/jobs/:jobId": hidden,
  "GET /v1/jobs/:jobId/logs": hidden,
  "POST /v1/jobs/:jobId/retry": hidden,
  "POST /v1/job-operations": withBody("hidden", ({ endpointId }: Ids) => ({
    action: "cancel",
    filter: { endpointId },
  })),
  "GET /v1/job-operations": own,
  "GET /v1/job-operations/:jobOperationId": hidden,
  "POST /v1/job-operations/:jobOperationId/cancel": hidden,
  "POST /v1/batches": withBody("hidden", ({ endpointId }: Ids) => ({
    endpointId,
    items: [{ input: {} }],
  })),
  "GET /v1/batches": own,
  "GET /v1/batches/:batchId": hidden,
  "POST /v1/batches/:batchId/cancel": hidden,
  "POST /v1/batches/:batchId/deliveries/:n/redeliver": hidden,
  "POST /v1/schedules": withBody("hidden", ({ endpointId }: Ids) => ({ ...schedule, endpointId })),
  "GET /v1/schedules": own,
  "GET /v1/schedules/:scheduleId": hidden,
  "PATCH /v1/schedules/:scheduleId": named,
  "DELETE /v1/schedules/:scheduleId": hidden,
  "POST /v1/schedules/:scheduleId/pause": hidden,
  "POST /v1/schedules/:scheduleId/resume": hidden,
  "POST /v1/schedules/:scheduleId/run": hidden,
  "GET /v1/schedules/:scheduleId/runs": hidden,
  "GET /v1/schedule-preview": open,
  "POST /v1/jobs/:jobId/deliveries/:n/redeliver": hidden,
  "GET /v1/why/:id": hidden,
  // Volumes, credentials and other resources of Pods and workers
  "POST /v1/networkvolumes": withBody("own", { name: "b", size: 1, dataCenterId: "EU-RO-1" }),
  "GET /v1/networkvolumes": own,
  "GET /v1/networkvolumes/:networkVolumeId": hidden,
  "PATCH /v1/networkvolumes/:networkVolumeId": named,
  "POST /v1/networkvolumes/:networkVolumeId/update": named,
  "DELETE /v1/networkvolumes/:networkVolumeId": hidden,
  "POST /v1/containerregistryauth": withBody("own", { name: "b", username: "b", password: "b" }),
  "GET /v1/containerregistryauth": own,
  "GET /v1/containerregistryauth/:containerRegistryAuthId": hidden,
  "DELETE /v1/containerregistryauth/:containerRegistryAuthId": hidden,
  "POST /v1/secrets": withBody("own", { name: "beta", value: "b" }),
  "GET /v1/secrets": own,
  "GET /v1/secrets/:secretId": hidden,
  "PATCH /v1/secrets/:secretId": withBody("hidden", { value: "b" }),
  "POST /v1/secrets/:secretId/update": withBody("hidden", { value: "b" }),
  "DELETE /v1/secrets/:secretId": hidden,
  "POST /v1/ssh-keys": withBody("own", {
    publicKey: `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${"B".repeat(43)}`,
  }),
  "GET /s3/:networkVolumeId": hidden,
  "HEAD /s3/:networkVolumeId": hidden,
  "POST /s3/:networkVolumeId": open,
  "GET /s3/:networkVolumeId/*": hidden,
  "HEAD /s3/:networkVolumeId/*": hidden,
  "PUT /s3/:networkVolumeId/*": hidden,
  "POST /s3/:networkVolumeId/*": open,
  "DELETE /s3/:networkVolumeId/*": hidden,
  "POST /v1/s3-keys": withBody("own", { name: "beta" }),
  "GET /v1/s3-keys": own,
  "GET /v1/s3-keys/:s3KeyId": hidden,
  "DELETE /v1/s3-keys/:s3KeyId": hidden,
  "GET /v1/ssh-keys": own,
  "GET /v1/ssh-keys/:sshKeyId": hidden,
  "DELETE /v1/ssh-keys/:sshKeyId": hidden,
  // Catalog, the same for every account
  "GET /v1/catalog/gpu-types": open,
  "GET /v1/catalog/cpu-flavors": open,
  "GET /v1/catalog/data-centers": open,
  "GET /v1/catalog/storage-prices": open,
  "GET /v1/price-book": open,
  "PATCH /v1/price-book": withBody("refused", { storage: { containerDisk: 1 } }),
  "GET /v1/price-book/changes": refused,
  "GET /v1/machines": open,
  "POST /v1/machines": withBody("refused", { address: "ssh://a@gpu1" }),
  "DELETE /v1/machines/:machineId": refused,
  "DELETE /v1/machines/:machineId/installations/:installationId": refused,
  "PATCH /v1/machines/:machineId": withBody("refused", { draining: true }),
  // Account
  "POST /v1/keys": withBody("invalid", ({ endpointId }: Ids) => ({
    name: "b",
    permissions: { queue: "read", endpoints: [endpointId] },
  })),
  "GET /v1/keys": own,
  "GET /v1/keys/:keyId": hidden,
  "PATCH /v1/keys/:keyId": withBody("hidden", { disabled: true }),
  "DELETE /v1/keys/:keyId": hidden,
  "POST /v1/session": open,
  "GET /v1/session": own,
  "DELETE /v1/session": own,
  "GET /v1/sessions": own,
  "DELETE /v1/sessions/:sessionId": hidden,
  // Its id is a secret, and no account owns it.
  "GET /v1/device-logins/:deviceLoginId": open,
  "POST /v1/device-logins/:deviceLoginId/approve": withBody("open", {}),
  "POST /v1/device-logins/:deviceLoginId/deny": open,
  "GET /v1/events": { outcome: "endless" },
  "GET /v1/account": own,
  "PATCH /v1/account": withBody("own", { webhookSecret: null }),
  "GET /v1/clock": open,
  "POST /v1/clock": withBody("refused", { advance: "1s" }),
  "GET /v1/faults": refused,
  "POST /v1/faults": withBody("refused", { name: "webhook-slow" }),
  "DELETE /v1/faults/:faultName": refused,
  "POST /v1/accounts": withBody("refused", { name: "gamma" }),
  "GET /v1/accounts": refused,
  "GET /v1/accounts/:accountId": refused,
  "PATCH /v1/accounts/:accountId": withBody("refused", { disabled: true }),
  "POST /v1/accounts/:accountId/credits": withBody("refused", { amount: -1 }),
  "POST /v1/accounts/:accountId/keys": withBody("refused", { name: "b" }),
  "GET /v1/members": own,
  "GET /v1/members/:memberId": hidden,
  "PATCH /v1/members/:memberId": withBody("hidden", { role: "basic" }),
  "DELETE /v1/members/:memberId": hidden,
  "POST /v1/invitations": withBody("own", { email: "b@example.org", role: "dev" }),
  "GET /v1/invitations": own,
  "DELETE /v1/invitations/:invitationId": hidden,
  "POST /v1/invitations/accept": withBody("open", { token: "fhi_guess" }),
  "GET /v1/billing/pods": own,
  "GET /v1/billing/endpoints": own,
  "GET /v1/billing/networkvolumes": own,
  "GET /v1/balance": own,
  "POST /v1/balance/credits": withBody("refused", { amount: 1 }),
  "POST /v1/budgets": withBody("invalid", ({ endpointId }: Ids) => ({
    period: "month",
    limit: 1,
    endpointId,
  })),
  "POST /v1/quote": withBody("invalid", ({ templateId, networkVolumeId }: Ids) => ({
    pod: { ...pod, templateId, networkVolumeId },
  })),
  "POST /v1/savings-plans": withBody("invalid", ({ podId }: Ids) => ({
    gpuTypeId: "NVIDIA A40",
    planLength: "threeMonth",
    podId,
  })),
  "GET /v1/savings-plans": own,
  "GET /v1/savings-plans/:savingsPlanId": hidden,
  "POST /v1/accounts/:accountId/savings-plans": withBody("refused", {
    gpuTypeId: "NVIDIA A40",
    planLength: "threeMonth",
  }),
  "POST /v1/notification-rules": withBody("invalid", ({ endpointId }: Ids) => ({
    name: "beta",
    events: ["jobs_failing"],
    endpointIds: [endpointId],
    channel: { type: "webhook", url: "http://127.0.0.1:9" },
  })),
  "GET /v1/notification-rules": own,
  "GET /v1/notification-rules/:notificationRuleId": hidden,
  "PATCH /v1/notification-rules/:notificationRuleId": withBody("hidden", { name: "beta" }),
  "DELETE /v1/notification-rules/:notificationRuleId": hidden,
  "POST /v1/notification-rules/:notificationRuleId/test": hidden,
  "GET /v1/notifications": own,
  "GET /v1/notifications/:notificationId": hidden,
  "POST /v1/notifications/:notificationId/redeliver": hidden,
  "GET /v1/budgets": own,
  "GET /v1/budgets/:budgetId": hidden,
  "PATCH /v1/budgets/:budgetId": withBody("hidden", { limit: 2 }),
  "DELETE /v1/budgets/:budgetId": hidden,
  // API documents
  "GET /v1": open,
  "GET /v1/openapi.json": open,
  "GET /v1/docs": open,
  "GET /v1/docs/:file": open,
  "GET /graphql": open,
  "GET /graphql/graphiql/:file": open,
  ...restV2Routes,
  // Each of its roots has its own case.
  "POST /graphql": withBody("own", { query: "{ myself { id } }" }),
};
