// The columns of the pod table: one line for each field of a Pod.

import type { ClusterMember } from "../../domain/cluster/cluster.ts";
import { asEndCause, type EndCause } from "../../domain/container/end-cause.ts";
import { tcpPorts } from "../../domain/container/ports.ts";
import type { End } from "../../domain/pod/after-end.ts";
import type {
  FailedStarts,
  Pod,
  PodBackoff,
  PodDesired,
  PodObserved,
  PodPlacement,
  PodPricing,
} from "../../domain/pod/pod.ts";
import type { PodSpec } from "../../domain/pod/spec.ts";
import { type Exemption, exemptionOf } from "../../domain/usage/exemption.ts";
import {
  type OwnIdleRule,
  type ProjectIdle,
  readProjectIdleRule,
} from "../../domain/usage/idle-policy.ts";
import type { LifetimeWarning, MaxLifetime, SharedLifetimes } from "../../domain/usage/lifetime.ts";
import {
  type Column,
  columnsOf,
  flag,
  json,
  labelColumn,
  numberList,
  optional,
  plain,
} from "../engine/row/columns.ts";
import { exemptionsFrom } from "../engine/row/exemptions.ts";
import { maxLifetimeFrom, maxLifetimeValues } from "../engine/row/max-lifetime.ts";

const storedSpec = json<PodSpec>("spec");

/** The settings that queries need are columns as well. */
const spec: Column<PodSpec> = {
  names: storedSpec.names,
  read: storedSpec.read,
  write: (settings) => ({
    ...storedSpec.write(settings),
    interruptible: Number(settings.interruptible),
    sandbox: Number(settings.sandbox === true),
    template_minutes: settings.templateLifetime?.minutes ?? null,
    container_gb: settings.containerDiskInGb,
    volume_gb: settings.volumeInGb,
    tcp_ports: tcpPorts(settings.ports).length,
  }),
};

const maxLifetime: Column<MaxLifetime | null> = {
  names: ["max_minutes", "max_extendable"],
  read: ({ max_minutes, max_extendable }) => maxLifetimeFrom(max_minutes, max_extendable),
  write: (rule) => maxLifetimeValues(rule),
};

const desired = columnsOf<PodDesired>({
  spec,
  state: plain("state"),
  cause: plain("cause"),
  reason: plain("reason"),
  changedAt: plain("changed_at"),
  generation: plain("round"),
  locked: flag("locked"),
  stopAfter: plain("stop_after"),
  terminateAfter: plain("terminate_after"),
  stopWhenIdle: {
    names: ["idle_rule"],
    read: ({ idle_rule }) =>
      idle_rule === null ? null : (JSON.parse(idle_rule as string) as OwnIdleRule),
    write: (rule) => ({ idle_rule: rule && JSON.stringify(rule) }),
  },
  maxLifetime,
  runningSince: plain("running_since"),
  keptUntil: plain("kept_until"),
});

const placement = columnsOf<PodPlacement>({
  machine: plain("machine"),
  driver: plain("driver"),
  gpuTypeId: plain("gpu_type_id"),
  gpus: numberList("gpus"),
  virtual: flag("virtual"),
  cpuFlavorId: plain("cpu_flavor_id"),
  vcpus: plain("vcpus"),
  memoryMb: plain("memory_mb"),
});

const pricing = columnsOf<PodPricing>({
  cost: plain("cost"),
  runningRate: plain("running_rate"),
  stoppedRate: plain("stopped_rate"),
  coveredGpus: plain("covered_gpus"),
});

const lastEnd = columnsOf<End>({
  at: plain("ended_at"),
  exitCode: plain("exit_code"),
  signal: plain("signal"),
  oom: flag("oom"),
});

const observed = columnsOf<PodObserved>({
  state: plain("observed"),
  startedAt: plain("started_at"),
  lastEnd: optional(lastEnd, "ended_at", {
    ended_at: null,
    exit_code: null,
    signal: null,
    oom: 0,
  }),
  startedGeneration: plain("started_round"),
  startedGpus: numberList("started_gpus"),
  publicIp: plain("public_ip"),
  portMappings: json("port_mappings"),
});

const failedStarts = columnsOf<FailedStarts>({
  count: plain("failed_starts"),
  since: plain("failing_since"),
  sentence: plain("trouble"),
  cause: {
    names: ["trouble_cause"],
    read: (row) => asEndCause(row.trouble_cause as string | null),
    write: (cause: EndCause | null) => ({ trouble_cause: cause }),
  },
  engine: plain("trouble_engine"),
});

