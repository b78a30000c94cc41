// All Pods, as they are now.

import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { curl } from "../../api/curl.ts";
import { useMayWrite } from "../../api/self.ts";
import { Ago } from "../../parts/ago.tsx";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Select } from "../../parts/field.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Page } from "../../parts/page.tsx";
import { fits, SearchInput } from "../../parts/search.tsx";
import { SkeletonRows } from "../../parts/skeleton.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { counted, perHour } from "../../parts/units.ts";
import { hardwareOf } from "./hardware.ts";
import { PodActions } from "./pod-actions.tsx";
import { type PodPhase, PodStatus, phaseOf, phases } from "./pod-status.tsx";

type Pod = Schema["Pod"];

export function Pods() {
  const query = api.useQuery("get", "/v1/pods");
  const [search, setSearch] = useState("");
  const [phase, setPhase] = useState<PodPhase | "">("");
  const [runsOn, setRunsOn] = useState("");
  const mayWrite = useMayWrite();
  return (
    <Page
      title="Pods"
      lead="Containers that are rented by the hour."
      actions={
        mayWrite && (
          <Button look="primary" asChild>
            <Link to="/pods/deploy">Deploy a Pod</Link>
          </Button>
        )
      }
    >
      <Loaded query={query} skeleton={<SkeletonRows rows={6} />}>
        {(pods) => {
          if (pods.length === 0) return <NoPods />;
          const rows = pods.filter(
            (pod) =>
              fits(search, pod.name, pod.id, pod.image, pod.gpuTypeId) &&
              (phase === "" || phaseOf(pod) === phase) &&
              (runsOn === "" || kindOf(pod) === runsOn),
          );
          return (
            <>
              <div className="mb-3 flex flex-wrap items-center gap-3">
                <SearchInput label="Search Pods" value={search} onChange={setSearch} />
                <Filter
                  label="State"
                  all="All states"
                  value={phase}
                  onChange={(value) => setPhase(value as PodPhase | "")}
                  options={phases}
                />
                <Filter
                  label="Runs on"
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
      </Loaded>
    </Page>
  );
}

/** Its type of GPU, or that it has none. */
const kindOf = ({ gpu, gpuTypeId }: Pod) => gpu?.displayName ?? gpuTypeId ?? "CPU";

const howMany = (shown: number, all: number) =>
  shown === all ? counted(all, "Pod") : `${shown} of ${counted(all, "Pod")}`;

interface FilterProps {
  label: string;
  all: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly (readonly [value: string, name: string])[];
}

function Filter({ label, all, value, onChange, options }: FilterProps) {
  return (
    <div className="w-44 max-sm:flex-1">
      <Select aria-label={label} value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{all}</option>
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </Select>
    </div>
  );
}

const columns: Column<Pod>[] = [
  {
    title: "Pod",
    width: "minmax(9rem, 2fr)",
    cell: (pod) => (
      <>
        <Link
          to="/pods/$podId/{-$tab}"
          params={{ podId: pod.id }}
          className="block truncate font-medium hover:underline"
        >
          {pod.name}
        </Link>
        <code className="text-xs text-muted">{pod.id}</code>
      </>
    ),
  },
  { title: "State", width: "7.5rem", cell: (pod) => <PodStatus pod={pod} /> },
  { title: "Image", width: "minmax(8rem, 2fr)", from: "md", cell: (pod) => pod.image },
  { title: "Runs on", width: "minmax(8rem, 1fr)", from: "lg", cell: hardwareOf },
  {
    title: "Price",
    width: "6rem",
    right: true,
    from: "sm",
    cell: (pod) => perHour(pod.adjustedCostPerHr),
  },
  {
    title: "Made",
    width: "7rem",
    right: true,
    from: "lg",
    cell: (pod) => <Ago at={pod.createdAt} />,
  },
  {
    title: "Actions",
    untitled: true,
    width: "2rem",
    right: true,
    cell: (pod) => <PodActions pod={pod} />,
  },
];

function NoPods() {
  return (
    <Empty
      title="No Pods yet"
      actions={
        <Button look="primary" asChild>
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
      A Pod is a container with its own GPUs, disk and ports, for as long as you need it.
    </Empty>
  );
}
