// The page of clusters.

import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { curl } from "../../api/curl.ts";
import { useCanWrite } from "../../api/session.ts";
import { Button } from "../../components/control/button.tsx";
import { NameCell } from "../../components/data/name-cell.tsx";
import { OwnedTable } from "../../components/data/owned-table.tsx";
import { timeColumn } from "../../components/data/relative-time.tsx";
import { actionsColumn, type Column } from "../../components/data/table.tsx";
import { labelTexts } from "../../components/format/labels.ts";
import { Empty } from "../../components/layout/empty.tsx";
import { Page } from "../../components/layout/page.tsx";
import { GpuName } from "../pods/gpu-name.tsx";
import { ClusterActions } from "./cluster-actions.tsx";
import { ClusterStatus } from "./cluster-status.tsx";
import { NewCluster } from "./new-cluster.tsx";

type Cluster = Schema["Cluster"];

export function Clusters() {
  const query = api.useQuery("get", "/v2/clusters", undefined, {
    select: ({ clusters }) => clusters,
  });
  const [isCreating, setCreating] = useState(false);
  const mayWrite = useCanWrite();
  return (
    <Page
      title="Clusters"
      lead="Pods that start together, on a private network, for training and distributed applications."
      actions={
        mayWrite && (
          <Button variant="primary" onClick={() => setCreating(true)}>
            New cluster
          </Button>
        )
      }
    >
      <OwnedTable
        query={query}
        singular="cluster"
        columns={mayWrite ? [...columns, actions] : columns}
        idOf={({ id }) => id}
        textsOf={(cluster) => [
          cluster.id,
          cluster.name,
          cluster.compute.gpuTypeId,
          ...labelTexts(cluster),
        ]}
        empty={<NoClusters />}
      />
      {isCreating && <NewCluster onClose={() => setCreating(false)} />}
    </Page>
  );
}

export const typeNames: Record<Cluster["type"], string> = {
  TRAINING: "Training",
  APPLICATION: "Application",
  SLURM: "Slurm",
  RAY: "Ray",
};

export function ClusterHardware({ cluster: { compute } }: { cluster: Cluster }) {
  const { podCount, gpuCountPerPod, gpuTypeId } = compute;
  return (
    <>
      {podCount} Pods with {gpuCountPerPod} × <GpuName id={gpuTypeId} />
    </>
  );
}

const columns: Column<Cluster>[] = [
  {
    title: "Cluster",
    sortBy: ({ name }) => name,
    width: "minmax(9rem, 2fr)",
    cell: ({ id, name }) => (
      <NameCell
        id={id}
        name={
          <Link to="/clusters/$clusterId" params={{ clusterId: id }} className="hover:underline">
            {name}
          </Link>
        }
      />
    ),
  },
  {
    title: "Status",
    sortBy: ({ pods: { total, byStatus } }) => (byStatus.RUNNING ?? 0) / total,
    width: "9rem",
    cell: ({ pods }) => <ClusterStatus pods={pods} />,
  },
  {
    title: "Type",
    sortBy: ({ type }) => type,
    width: "7rem",
    minWidth: "md",
    cell: ({ type }) => typeNames[type],
  },
  {
    title: "Hardware",
    sortBy: ({ compute }) => compute.podCount * compute.gpuCountPerPod,
    width: "minmax(12rem, 2fr)",
    minWidth: "sm",
    cell: (cluster) => <ClusterHardware cluster={cluster} />,
  },
  timeColumn("Created", ({ createdAt }) => createdAt, "lg"),
];

const actions = actionsColumn<Cluster>((cluster) => <ClusterActions cluster={cluster} />);

function NoClusters() {
  return (
    <Empty
      title="No clusters yet"
      curl={curl("POST", "/v2/clusters", {
        name: "training",
        type: "TRAINING",
        compute: { gpuTypeId: "NVIDIA A40", gpuCountPerPod: 1, podCount: 2 },
        image: "pytorch/pytorch:2.8.0-cuda12.8-cudnn9-runtime",
      })}
    >
      A cluster is a group of Pods that are placed together or not at all. Each knows its rank and
      the address of the first.
    </Empty>
  );
}