const backoff = columnsOf<PodBackoff>({
  startAt: plain("start_at"),
  ends: numberList("ends"),
  failedStarts: optional(failedStarts, "failing_since", {
    failed_starts: 0,
    failing_since: null,
    trouble: null,
    trouble_cause: null,
    trouble_engine: null,
  }),
});

/** Queries select members by the id of their cluster. */
const cluster: Column<ClusterMember | null> = {
  names: ["cluster"],
  read: ({ cluster }) =>
    cluster === null ? null : (JSON.parse(cluster as string) as ClusterMember),
  write: (member) => ({
    cluster_id: member?.id ?? null,
    cluster: member && JSON.stringify(member),
  }),
};

const ofProject = (column: string) =>
  `(select project.${column} from project_member join project on project.id = project_member.project_id
    where project_member.member_id = pod.owner_id)`;
const ofAccount = (column: string) =>
  `(select account.${column} from account where account.id = pod.account_id)`;

/** Read from its owner's project, so that a change there holds at once. */
const projectIdle: Column<ProjectIdle | null> = {
  names: [`${ofProject("name")} as project_name`, `${ofProject("idle_rule")} as project_idle_rule`],
  read: ({ project_name, project_idle_rule }) => {
    if (project_idle_rule === null) return null;
    const { mayOptOut, ...rule } = readProjectIdleRule(project_idle_rule as string);
    return { project: project_name as string, rule, mayOptOut };
  },
  write: () => ({}),
};

/** Read from its owner's project and its account, so that a change there holds at once. */
const sharedLifetimes: Column<SharedLifetimes> = {
  names: [
    `${ofProject("max_minutes")} as project_minutes`,
    `${ofProject("max_extendable")} as project_extendable`,
    `${ofAccount("max_minutes")} as account_minutes`,
    `${ofAccount("max_extendable")} as account_extendable`,
  ],
  read: (row) => {
    const project = maxLifetimeFrom(row.project_minutes, row.project_extendable);
    return {
      project: project && { ...project, name: row.project_name as string },
      account: maxLifetimeFrom(row.account_minutes, row.account_extendable),
    };
  },
  write: () => ({}),
};

/** Read from its account, so that a change there holds at once; `podsWhere` adds the text. */
const exemption: Column<Exemption | null> = {
  names: [
    `(select case when account.exemptions is null then 0 else 1 end from account where account.id = pod.account_id) as has_exemptions`,
    "null as exemptions",
    `${ofProject("id")} as project_id`,
  ],
  read: (row) => {
    const all = exemptionsFrom(row.exemptions as string | null);
    if (all.length === 0) return null;
    return exemptionOf(all, {
      id: row.id as string,
      ownerId: row.owner_id as string | null,
      projectId: row.project_id as string | null,
      labels: labelColumn.read(row),
    });
  },
  write: () => ({}),
};

const lifetimeWarning: Column<LifetimeWarning | null> = {
  names: ["lifetime_warning"],
  read: ({ lifetime_warning }) =>
    lifetime_warning === null ? null : (JSON.parse(lifetime_warning as string) as LifetimeWarning),
  write: (warning) => ({ lifetime_warning: warning && JSON.stringify(warning) }),
};

export const podColumns = columnsOf<Pod>({
  id: plain("id"),
  accountId: plain("account_id"),
  keyId: plain("key_id"),
  ownerId: plain("owner_id"),
  name: plain("name"),
  labels: labelColumn,
  createdAt: plain("created_at"),
  cluster,
  desired,
  placement,
  pricing,
  observed,
  backoff,
  idleSince: plain("idle_since"),
  projectIdle,
  exemption,
  sharedLifetimes,
  lifetimeWarning,
});

/** The minutes after its start at which the first of its maximums ends it, extensions aside; null if nothing limits it. */
export const FIRST_MAX_MINUTES = `(select min(minutes) from (
  select pod.max_minutes as minutes where pod.cluster_id is null
  union all select pod.template_minutes where pod.cluster_id is null
  union all select ${ofProject("max_minutes")}
  union all select ${ofAccount("max_minutes")}) as maximums)`;

/** The columns of a select that `podColumns` reads. */
export const POD_COLUMNS = podColumns.names.join(", ");
