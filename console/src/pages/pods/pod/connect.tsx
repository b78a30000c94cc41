// How to reach a Pod (its pages, public ports, SSH), and its details.

import { Link } from "@tanstack/react-router";
import { api, type Schema } from "../../../api/client.ts";
import { useCanView, useCanWrite } from "../../../api/session.ts";
import { useWrite } from "../../../api/use-write.ts";
import { Button } from "../../../components/control/button.tsx";
import { Code } from "../../../components/control/copy.tsx";
import { MachineName, VolumeName } from "../../../components/control/resource-name.tsx";
import { RelativeTime, useNow } from "../../../components/data/relative-time.tsx";
import { formatDateTime } from "../../../components/format/time.ts";
import {
  formatDollars,
  formatDuration,
  formatHourlyPrice,
} from "../../../components/format/units.ts";
import { Card, Fact, Facts } from "../../../components/layout/card.tsx";
import { serviceNow } from "../../../service-clock.ts";
import { MINUTE_MS } from "../../../time-units.ts";
import { useHardware } from "../hardware.ts";
import { phaseOf } from "../pod-status.tsx";
import { Connections, portName, type SshAddress } from "./connections.tsx";

type Pod = Schema["Pod"];

export function Connect({ pod }: { pod: Pod }) {
  const ssh = useSshAddress(pod);
  const mayViewBilling = useCanView("billing");
  const hardwareOf = useHardware();
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
      <div className="min-w-0 space-y-5">
        <Connections pod={pod} ssh={ssh} />
        <PublicPorts pod={pod} />
        {ssh && <Ssh command={ssh.command} />}
      </div>
      <Card title="Details">
        <Facts>
          <Fact name="Image">
            <code>{pod.image}</code>
          </Fact>
          <Fact name="Hardware">{hardwareOf(pod)}</Fact>
          <Fact name="Memory">{pod.memoryInGb} GB</Fact>
          <Fact name="Container disk">{pod.containerDiskInGb} GB</Fact>
          <Fact name="Volume">
            {pod.networkVolumeId ? <VolumeName id={pod.networkVolumeId} /> : `${pod.volumeInGb} GB`}{" "}
            at <code>{pod.volumeMountPath}</code>
          </Fact>
          <Fact name="Price">
            {formatHourlyPrice(pod.adjustedCostPerHr)}
            {pod.interruptible && ", spot"}
          </Fact>
          {mayViewBilling && (
            <Fact name="Cost">
              <PodCost pod={pod} />
            </Fact>
          )}
          <Fact name="Machine">
            <MachineName id={pod.machineId} />
          </Fact>
          <Fact name="Created">
            <RelativeTime at={pod.createdAt} />
            {pod.createdBy && ` by ${pod.createdBy.name}`}
          </Fact>
          <Fact name="Last change">{LastChange(pod)}</Fact>
          {pod.stopAfter && <Fact name="Stops">{formatDateTime(pod.stopAfter)}</Fact>}
          {pod.stopWhenIdle && "never" in pod.stopWhenIdle && !pod.idlePolicy && (
            <Fact name="Stops when idle">never</Fact>
          )}
          {pod.idlePolicy && (
            <Fact name="Stops when idle">
              <IdleStop pod={pod} />
            </Fact>
          )}
          {pod.exemption && (
            <Fact name="Exempt from stops">
              {pod.exemption.until ? `until ${formatDateTime(pod.exemption.until)}` : "for good"}:{" "}
              {pod.exemption.reason}
            </Fact>
          )}
          {pod.lifetime && (
            <Fact name="Maximum lifetime">
              <LifetimeEnd pod={pod} />
            </Fact>
          )}
          {pod.terminateAfter && (
            <Fact name="Terminates">{formatDateTime(pod.terminateAfter)}</Fact>
          )}
        </Facts>
      </Card>
    </div>
  );
}

const whoseRule = ({ from, project }: NonNullable<Pod["idlePolicy"]>) =>
  ({ pod: "", template: ", by its template", project: `, by the project ${project}` })[from];

/** "for 60 min, by the project vision", or since when it is idle and when it stops */
function IdleStop({ pod }: { pod: Pod }) {
  const now = useNow();
  const { idle, idlePolicy, desiredStatus } = pod;
  const whose = idlePolicy ? whoseRule(idlePolicy) : "";
  if (!idle || desiredStatus !== "RUNNING") return <>{`for ${idlePolicy?.minutes} min${whose}`}</>;
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span>
        at {formatDateTime(idle.stopsAt)};{" "}
        {Date.parse(idle.since) > now ? "kept until" : "idle since"} {formatDateTime(idle.since)}
        {whose}
      </span>
      <KeepButton pod={pod} />
    </span>
  );
}

function KeepButton({ pod }: { pod: Pod }) {
  const mayWrite = useCanWrite();
  const keep = useWrite("post", "/v1/pods/{podId}/keep", {
    success: keptText,
    toastError: true,
  });
  if (!mayWrite) return null;
  return (
    <Button
      small
      busy={keep.isPending}
      onClick={() => keep.start({ params: { path: { podId: pod.id } }, body: { minutes: 120 } })}
    >
      Keep for 2 hours
    </Button>
  );
}

