// Every address of the console. The router, the navigation and the browser tests use this list; the build
// writes it to dist/routes.json, from which the service knows the addresses to answer.

export const paths = {
  signIn: "/sign-in",
  invitation: "/invitation",
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
  endpointWorkers: "/serverless/$endpointId/workers",
  endpointReleases: "/serverless/$endpointId/releases",
  flashApps: "/flash",
  flashApp: "/flash/apps/$flashAppId",
  jobs: "/jobs",
  job: "/jobs/$jobId",
  worker: "/workers/$workerId",
  storage: "/storage",
  /** A folder of a network volume. */
  volumeFiles: "/storage/$volumeId/files/$",
  templates: "/templates",
  secrets: "/secrets",
  registries: "/registries",
  sshKeys: "/ssh-keys",
  billing: "/billing",
  keys: "/keys",
  s3Keys: "/s3-keys",
  /** Flash clients open it with ?request=<id>. */
  deviceLogin: "/flash/login",
  members: "/members",
  notifications: "/notifications",
  audit: "/audit",
  settings: "/settings",
  machines: "/machines",
  prices: "/prices",
  accounts: "/accounts",
} as const;

export type PathName = keyof typeof paths;
