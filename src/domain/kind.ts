// The kinds of resources in change events, and the area of each, which decides which members
// receive the event.

import type { Area } from "./member/roles.ts";

export const areaOf = {
  pod: "resources",
  cluster: "resources",
  sandbox: "resources",
  flashApp: "resources",
  endpoint: "resources",
  job: "resources",
  batch: "resources",
  jobOperation: "resources",
  worker: "resources",
  schedule: "resources",
  template: "resources",
  networkVolume: "resources",
  registryAuth: "resources",
  secret: "resources",
  sshKey: "resources",
  metrics: "resources",
  quota: "own",
  machine: "own",
  price: "own",
  key: "own",
  session: "own",
  balance: "billing",
  budget: "billing",
  savingsPlan: "billing",
  member: "account",
  invitation: "account",
  notificationRule: "account",
  notification: "account",
  fault: "account",
} as const satisfies Record<string, Area>;

export type Kind = keyof typeof areaOf;
