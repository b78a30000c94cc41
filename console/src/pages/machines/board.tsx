// The machines as a board: what of each is used, and what is free.

import { api, type Schema } from "../../api/client.ts";
import { Card } from "../../parts/card.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { SkeletonRows } from "../../parts/skeleton.tsx";
import { Status } from "../../parts/status.tsx";
import { Use } from "../../parts/use.tsx";
import { MachineActions } from "./machine-actions.tsx";

type Machine = Schema["Machine"];

/** `changing` where the operator may act on them. */
export function MachineBoard({ changing = false }: { changing?: boolean }) {
  const query = api.useQuery("get", "/v1/machines");
  return (
    <Loaded query={query} skeleton={<SkeletonRows rows={3} />}>
      {(machines) => (
        <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
          {machines.map((machine) => (
            <MachineCard key={machine.id} machine={machine} changing={changing} />
          ))}
        </div>
      )}
    </Loaded>
  );
}

function MachineCard({ machine, changing }: { machine: Machine; changing: boolean }) {
  const { vcpuCount, vcpuFree, memoryInGb, memoryFreeInGb, diskInGb, diskFreeInGb } = machine;
  return (
    <Card
      title={<Named machine={machine} />}
      aside={
        <span className="flex items-center gap-2">
          <MachineStatus machine={machine} />
          {changing && <MachineActions machine={machine} />}
        </span>
      }
    >
      <Upkeep machine={machine} />
      <div className="grid gap-4 sm:grid-cols-3">
        <Use name="vCPU" used={vcpuCount - vcpuFree} of={vcpuCount} unit="vCPU" />
        <Use name="Memory" used={memoryInGb - memoryFreeInGb} of={memoryInGb} unit="GB" />
        <Use name="Disk" used={diskInGb - diskFreeInGb} of={diskInGb} unit="GB" />
      </div>
      <Gpus machine={machine} />
    </Card>
  );
}

function Named({ machine: { id, name, address } }: { machine: Machine }) {
  if (!name && !address) return <code>{id}</code>;
  return (
    <span title={id}>
      {name ?? <code>{id}</code>}{" "}
      {address && <code className="text-xs font-normal text-muted">{address}</code>}
    </span>
  );
}

function Upkeep({ machine }: { machine: Machine }) {
  const { trouble, maintenanceStart, maintenanceEnd, maintenanceNote } = machine;
  const at = (instant: string) => new Date(instant).toLocaleString();
  return (
    <>
      {trouble && <p className="mb-4 rounded-control bg-bad-soft px-3 py-2 text-bad">{trouble}</p>}
      {maintenanceStart && (
        <p className="mb-4 rounded-control bg-warn-soft px-3 py-2 text-warn">
          Maintenance from {at(maintenanceStart)}
          {maintenanceEnd ? ` to ${at(maintenanceEnd)}` : " until it is said"}
          {maintenanceNote && `: ${maintenanceNote}`}
        </p>
      )}
    </>
  );
}

export function MachineStatus({ machine }: { machine: Machine }) {
  if (machine.lostAt) return <Status tone="bad">Lost</Status>;
  if (!machine.online) return <Status tone="bad">Silent</Status>;
  if (machine.draining) return <Status tone="warn">Draining</Status>;
  return <Status tone="good">Online</Status>;
}

/** Of many virtual types only those in use say something. */
const MOST_TYPES = 6;

function Gpus({ machine: { gpus } }: { machine: Machine }) {
  if (gpus.length === 0) return <p className="mt-4 text-sm text-muted">No GPU</p>;
  const byUse = [...gpus].sort((a, b) => b.count - b.free - (a.count - a.free));
  const shown = byUse.slice(0, MOST_TYPES);
  const rest = byUse.slice(MOST_TYPES);
  const free = rest.reduce((sum, gpu) => sum + gpu.free, 0);
  return (
    <div className="mt-4 grid gap-x-6 gap-y-2 sm:grid-cols-2">
      {shown.map((gpu) => (
        <div
          key={gpu.gpuTypeId}
          className="flex min-w-0 items-center justify-between gap-3 text-sm"
        >
          <span className="min-w-0 truncate" title={gpu.gpuTypeId}>
            {gpu.gpuTypeId.replace(/^NVIDIA /, "")}
            {gpu.virtual && <span className="text-muted"> virtual</span>}
          </span>
          <span className="flex shrink-0 items-center gap-2">
            <Squares used={gpu.count - gpu.free} of={gpu.count} />
            <span className="w-12 text-right text-muted">
              {gpu.free}/{gpu.count}
            </span>
          </span>
        </div>
      ))}
      {rest.length > 0 && (
        <p className="text-sm text-muted">
          and {rest.length} more types, {free} GPUs free
        </p>
      )}
    </div>
  );
}

/** One for each GPU, the used ones filled. */
function Squares({ used, of }: { used: number; of: number }) {
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
