// How many of a kind an account may have, where each of them is small or is compared one by one.

import { Fault } from "../fault.ts";

export const resourceLimits = {
  apiKey: { limit: 1_000, nouns: "API keys" },
  /** The budgets loop reads all of them every few seconds. */
  budget: { limit: 100, nouns: "budgets" },
  flashApp: { limit: 500, nouns: "Flash apps" },
  invitation: { limit: 500, nouns: "open invitations" },
  member: { limit: 1_000, nouns: "members" },
  /** Bounds what an event costs. */
  notificationRule: { limit: 100, nouns: "notification rules" },
  registryAuth: { limit: 500, nouns: "container registry credentials" },
  /** A key that names only the account is compared with each of them. */
  s3Key: { limit: 50, nouns: "S3 keys" },
  /** Each placement reads those that are active. */
  reservation: { limit: 500, nouns: "open reservations" },
  /** Keeps one member from using up what the account may have. */
  memberReservation: { limit: 100, nouns: "open reservations of one member" },
  schedule: { limit: 500, nouns: "schedules" },
  secret: { limit: 1_000, nouns: "secrets" },
  /** All of them go into one environment variable. */
  sshKey: { limit: 100, nouns: "SSH keys" },
} as const;

export type LimitedResource = keyof typeof resourceLimits;

/** The refusal of a further one; null if there is room. */
export function refuseAnother(resource: LimitedResource, count: number): Fault | null {
  const { limit, nouns } = resourceLimits[resource];
  return count < limit ? null : new Fault("too_many_of_kind", { limit, nouns });
}