const KEPT_MS = 7_200_000;

/** Says so if its maximum lifetime ends it before, which cannot be extended. */
function keptText({ name, lifetime }: Pod): string {
  const stopsAt = lifetime?.stopsAt;
  if (stopsAt && Date.parse(stopsAt) < serviceNow() + KEPT_MS - MINUTE_MS)
    return `Pod ${name} is kept until ${formatDateTime(stopsAt)}, when its maximum lifetime ends`;
  return `Pod ${name} is kept for two hours`;
}

/** From this time before its end on, a Pod can be kept. */
const SOON_MS = 7_200_000;

/** "24 h, by the project vision; stops at 12:00" */
function LifetimeEnd({ pod }: { pod: Pod }) {
  const now = useNow();
  const { lifetime } = pod;
  if (!lifetime) return null;
  const { minutes, extendable, stopsAt } = lifetime;
  const isSoon = stopsAt !== undefined && Date.parse(stopsAt) - now < SOON_MS;
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span>
        {formatDuration(minutes * MINUTE_MS)} after its start{lifetimeSource(lifetime)}
        {stopsAt && `; stops at ${formatDateTime(stopsAt)}`}
        {!extendable && ", and cannot be extended"}
      </span>
      {isSoon && extendable && <KeepButton pod={pod} />}
    </span>
  );
}

function lifetimeSource({ from, project }: NonNullable<Pod["lifetime"]>): string {
  return {
    pod: "",
    template: ", by its template",
    project: `, by the project ${project}`,
    account: ", by the operator",
  }[from];
}

/** "Rented by user", 3 min ago */
function LastChange({ lastStatusChange }: Pod) {
  const [, text, at] = /^(.*?): (\d{4}-\d\d-\d\dT[\d:.]+Z)/.exec(lastStatusChange) ?? [];
  if (!text || !at) return lastStatusChange;
  return (
    <>
      {text}, <RelativeTime at={at} />
    </>
  );
}

/** Freehold's SSH server; null if it is off, or the Pod does not run. */
function useSshAddress(pod: Pod): SshAddress | null {
  const isRunning = phaseOf(pod) === "running";
  const params = { path: { podId: pod.id } };
  const { data } = api.useQuery("get", "/v2/pods/{podId}", { params }, { enabled: isRunning });
  return (isRunning && data?.ssh.proxy) || null;
}

function Ssh({ command }: { command: string }) {
  return (
    <Card title="SSH">
      <Code text={command} />
      <p className="mt-3 text-sm text-muted">
        With one of your{" "}
        <Link to="/keys/ssh" className="underline">
          SSH keys
        </Link>
        . It works in every image, also for <code>scp</code>, <code>sftp</code> and VS Code.
      </p>
    </Card>
  );
}

function PublicPorts({ pod }: { pod: Pod }) {
  const ssh = pod.portMappings["22"];
  const otherPorts = Object.entries(pod.portMappings).filter(([port]) => port !== "22");
  if (!pod.ports.some((port) => port.endsWith("/tcp"))) return null;
  const isMapped = pod.publicIp !== null && Object.keys(pod.portMappings).length > 0;
  return (
    <Card title="Public ports">
      {isMapped ? (
        <div className="space-y-3">
          {ssh !== undefined && (
            <div>
              <p className="mb-1 text-sm text-muted">SSH (requires an SSH server in the image)</p>
              <Code text={`ssh root@${pod.publicIp} -p ${ssh}`} />
            </div>
          )}
          {otherPorts.map(([port, mappedTo]) => (
            <div key={port}>
              <p className="mb-1 text-sm text-muted">{portName(pod, port)}</p>
              <Code text={`${pod.publicIp}:${mappedTo}`} />
            </div>
          ))}
        </div>
      ) : (
        <p className="text-sm text-muted">Assigned when the container starts.</p>
      )}
    </Card>
  );
}

/** "$4.20 this month, $12.00 to date" */
function PodCost({ pod: { id, createdAt } }: { pod: Schema["Pod"] }) {
  const query = {
    podId: id,
    grouping: "podId" as const,
    bucketSize: "month" as const,
    startTime: createdAt,
  };
  const { data: months } = api.useQuery("get", "/v1/billing/pods", { params: { query } });
  if (!months) return <>…</>;
  const total = months.reduce((sum, { amount }) => sum + amount, 0);
  const thisMonth = new Date(serviceNow()).toISOString().slice(0, "2026-11".length);
  const current = months.find(({ time }) => time.startsWith(thisMonth))?.amount ?? 0;
  return (
    <Link
      to="/billing/$kind/$resourceId"
      params={{ kind: "pods", resourceId: id }}
      className="underline"
    >
      {current !== total && `${formatDollars(current)} this month, `}
      {formatDollars(total)} to date
    </Link>
  );
}
