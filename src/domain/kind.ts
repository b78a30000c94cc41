// The kinds of things that people look at, as events about their changes name them, and what each is
// about: that decides who of an account's people hears of it.

import type { Area } from "./member/roles.ts";

export const areaOf = {
  pod: "resources",
  endpoint: "resources",
  job: "resources",
  worker: "resources",
  template: "resources",
  networkVolume: "resources",
  registryAuth: "resources",
  secret: "resources",
  sshKey: "resources",
  metrics: "resources",
  machine: "own",
  price: "own",
  key: "own",
  session: "own",
  balance: "billing",
  budget: "billing",
  savingsPlan: "billing",
  member: "account",
} as const satisfies Record<string, Area>;

export type Kind = keyof typeof areaOf;
