// The machines as cards with their used and free capacity.

import { Link } from "@tanstack/react-router";
import { Suspense } from "react";
import { api, type Schema } from "../../api/client.ts";
import { IdLine } from "../../components/data/name-cell.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { SimulatedMachineBadge } from "../../components/data/simulated-badge.tsx";
import { Status } from "../../components/data/status.tsx";
import { UsageBar } from "../../components/data/usage-bar.tsx";
import { formatDateTime } from "../../components/format/time.ts";
import { formatBytes, formatCount, formatQuantity } from "../../components/format/units.ts";
import { Card } from "../../components/layout/card.tsx";
import { SkeletonRows } from "../../components/layout/skeleton.tsx";
import { lazyComponent } from "../../lazy-component.ts";
import { paths } from "../../paths.ts";
import { GpuName } from "../pods/gpu-name.tsx";

type Machine = Schema["Machine"];

/** Loaded for the operator alone: the overview shows this board without actions. */
const MachineActions = lazyComponent(() => import("./machine-actions.tsx"), "MachineActions");

const GpuDevices = lazyComponent(() => import("./gpu-devices.tsx"), "GpuDevices");

/** `editable` adds the actions of the operator. */
export function MachineBoard({ editable = false }: { editable?: boolean }) {
  const query = api.useQuery("get", "/v1/machines");
  return (
    <QueryResult query={query} skeleton={<SkeletonRows rows={3} />}>
      {(machines) => (
        <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
          {machines.map((machine) => (
            <MachineCard
              key={machine.id}
              machine={machine}
              nodes={machines.filter(({ cluster }) => cluster === machine.id)}
              editable={editable}
            />
          ))}
        </div>
      )}
    </QueryResult>
  );
}

interface CardProps {
  machine: Machine;
  /** The machines that are nodes of it, if it is a Kubernetes cluster. */
  nodes: Machine[];
  editable: boolean;
}

function MachineCard({ machine, nodes, editable }: CardProps) {
  return (
    <Card
      title={<Title machine={machine} hasPage={editable} />}
      aside={
        <span className="flex items-center gap-2">
          {machine.simulated && <SimulatedMachineBadge />}
          <MachineStatus machine={machine} />
          {editable && (
            <Suspense>
              <MachineActions machine={machine} />
            </Suspense>
          )}
        </span>
      }
    >
      <MachineNotices machine={machine} />
      {nodes.length > 0 ? <Nodes nodes={nodes} /> : <Capacity machine={machine} />}
      {editable && (
        <Suspense>
          <GpuDevices machine={machine} />
        </Suspense>
      )}
    </Card>
  );
}

export function Nodes({ nodes }: { nodes: Machine[] }) {
  const online = nodes.filter((node) => node.online).length;
  return (
    <p className="text-sm text-muted">
      Kubernetes cluster, {online} of {nodes.length} nodes online. Each node is a machine below.
    </p>
  );
}

export function Capacity({ machine }: { machine: Machine }) {
  const { vcpuCount, vcpuFree, memoryInGb, memoryFreeInGb, diskInGb, diskFreeInGb } = machine;
  const { cpuOvercommit = 1 } = machine;
  const placeable = Math.floor(vcpuCount * cpuOvercommit);
  return (
    <>
      <div className="grid items-end gap-4 sm:grid-cols-3">
        <UsageBar name="vCPU" used={placeable - vcpuFree} of={placeable} unit="vCPU" />
        <UsageBar name="Memory" used={memoryInGb - memoryFreeInGb} of={memoryInGb} unit="GB" />
        <UsageBar name="Disk" used={diskInGb - diskFreeInGb} of={diskInGb} unit="GB" />
      </div>
      {cpuOvercommit > 1 && (
        <p className="mt-3 text-sm text-muted">
          CPUs are over-committed {cpuOvercommit} times: workloads share the{" "}
          {formatQuantity(vcpuCount, "vCPU")} of this machine, and one gets at most{" "}
          {formatCount(vcpuCount)}. Memory is never over-committed.
        </p>
      )}
      <Gpus machine={machine} />
      <Models models={machine.models ?? []} />
    </>
  );
}

/** The models in the machine's cache, with the progress of those that are being downloaded. */
function Models({ models }: { models: NonNullable<Machine["models"]> }) {
  if (models.length === 0) return null;
  return (
    <p className="mt-4 text-sm">
      <span className="text-muted">Model cache:</span>{" "}
      {models
        .map(({ model, bytes, downloadedBytes }) => {
          const size = formatBytes(bytes);
          const isComplete = bytes > 0 && downloadedBytes >= bytes;
          return `${model} (${isComplete ? size : `${formatBytes(downloadedBytes)} of ${size}`})`;
        })
        .join(", ")}
    </p>
  );
}

interface TitleProps {
  machine: Machine;
  /** Whether it leads to the machine's page. */
  hasPage: boolean;
}

function Title({ machine: { id, name, address }, hasPage }: TitleProps) {
  const shown = name ?? <code>{id}</code>;
  return (
    <>
      <span className="block">
        {hasPage ? (
          <Link to={paths.machine} params={{ machineId: id }} className="hover:underline">
            {shown}
          </Link>
        ) : (
          shown
        )}{" "}
        {address && <code className="text-xs font-normal text-muted">{address}</code>}
      </span>
      {name && <IdLine id={id} />}
    </>
  );
}

interface NoticesProps {
  machine: Machine;
  /** Whether it sums up what other installations left; the machine's page lists them. */
  withInstallations?: boolean;
}

