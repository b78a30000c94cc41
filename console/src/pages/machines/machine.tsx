// The page of a machine: its trouble, its capacity, its GPUs, what runs there, its load, and its details.

import { getRouteApi, Link } from "@tanstack/react-router";
import { api, type Schema } from "../../api/client.ts";
import { Copyable } from "../../components/control/copy.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { RelativeTime } from "../../components/data/relative-time.tsx";
import { SimulatedMachineBadge } from "../../components/data/simulated-badge.tsx";
import { formatHourlyPrice } from "../../components/format/units.ts";
import { Card, Fact, Facts } from "../../components/layout/card.tsx";
import { Page } from "../../components/layout/page.tsx";
import { Skeleton } from "../../components/layout/skeleton.tsx";
import { paths } from "../../paths.ts";
import { NotFoundPage } from "../../shell/error-pages.tsx";
import { PodStatus } from "../pods/pod-status.tsx";
import { GpuDevices } from "./gpu-devices.tsx";
import { Installations } from "./installations.tsx";
import { MachineActions } from "./machine-actions.tsx";
import { Capacity, MachineNotices, MachineStatus, Nodes } from "./machine-board.tsx";
import { MachineLoad } from "./machine-load.tsx";
import { UnpricedGpus } from "./unpriced-gpus.tsx";

type Machine = Schema["Machine"];

const route = getRouteApi("/inside/machines/$machineId");

export function MachinePage() {
  const { machineId } = route.useParams();
  const query = api.useQuery("get", "/v1/machines");
  const machine = query.data?.find(({ id }) => id === machineId);
  if (query.data && !machine) return <NotFoundPage />;
  const name = machine?.name ?? machineId;
  return (
    <Page
      name={`Machine ${name}`}
      title={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {name}
          {machine && <MachineStatus machine={machine} />}
          {machine?.simulated && <SimulatedMachineBadge />}
          <span className="text-sm font-normal text-muted">
            <Copyable text={machineId} />
          </span>
        </span>
      }
      back={<Link to={paths.machines}>Machines</Link>}
      actions={machine && <MachineActions machine={machine} />}
    >
      <QueryResult query={query} skeleton={<Skeleton className="h-96" />}>
        {(machines) =>
          machine && (
            <Body
              machine={machine}
              nodes={machines.filter(({ cluster }) => cluster === machineId)}
            />
          )
        }
      </QueryResult>
    </Page>
  );
}

function Body({ machine, nodes }: { machine: Machine; nodes: Machine[] }) {
  const { gpuDevices = [], unknownInstallations = [] } = machine;
  return (
    <>
      <MachineNotices machine={machine} withInstallations={false} />
      <div className="grid gap-4 lg:grid-cols-[1fr_22rem]">
        <div className="min-w-0 space-y-4">
          <Card title="Capacity">
            {nodes.length > 0 ? <Nodes nodes={nodes} /> : <Capacity machine={machine} />}
          </Card>
          {gpuDevices.length > 0 && (
            <Card title="GPUs">
              <GpuDevices machine={machine} />
            </Card>
          )}
          <UnpricedGpus machineId={machine.id} />
          <Pods machineId={machine.id} />
          {nodes.length === 0 && <MachineLoad machineId={machine.id} />}
          {unknownInstallations.length > 0 && (
            <Installations machineId={machine.id} installations={unknownInstallations} />
          )}
        </div>
        <Card title="Details" className="self-start">
          <Details machine={machine} />
        </Card>
      </div>
    </>
  );
}

/** Other accounts' Pods are not for the operator to see. */
function Pods({ machineId }: { machineId: string }) {
  const { data: all } = api.useQuery("get", "/v1/pods");
  const pods = all?.filter((pod) => pod.machineId === machineId);
  return (
    <Card title="Pods of your account" flush>
      {pods?.length === 0 && <p className="p-4 text-muted">None on this machine</p>}
      <ul aria-label="Pods of your account" className="divide-y divide-line">
        {pods?.map((pod) => (
          <li key={pod.id} className="flex items-center gap-4 px-4 py-2.5">
            <Link
              to={paths.pod}
              params={{ podId: pod.id }}
              className="min-w-0 flex-1 truncate leading-[24px] font-medium hover:underline"
            >
              {pod.name}
            </Link>
            <PodStatus pod={pod} />
            <span className="text-sm text-muted">{formatHourlyPrice(pod.adjustedCostPerHr)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Details({ machine }: { machine: Machine }) {
  const { address, hostKey, drivers, gpuDriver, cudaVersion, dataCenterId, location } = machine;
  const { maxDownloadSpeedMbps, maxUploadSpeedMbps, seenAt, quota } = machine;
  const facts: [name: string, value: string | undefined][] = [
    ["Address", address],
    ["Host key", hostKey],
    ["Drivers", drivers.join(", ") || "None"],
    ["GPU driver", gpuDriver],
    ["CUDA version", cudaVersion],
    ["Data center", dataCenterId],
    ["Location", location],
    ["Download", maxDownloadSpeedMbps === undefined ? undefined : `${maxDownloadSpeedMbps} Mbit/s`],
    ["Upload", maxUploadSpeedMbps === undefined ? undefined : `${maxUploadSpeedMbps} Mbit/s`],
    ["Container disks", quota === "enforced" ? "Limited by the engine" : quota && "Measured"],
  ];
  return (
    <Facts>
      {facts.map(
        ([name, value]) =>
          value !== undefined && (
            <Fact key={name} name={name}>
              <span className="wrap-anywhere">{value}</span>
            </Fact>
          ),
      )}
      {seenAt && (
        <Fact name="Last heartbeat">
          <RelativeTime at={seenAt} />
        </Fact>
      )}
    </Facts>
  );
}
