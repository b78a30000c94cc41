// The page of Pods.

import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { curl } from "../../api/curl.ts";
import { useCanWrite } from "../../api/session.ts";
import { Button } from "../../components/control/button.tsx";
import { FilterSelect } from "../../components/control/filters.tsx";
import { matchesSearch, SearchInput } from "../../components/control/search-input.tsx";
import { IdLine } from "../../components/data/name-cell.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { RelativeTime } from "../../components/data/relative-time.tsx";
import { type Column, Table } from "../../components/data/table.tsx";
import { formatHourlyPrice, formatQuantity } from "../../components/format/units.ts";
import { Empty } from "../../components/layout/empty.tsx";
import { Page } from "../../components/layout/page.tsx";
import { SkeletonRows } from "../../components/layout/skeleton.tsx";
import { hardwareOf } from "./hardware.ts";
import { PodActions } from "./pod-actions.tsx";
import { type PodPhase, PodStatus, phaseOf, phases, SimulatedBadge } from "./pod-status.tsx";

type Pod = Schema["Pod"];

export function Pods() {
  const query = api.useQuery("get", "/v1/pods");
  const [search, setSearch] = useState("");
  const [phase, setPhase] = useState<PodPhase | "">("");
  const [runsOn, setRunsOn] = useState("");
  const mayWrite = useCanWrite();
  return (
    <Page
      title="Pods"
      lead="Containers with dedicated CPUs and GPUs, billed by the millisecond."
      actions={
        mayWrite && (
          <Button variant="primary" asChild>
            <Link to="/pods/deploy">Deploy Pod</Link>
          </Button>
        )
      }
    >
      <QueryResult query={query} skeleton={<SkeletonRows rows={6} />}>
        {(pods) => {
          if (pods.length === 0) return <NoPods />;
          const rows = pods.filter(
            (pod) =>
              matchesSearch(search, pod.name, pod.id, pod.image, pod.gpuTypeId) &&
              (phase === "" || phaseOf(pod) === phase) &&
              (runsOn === "" || kindOf(pod) === runsOn),
          );
          return (
            <>
              <div className="mb-3 flex flex-wrap items-center gap-3">
                <SearchInput label="Search Pods" value={search} onChange={setSearch} />
                <FilterSelect
                  label="Status"
                  all="All statuses"
                  value={phase}
                  onChange={(value) => setPhase(value as PodPhase | "")}
                  options={phases}
                />
                <FilterSelect
                  label="Hardware"
                  all="All hardware"
                  value={runsOn}
                  onChange={setRunsOn}
                  options={[...new Set(pods.map(kindOf))].sort().map((kind) => [kind, kind])}
                />
                <p className="ml-auto text-sm text-muted">{howMany(rows.length, pods.length)}</p>
              </div>
              <Table label="Pods" columns={columns} rows={rows} idOf={({ id }) => id} />
            </>
          );
        }}
      </QueryResult>
    </Page>
  );
}

/** The GPU type, or "CPU". */
const kindOf = ({ gpu, gpuTypeId }: Pod) => gpu?.displayName ?? gpuTypeId ?? "CPU";

const howMany = (shown: number, all: number) =>
  shown === all ? formatQuantity(all, "Pod") : `${shown} of ${formatQuantity(all, "Pod")}`;

const columns: Column<Pod>[] = [
  {
    title: "Pod",
    width: "minmax(9rem, 2fr)",
    cell: (pod) => (
      <>
        <span className="flex items-center gap-2">
          <Link
            to="/pods/$podId/{-$tab}"
            params={{ podId: pod.id }}
            className="block truncate font-medium hover:underline"
          >
            {pod.name}
          </Link>
          <SimulatedBadge pod={pod} />
        </span>
        <IdLine id={pod.id} />
      </>
    ),
  },
  { title: "Status", width: "9rem", cell: (pod) => <PodStatus pod={pod} /> },
  { title: "Image", width: "minmax(8rem, 2fr)", minWidth: "md", cell: (pod) => pod.image },
  {
    title: "Hardware",
    width: "minmax(9rem, 1fr)",
    minWidth: "lg",
    cell: (pod) => <HardwareCell pod={pod} />,
  },
  {
    title: "Price",
    width: "6rem",
    alignRight: true,
    minWidth: "sm",
    cell: (pod) => formatHourlyPrice(pod.adjustedCostPerHr),
  },
  {
    title: "Created",
    width: "7rem",
    alignRight: true,
    minWidth: "lg",
    cell: (pod) => <RelativeTime at={pod.createdAt} />,
  },
  {
    title: "Actions",
    isTitleHidden: true,
    width: "2rem",
    alignRight: true,
    cell: (pod) => <PodActions pod={pod} />,
  },
];

function HardwareCell({ pod }: { pod: Pod }) {
  const { gpu, gpuTypeId, gpuCount, vcpuCount } = pod;
  if (!gpuTypeId) return hardwareOf(pod);
  return (
    <>
      <div className="truncate" title={hardwareOf(pod)}>
        {gpuCount} × {gpu?.displayName ?? gpuTypeId}
      </div>
      <div className="truncate text-xs text-muted">
        {gpu?.virtual && "virtual, "}
        {vcpuCount} vCPU
      </div>
    </>
  );
}

function NoPods() {
  return (
    <Empty
      title="No Pods yet"
      actions={
        <Button variant="primary" asChild>
          <Link to="/pods/deploy">Deploy your first Pod</Link>
        </Button>
      }
      curl={curl("POST", "/v1/pods", {
        name: "first",
        imageName: "runpod/pytorch:2.8.0-py3.11-cuda12.8.1-cudnn-devel-ubuntu22.04",
        gpuTypeIds: ["NVIDIA GeForce RTX 4090"],
        ports: ["8888/http", "22/tcp"],
      })}
    >
      A Pod is a container with its own GPUs, disk and ports. It runs until you stop it.
    </Empty>
  );
}