export function MachineNotices({ machine, withInstallations = true }: NoticesProps) {
  const { trouble, closed, maintenanceStart, maintenanceEnd, maintenanceNote } = machine;
  const { unknownInstallations = [], notices = [] } = machine;
  return (
    <>
      {trouble && <p className="mb-4 rounded-control bg-bad-soft px-3 py-2 text-bad">{trouble}</p>}
      {closed && (
        <p className="mb-4 rounded-control bg-warn-soft px-3 py-2 text-warn">
          Takes nothing new: {closed}
        </p>
      )}
      {machine.address && <ProbeNotices machine={machine} />}
      {notices.map((notice) => (
        <p key={notice} className="mb-4 rounded-control bg-warn-soft px-3 py-2 text-warn">
          {notice}
        </p>
      ))}
      {withInstallations && unknownInstallations.length > 0 && (
        <Leftovers machineId={machine.id} installations={unknownInstallations} />
      )}
      {maintenanceStart && (
        <p className="mb-4 rounded-control bg-warn-soft px-3 py-2 text-warn">
          Maintenance from {formatDateTime(maintenanceStart)}
          {maintenanceEnd ? ` to ${formatDateTime(maintenanceEnd)}` : ", no end set"}
          {maintenanceNote && `: ${maintenanceNote}`}
        </p>
      )}
    </>
  );
}

interface LeftoversProps {
  machineId: string;
  installations: Schema["UnknownInstallation"][];
}

/** What other installations have on the machine, in one line. */
function Leftovers({ machineId, installations }: LeftoversProps) {
  const sum = (field: "containers" | "running" | "volumes") =>
    installations.reduce((total, each) => total + each[field], 0);
  const removing = installations.every((each) => each.removing);
  return (
    <p className="mb-4 rounded-control bg-warn-soft px-3 py-2 text-warn">
      {formatQuantity(installations.length, "other data folder")} left{" "}
      {formatQuantity(sum("containers"), "container")} ({sum("running")} running) and{" "}
      {formatQuantity(sum("volumes"), "volume")} on this machine.{" "}
      {removing ? (
        "They are being removed."
      ) : (
        <Link to={paths.machine} params={{ machineId }} className="font-medium underline">
          Review and clean
        </Link>
      )}
    </p>
  );
}

/** What the test of a Kubernetes cluster found. */
function ProbeNotices({ machine }: { machine: Machine }) {
  const { isolation, isolationTrouble, callsBack } = machine;
  return (
    <>
      {isolation === "unproven" && (
        <p className="mb-4 rounded-control bg-warn-soft px-3 py-2 text-warn">
          Accounts may not be isolated from each other: {isolationTrouble}
        </p>
      )}
      {callsBack === false && (
        <p className="mb-4 rounded-control bg-bad-soft px-3 py-2 text-bad">
          Pods of this cluster do not reach Freehold, so workers cannot take jobs.
        </p>
      )}
    </>
  );
}

export function MachineStatus({ machine }: { machine: Machine }) {
  if (machine.lostAt) return <Status tone="bad">Lost</Status>;
  if (!machine.online && !machine.seenAt) return <Status tone="bad">Never reached</Status>;
  if (!machine.online) return <Status tone="bad">Offline</Status>;
  if (machine.draining) return <Status tone="warn">Draining</Status>;
  return <Status tone="good">Online</Status>;
}

/** A machine can have many simulated GPU types; the most used ones are listed. */
const MAX_TYPES = 6;

function Gpus({ machine: { gpus, simulated } }: { machine: Machine }) {
  if (gpus.length === 0) return <p className="mt-4 text-sm text-muted">No GPUs</p>;
  const byUse = [...gpus].sort((a, b) => b.count - b.free - (a.count - a.free));
  const visibleTypes = byUse.slice(0, MAX_TYPES);
  const rest = byUse.slice(MAX_TYPES);
  const free = rest.reduce((sum, gpu) => sum + gpu.free, 0);
  return (
    <div className="mt-4 grid gap-x-6 gap-y-2 sm:grid-cols-2">
      {visibleTypes.map((gpu) => (
        <div
          key={gpu.gpuTypeId}
          className="flex min-w-0 items-center justify-between gap-3 text-sm"
        >
          <span className="flex min-w-0 gap-1" title={gpu.gpuTypeId}>
            <span className="truncate">
              <GpuName id={gpu.gpuTypeId} />
            </span>
            {gpu.virtual && !simulated && <span className="shrink-0 text-muted">simulated</span>}
          </span>
          <span className="flex shrink-0 items-center gap-2">
            <GpuSquares used={gpu.count - gpu.free} of={gpu.count} />
            <span className="w-12 text-right text-muted">
              {gpu.free}/{gpu.count}
            </span>
          </span>
        </div>
      ))}
      {rest.length > 0 && (
        <p className="text-sm text-muted">
          {rest.length} more types, {free} GPUs free
        </p>
      )}
    </div>
  );
}

/** A square for each GPU, filled if it is used. */
function GpuSquares({ used, of }: { used: number; of: number }) {
  if (of > 16) return null;
  return (
    <span aria-hidden className="flex gap-0.5">
      {[...Array(of).keys()].map((n) => (
        <span
          key={n}
          className={`size-2 rounded-[2px] ${n < used ? "bg-accent" : "border border-line-strong"}`}
        />
      ))}
    </span>
  );
}
