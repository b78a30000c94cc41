// The machines as cards with their used and free capacity.

import { lazy, Suspense } from "react";
import { api, type Schema } from "../../api/client.ts";
import { IdLine } from "../../components/data/name-cell.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { Status } from "../../components/data/status.tsx";
import { UsageBar } from "../../components/data/usage-bar.tsx";
import { formatDateTime } from "../../components/format/time.ts";
import { formatBytes, formatQuantity } from "../../components/format/units.ts";
import { Card } from "../../components/layout/card.tsx";
import { SkeletonRows } from "../../components/layout/skeleton.tsx";
import { shortGpuName } from "../pods/hardware.ts";

type Machine = Schema["Machine"];

/** Loaded for the operator alone: the overview shows this board without actions. */
const MachineActions = lazy(() =>
  import("./machine-actions.tsx").then(({ MachineActions: component }) => ({ default: component })),
);

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
      title={<Title machine={machine} />}
      aside={
        <span className="flex items-center gap-2">
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
    </Card>
  );
}

function Nodes({ nodes }: { nodes: Machine[] }) {
  const online = nodes.filter((node) => node.online).length;
  return (
    <p className="text-sm text-muted">
      Kubernetes cluster, {online} of {nodes.length} nodes online. Each node is a machine below.
    </p>
  );
}

function Capacity({ machine }: { machine: Machine }) {
  const { vcpuCount, vcpuFree, memoryInGb, memoryFreeInGb, diskInGb, diskFreeInGb } = machine;
  const { cpuOvercommit = 1 } = machine;
  const placeable = Math.floor(vcpuCount * cpuOvercommit);
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        <UsageBar name="vCPU" used={placeable - vcpuFree} of={placeable} unit="vCPU" />
        <UsageBar name="Memory" used={memoryInGb - memoryFreeInGb} of={memoryInGb} unit="GB" />
        <UsageBar name="Disk" used={diskInGb - diskFreeInGb} of={diskInGb} unit="GB" />
      </div>
      {cpuOvercommit > 1 && (
        <p className="mt-3 text-sm text-muted">
          CPUs are over-committed {cpuOvercommit} times: workloads share the{" "}
          {formatQuantity(vcpuCount, "vCPU")} of this machine, and one gets at most {vcpuCount}.
          Memory is never over-committed.
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

function Title({ machine: { id, name, address } }: { machine: Machine }) {
  return (
    <>
      <span className="block">
        {name ?? <code>{id}</code>}{" "}
        {address && <code className="text-xs font-normal text-muted">{address}</code>}
      </span>
      {name && <IdLine id={id} />}
    </>
  );
}

function MachineNotices({ machine }: { machine: Machine }) {
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
      {unknownInstallations.map(({ id, containers, running, volumes, removing }) => (
        <p key={id} className="mb-4 rounded-control bg-warn-soft px-3 py-2 text-warn">
          Another installation, <code>{id}</code>, has {containers} containers ({running} running)
          and {volumes} volumes on this machine.{" "}
          {removing
            ? "They are being removed."
            : "Freehold leaves them alone until you run freehold machine clean."}
        </p>
      ))}
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

/** A machine can have many virtual GPU types; the most used ones are listed. */
const MAX_TYPES = 6;

function Gpus({ machine: { gpus } }: { machine: Machine }) {
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
            <span className="truncate">{shortGpuName(gpu.gpuTypeId)}</span>
            {gpu.virtual && <span className="shrink-0 text-muted">virtual</span>}
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
