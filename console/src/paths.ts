// Every address of the console. The router, the navigation and the browser tests use this list; the build
// writes it to dist/routes.json, from which the service knows the addresses to answer.

export const paths = {
  signIn: "/sign-in",
  invitation: "/invitation",
  passwordReset: "/password-reset",
  overview: "/",
  pods: "/pods",
  deployPod: "/pods/deploy",
  pod: "/pods/$podId/{-$tab}",
  clusters: "/clusters",
  cluster: "/clusters/$clusterId",
  sandboxes: "/sandboxes",
  sandbox: "/sandboxes/$sandboxId",
  endpoints: "/serverless",
  newEndpoint: "/serverless/new",
  editEndpoint: "/serverless/$endpointId/edit",
  endpoint: "/serverless/$endpointId",
  endpointRequest: "/serverless/$endpointId/request",
  endpointJobs: "/serverless/$endpointId/jobs",
  endpointBatches: "/serverless/$endpointId/batches",
  endpointWorkers: "/serverless/$endpointId/workers",
  endpointSchedules: "/serverless/$endpointId/schedules",
  endpointReleases: "/serverless/$endpointId/releases",
  flashApps: "/flash",
  flashApp: "/flash/apps/$flashAppId",
  batches: "/batches",
  batch: "/batches/$batchId",
  schedules: "/schedules",
  schedule: "/schedules/$scheduleId",
  jobs: "/jobs",
  job: "/jobs/$jobId",
  worker: "/workers/$workerId",
  storage: "/storage",
  /** A folder of a network volume. */
  volumeFiles: "/storage/$volumeId/files/$",
  templates: "/templates",
  secrets: "/secrets",
  registries: "/registries",
  sshKeys: "/keys/ssh",
  billing: "/billing",
  /** What one resource cost; the kind is "pods", "endpoints" or the like. */
  breakdown: "/billing/$kind/$resourceId",
  keys: "/keys",
  s3Keys: "/keys/s3",
  /** Flash clients open it with ?request=<id>. */
  deviceLogin: "/flash/login",
  members: "/members",
  projects: "/projects",
  quotas: "/quotas",
  reservations: "/reservations",
  notifications: "/notifications",
  audit: "/audit",
  settings: "/settings",
  machines: "/machines",
  machine: "/machines/$machineId",
  prices: "/prices",
  accounts: "/accounts",
} as const;

/** Earlier addresses, and the page that each leads to. */
export const movedPaths = { "/ssh-keys": paths.sshKeys, "/s3-keys": paths.s3Keys } as const;

export type PathName = keyof typeof paths;
