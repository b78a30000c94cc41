// All Pods, as they are now.

import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { curl } from "../../api/curl.ts";
import { useMayWrite } from "../../api/self.ts";
import { Ago } from "../../parts/ago.tsx";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Page } from "../../parts/page.tsx";
import { fits, SearchInput } from "../../parts/search.tsx";
import { SkeletonRows } from "../../parts/skeleton.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { counted, perHour } from "../../parts/units.ts";
import { hardwareOf } from "./hardware.ts";
import { PodActions } from "./pod-actions.tsx";
import { PodStatus } from "./pod-status.tsx";

type Pod = Schema["Pod"];

export function Pods() {
  const query = api.useQuery("get", "/v1/pods");
  const [search, setSearch] = useState("");
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
