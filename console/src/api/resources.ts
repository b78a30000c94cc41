// The resources of the account in one form: for the command palette, and where a list names resources of
// several kinds.

import { useQueries } from "@tanstack/react-query";
import type { LinkProps } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { api } from "./client.ts";
import { canView, type Self, useSession } from "./session.ts";

export interface Resource {
  /** The kind as the audit log names it. */
  kind: Kind;
  id: string;
  name: string;
  /** Its page, or the page that lists it. */
  link: LinkProps;
}

const kindNames = {
  pod: "Pod",
  endpoint: "Endpoint",
  cluster: "Cluster",
  sandbox: "Sandbox",
  schedule: "Schedule",
  networkVolume: "Network volume",
  template: "Template",
  secret: "Secret",
  key: "API key",
  member: "Member",
  machine: "Machine",
  budget: "Budget",
  notificationRule: "Notification rule",
  containerRegistryAuth: "Registry credentials",
  sshKey: "SSH key",
  s3Key: "S3 key",
} as const;
type Kind = keyof typeof kindNames;

/** Kinds that have no list here. */
const otherKindNames: Record<string, string> = {
  account: "Account",
  batches: "Batch",
  flashApp: "Flash app",
  flashBuild: "Flash build",
  flashEnvironment: "Flash environment",
  invitation: "Invitation",
  "job-operations": "Bulk operation",
  jobs: "Job",
  notification: "Notification",
  priceBook: "Price book",
  reservation: "Reservation",
  savingsPlan: "Savings plan",
  session: "Session",
};

export const kindName = (kind: string) =>
  (({ ...otherKindNames, ...kindNames }) as Record<string, string>)[kind] ?? kind;

const linkOf: Record<Kind, (id: string) => LinkProps> = {
  pod: (podId) => ({ to: paths.pod, params: { podId } }),
  endpoint: (endpointId) => ({ to: paths.endpoint, params: { endpointId } }),
  cluster: (clusterId) => ({ to: paths.cluster, params: { clusterId } }),
  sandbox: (sandboxId) => ({ to: paths.sandbox, params: { sandboxId } }),
  schedule: (scheduleId) => ({ to: paths.schedule, params: { scheduleId } }),
  networkVolume: (volumeId) => ({ to: paths.volumeFiles, params: { volumeId, _splat: "" } }),
  template: () => ({ to: paths.templates }),
  secret: () => ({ to: paths.secrets }),
  key: () => ({ to: paths.keys }),
  member: () => ({ to: paths.members }),
  machine: (machineId) => ({ to: paths.machine, params: { machineId } }),
  budget: () => ({ to: paths.billing }),
  notificationRule: () => ({ to: paths.notifications }),
  containerRegistryAuth: () => ({ to: paths.registries }),
  sshKey: () => ({ to: paths.sshKeys }),
  s3Key: () => ({ to: paths.s3Keys }),
};

/** What the session may view, as far as it is loaded. */
export function useResources(): Resource[] {
  const self = useSession();
  return useQueries({
    queries: queriesOf(self),
    // A result that is equal to the one before stays the same object.
    combine: (lists) => lists.flatMap(({ data = [] }) => data),
  });
}

interface Listed {
  id: string;
  name?: string | undefined;
}

const listOf = (kind: Kind) => (found: Listed[]) =>
  found.map(({ id, name }): Resource => ({ kind, id, name: name || id, link: linkOf[kind](id) }));

function queriesOf(self: Self) {
  const resources = canView(self, "resources");
  const account = canView(self, "account");
  const bound = { params: { query: { includeEndpointBoundTemplates: true } } };
  const none = undefined;
  const of = (kind: Kind, enabled = true) => ({ enabled, select: listOf(kind) });
  return [
    api.queryOptions("get", "/v1/pods", none, of("pod", resources)),
    api.queryOptions("get", "/v1/endpoints", none, of("endpoint", resources)),
    api.queryOptions("get", "/v2/clusters", none, {
      enabled: resources,
      select: ({ clusters }) => listOf("cluster")(clusters),
    }),
    api.queryOptions("get", "/v2/sandboxes", none, {
      enabled: resources,
      select: ({ sandboxes }) => listOf("sandbox")(sandboxes),
    }),
    api.queryOptions("get", "/v1/schedules", none, of("schedule", resources)),
    api.queryOptions("get", "/v1/networkvolumes", none, of("networkVolume", resources)),
    api.queryOptions("get", "/v1/templates", bound, of("template", resources)),
    api.queryOptions("get", "/v1/secrets", none, of("secret", resources)),
    api.queryOptions("get", "/v1/keys", none, of("key")),
    api.queryOptions("get", "/v1/members", none, of("member", account)),
    api.queryOptions("get", "/v1/machines", none, of("machine", self.operator)),
    api.queryOptions("get", "/v1/budgets", none, of("budget", canView(self, "billing"))),
    api.queryOptions("get", "/v1/notification-rules", none, of("notificationRule", account)),
    api.queryOptions(
      "get",
      "/v1/containerregistryauth",
      none,
      of("containerRegistryAuth", resources),
    ),
    api.queryOptions("get", "/v1/ssh-keys", none, of("sshKey", resources)),
    api.queryOptions("get", "/v1/s3-keys", none, of("s3Key", resources)),
  ] as const;
}
