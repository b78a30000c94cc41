// All Pods, as they are now.

import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { curl } from "../../api/curl.ts";
import { Ago } from "../../parts/ago.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Page } from "../../parts/page.tsx";
import { fits, SearchInput } from "../../parts/search.tsx";
import { SkeletonRows } from "../../parts/skeleton.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { counted, perHour } from "../../parts/units.ts";
import { PodStatus } from "./pod-status.tsx";

type Pod = Schema["Pod"];

export function Pods() {
  const query = api.useQuery("get", "/v1/pods");
  const [search, setSearch] = useState("");
  return (
    <Page title="Pods" lead="Containers that are rented by the hour.">
      <Loaded query={query} skeleton={<SkeletonRows rows={6} />}>
        {(pods) =>
          pods.length === 0 ? (
            <NoPods />
          ) : (
            <>
              <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
                <SearchInput label="Search Pods" value={search} onChange={setSearch} />
                <p className="text-sm text-muted">{counted(pods.length, "Pod")}</p>
              </div>
              <Table
                label="Pods"
                columns={columns}
                rows={pods.filter((pod) =>
                  fits(search, pod.name, pod.id, pod.image, pod.gpuTypeId),
                )}
                idOf={({ id }) => id}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

const columns: Column<Pod>[] = [
  {
    title: "Pod",
    width: "minmax(9rem, 2fr)",
    cell: (pod) => (
      <>
        <div className="truncate font-medium">{pod.name}</div>
        <code className="text-xs text-muted">{pod.id}</code>
      </>
    ),
  },
  { title: "State", width: "7.5rem", cell: (pod) => <PodStatus pod={pod} /> },
  { title: "Image", width: "minmax(8rem, 2fr)", from: "md", cell: (pod) => pod.image },
  { title: "Runs on", width: "minmax(8rem, 1fr)", from: "lg", cell: hardware },
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
];

function hardware({ gpuTypeId, gpuCount, vcpuCount }: Pod): string {
  if (!gpuTypeId) return `${vcpuCount} vCPU`;
  return `${gpuCount} × ${gpuTypeId.replace(/^NVIDIA /, "")}`;
}

function NoPods() {
  return (
    <Empty
      title="No Pods yet"
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
