// The columns of the list of Pods.

import { Link } from "@tanstack/react-router";
import type { Schema } from "../../../api/client.ts";
import { IdLine } from "../../../components/data/name-cell.tsx";
import { RelativeTime } from "../../../components/data/relative-time.tsx";
import { SimulatedBadge } from "../../../components/data/simulated-badge.tsx";
import { actionsColumn, type Column } from "../../../components/data/table.tsx";
import { formatDuration, formatHourlyPrice } from "../../../components/format/units.ts";
import { GpuName } from "../gpu-name.tsx";
import { useHardware } from "../hardware.ts";
import { PodActions } from "../pod-actions.tsx";
import { PodStatus, phaseOf } from "../pod-status.tsx";
import type { PodUsage, usePodUsage } from "./use-pod-usage.ts";

type Pod = Schema["Pod"];

const none = <span className="text-muted">–</span>;

export function podColumns(usage: ReturnType<typeof usePodUsage>): Column<Pod>[] {
  return [
    {
      title: "Pod",
      sortBy: ({ name }) => name,
      width: "minmax(min(13.5rem, 22vw), 2fr)",
      cell: (pod) => (
        <>
          <span className="flex items-center gap-2">
            <Link
              to="/pods/$podId/{-$tab}"
              params={{ podId: pod.id }}
              className="block truncate leading-[24px] font-medium hover:underline"
            >
              {pod.name}
            </Link>
            {pod.simulated && <SimulatedBadge onPhones={false} />}
          </span>
          <IdLine id={pod.id} />
        </>
      ),
    },
    { title: "Status", sortBy: phaseOf, width: "9rem", cell: (pod) => <PodStatus pod={pod} /> },
    {
      title: "Image",
      sortBy: ({ image }) => image,
      width: "minmax(7rem, 2fr)",
      minWidth: "md",
      cell: ({ image }) => <span title={image}>{image}</span>,
    },
    {
      title: "Hardware",
      sortBy: ({ gpuTypeId, gpuCount, vcpuCount }) => `${gpuTypeId ?? ""} ${gpuCount} ${vcpuCount}`,
      width: "minmax(9rem, 1fr)",
      minWidth: "lg",
      cell: (pod) => <HardwareCell pod={pod} />,
    },
    ...(usage === null ? [] : usageColumns(usage)),
    {
      title: "Price",
      sortBy: ({ adjustedCostPerHr }) => adjustedCostPerHr,
      width: "6rem",
      alignRight: true,
      minWidth: "sm",
      cell: (pod) => formatHourlyPrice(pod.adjustedCostPerHr),
    },
    {
      title: "Created",
      sortBy: ({ createdAt }) => createdAt,
      width: "7rem",
      alignRight: true,
      minWidth: "2xl",
      cell: (pod) => <RelativeTime at={pod.createdAt} />,
    },
    actionsColumn((pod) => <PodActions pod={pod} />),
  ];
}

function HardwareCell({ pod }: { pod: Pod }) {
  const hardwareOf = useHardware();
  const { gpu, gpuTypeId, gpuCount, vcpuCount } = pod;
  if (!gpuTypeId) return hardwareOf(pod);
  return (
    <>
      <div className="truncate" title={hardwareOf(pod)}>
        {gpuCount} × <GpuName id={gpuTypeId} />
      </div>
      <div className="truncate text-xs text-muted">
        {gpu?.virtual && !pod.simulated && "simulated, "}
        {vcpuCount} vCPU
      </div>
    </>
  );
}

function usageColumns(usage: ReadonlyMap<string, PodUsage> | undefined): Column<Pod>[] {
  const usageOf = ({ id }: Pod) => usage?.get(id);
  return [
    {
      title: "Uptime",
      width: "5.5rem",
      alignRight: true,
      minWidth: "lg",
      sortBy: (pod) => usageOf(pod)?.uptimeMs,
      cell: (pod) => {
        const running = usageOf(pod);
        return running ? formatDuration(running.uptimeMs) : none;
      },
    },
    {
      title: "Load",
      width: "5rem",
      alignRight: true,
      minWidth: "md",
      sortBy: (pod) => usageOf(pod)?.gpuLoad ?? usageOf(pod)?.cpuLoad,
      cell: (pod) => loadText(usageOf(pod)),
    },
  ];
}

/** A Pod with GPUs shows their load, and any other that of its CPUs. */
function loadText(usage: PodUsage | undefined) {
  if (!usage) return none;
  const { gpuLoad, cpuLoad } = usage;
  return gpuLoad === null ? `CPU ${Math.round(cpuLoad)}%` : `GPU ${Math.round(gpuLoad)}%`;
}

const CHECKBOX = "block size-4 cursor-pointer accent-accent";

export function selectionColumn(
  rows: Pod[],
  selected: ReadonlySet<string>,
  onChange: (selected: ReadonlySet<string>) => void,
): Column<Pod> {
  const areAll = rows.length > 0 && rows.every(({ id }) => selected.has(id));
  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return {
    title: "Select",
    header: (
      <input
        type="checkbox"
        aria-label="Select all Pods"
        checked={areAll}
        onChange={() => onChange(new Set(areAll ? [] : rows.map(({ id }) => id)))}
        className={CHECKBOX}
      />
    ),
    width: "1.25rem",
    minWidth: "sm",
    cell: ({ id, name }) => (
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        checked={selected.has(id)}
        onChange={() => toggle(id)}
        className={CHECKBOX}
      />
    ),
  };
}
