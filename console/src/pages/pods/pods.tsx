// The page of Pods.

import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { curl } from "../../api/curl.ts";
import { useCanWrite } from "../../api/session.ts";
import { Button } from "../../components/control/button.tsx";
import { FilterSelect } from "../../components/control/filters.tsx";
import { matchesSearch, SearchInput } from "../../components/control/search-input.tsx";
import { useOwnerFilter, withOwners } from "../../components/data/owner-filter.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { Table } from "../../components/data/table.tsx";
import { labelTexts } from "../../components/format/labels.ts";
import { formatShown } from "../../components/format/units.ts";
import { Empty } from "../../components/layout/empty.tsx";
import { Page } from "../../components/layout/page.tsx";
import { SkeletonRows } from "../../components/layout/skeleton.tsx";
import { useSearchParam, useSearchText } from "../../use-search-param.ts";
import { useHardwareKind } from "./hardware.ts";
import { PodBulkActions } from "./list/pod-bulk-actions.tsx";
import { podColumns, selectionColumn } from "./list/pod-columns.tsx";
import { usePodUsage } from "./list/use-pod-usage.ts";
import { phaseOf, phases } from "./pod-status.tsx";

type Pod = Schema["Pod"];

export function Pods() {
  const query = api.useQuery("get", "/v1/pods");
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
        {(pods) => (pods.length === 0 ? <NoPods mayWrite={mayWrite} /> : <PodList pods={pods} />)}
      </QueryResult>
    </Page>
  );
}

const textsOf = (pod: Pod) => [
  pod.name,
  pod.id,
  pod.image,
  pod.gpuTypeId,
  pod.createdBy?.name,
  ...labelTexts(pod),
];

function PodList({ pods }: { pods: Pod[] }) {
  const [search, setSearch] = useSearchText();
  const [phase, setPhase] = useSearchParam("status");
  const [runsOn, setRunsOn] = useSearchParam("hardware");
  const owner = useOwnerFilter();
  const mayWrite = useCanWrite();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const usage = usePodUsage();
  const kindOf = useHardwareKind();
  const rows = pods.filter(
    (pod) =>
      owner.matches(pod) &&
      matchesSearch(search, ...textsOf(pod)) &&
      (phase === "" || phaseOf(pod) === phase) &&
      (runsOn === "" || kindOf(pod) === runsOn),
  );
  // A row that a filter hides is not stopped with the others.
  const selectedPods = rows.filter(({ id }) => selected.has(id));
  const columns = useMemo(() => podColumns(usage), [usage]);
  const allColumns = withOwners(columns, pods, 2);
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-3">
        {owner.control}
        <SearchInput label="Search Pods" value={search} onChange={setSearch} />
        <FilterSelect
          label="Status"
          all="All statuses"
          value={phase}
          onChange={setPhase}
          options={phases}
        />
        <FilterSelect
          label="Hardware"
          all="All hardware"
          value={runsOn}
          onChange={setRunsOn}
          options={[...new Set(pods.map(kindOf))].sort().map((kind) => [kind, kind])}
        />
        <p className="ml-auto text-sm text-muted">{formatShown(rows.length, pods.length, "Pod")}</p>
      </div>
      <PodBulkActions pods={selectedPods} onDone={() => setSelected(new Set())} />
      <Table
        label="Pods"
        columns={
          mayWrite ? [selectionColumn(rows, selected, setSelected), ...allColumns] : allColumns
        }
        rows={rows}
        idOf={({ id }) => id}
      />
    </>
  );
}

function NoPods({ mayWrite }: { mayWrite: boolean }) {
  return (
    <Empty
      title="No Pods yet"
      actions={
        mayWrite && (
          <Button variant="primary" asChild>
            <Link to="/pods/deploy">Deploy your first Pod</Link>
          </Button>
        )
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
