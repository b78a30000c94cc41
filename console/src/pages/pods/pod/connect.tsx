// The ways into a Pod: its pages, its public ports, SSH; and what it is.

import { ExternalLink } from "lucide-react";
import type { Schema } from "../../../api/client.ts";
import { useSelf } from "../../../api/self.ts";
import { Ago } from "../../../parts/ago.tsx";
import { Button } from "../../../parts/button.tsx";
import { Card, Fact, Facts } from "../../../parts/card.tsx";
import { Code } from "../../../parts/copy.tsx";
import { perHour } from "../../../parts/units.ts";
import { hardwareOf } from "../hardware.ts";
import { phaseOf } from "../pod-status.tsx";

type Pod = Schema["Pod"];

export function Connect({ pod }: { pod: Pod }) {
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
      <div className="min-w-0 space-y-5">
        <Pages pod={pod} />
        <PublicPorts pod={pod} />
      </div>
      <Card title="What it is">
        <Facts>
          <Fact name="Image">
            <code>{pod.image}</code>
          </Fact>
          <Fact name="Computes on">{hardwareOf(pod)}</Fact>
          <Fact name="Memory">{pod.memoryInGb} GB</Fact>
          <Fact name="Container disk">{pod.containerDiskInGb} GB</Fact>
          <Fact name="Volume">
            {pod.networkVolumeId ? <code>{pod.networkVolumeId}</code> : `${pod.volumeInGb} GB`} at{" "}
            <code>{pod.volumeMountPath}</code>
          </Fact>
          <Fact name="Price">
            {perHour(pod.adjustedCostPerHr)}
            {pod.interruptible && ", spot"}
          </Fact>
          <Fact name="Machine">
            <code>{pod.machineId}</code>
          </Fact>
          <Fact name="Made">
            <Ago at={pod.createdAt} />
          </Fact>
          <Fact name="Last change">{lastChange(pod)}</Fact>
          {pod.stopAfter && <Fact name="Stops">{new Date(pod.stopAfter).toLocaleString()}</Fact>}
          {pod.terminateAfter && (
            <Fact name="Terminates">{new Date(pod.terminateAfter).toLocaleString()}</Fact>
          )}
        </Facts>
      </Card>
    </div>
  );
}

/** "Rented by user", 3 min ago */
function lastChange({ lastStatusChange }: Pod) {
  const [, words, at] = /^(.*?): (\d{4}-\d\d-\d\dT[\d:.]+Z)/.exec(lastStatusChange) ?? [];
  if (!words || !at) return lastStatusChange;
  return (
    <>
      {words}, <Ago at={at} />
    </>
  );
}

function Pages({ pod }: { pod: Pod }) {
  const { proxyDomain } = useSelf();
  const ports = pod.ports
    .filter((port) => port.endsWith("/http"))
    .map((port) => parseInt(port, 10));
  const runs = phaseOf(pod) === "running";
  const { protocol, port: own } = window.location;
  const address = (port: number) =>
    `${protocol}//${pod.id}-${port}.${proxyDomain}${own ? `:${own}` : ""}`;
  return (
    <Card title="Pages">
      {ports.length === 0 ? (
        <p className="text-sm text-muted">
          It has no port of <code>http</code>; one such as <code>8888/http</code> would be a page
          here.
        </p>
      ) : (
        <ul className="space-y-2">
          {ports.map((port) => (
            <li key={port} className="flex items-center justify-between gap-3">
              <span className="min-w-0">
                <span className="font-medium">{port}</span>{" "}
                <span className="block truncate text-sm text-muted">{address(port)}</span>
              </span>
              {runs && (
                <Button small asChild>
                  <a href={address(port)} target="_blank" rel="noreferrer">
                    Open <ExternalLink aria-hidden className="size-3.5" />
                  </a>
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {ports.length > 0 && (
        <p className="mt-3 text-sm text-muted">Open to whoever knows the address.</p>
      )}
    </Card>
  );
}

function PublicPorts({ pod }: { pod: Pod }) {
  const ssh = pod.portMappings["22"];
  const others = Object.entries(pod.portMappings).filter(([port]) => port !== "22");
  if (!pod.ports.some((port) => port.endsWith("/tcp"))) return null;
  const mapped = pod.publicIp !== null && Object.keys(pod.portMappings).length > 0;
  return (
    <Card title="Public ports">
      {mapped ? (
        <div className="space-y-3">
          {ssh !== undefined && (
            <div>
              <p className="mb-1 text-sm text-muted">SSH, where the image has a server for it</p>
              <Code text={`ssh root@${pod.publicIp} -p ${ssh}`} />
            </div>
          )}
          {others.map(([port, mappedTo]) => (
            <div key={port}>
              <p className="mb-1 text-sm text-muted">{port}</p>
              <Code text={`${pod.publicIp}:${mappedTo}`} />
            </div>
          ))}
        </div>
      ) : (
        <p className="text-sm text-muted">They are known once its container is up.</p>
      )}
    </Card>
  );
}
