// What the workers of each version run, the newest first.

import { getRouteApi } from "@tanstack/react-router";
import { api, type Schema } from "../../api/client.ts";
import { Ago } from "../../parts/ago.tsx";
import { Card, Fact, Facts } from "../../parts/card.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { Status } from "../../parts/status.tsx";

type Release = Schema["Release"];

const route = getRouteApi("/inside/serverless/$endpointId");

export function EndpointReleases() {
  const { endpointId } = route.useParams();
  const query = api.useQuery("get", "/v1/endpoints/{endpointId}/releases", {
    params: { path: { endpointId } },
  });
  return (
    <Loaded query={query} skeleton={<Skeleton className="h-48" />}>
      {(releases) => (
        <div className="space-y-4">
          {releases.map((release, n) => (
            <One key={release.version} release={release} current={n === 0} />
          ))}
        </div>
      )}
    </Loaded>
  );
}

function One({ release, current }: { release: Release; current: boolean }) {
  const { version, reason, image, entrypoint, command, env, driver, createdAt } = release;
  const names = Object.keys(env);
  return (
    <Card
      title={
        <span className="flex items-center gap-3">
          Version {version} {current && <Status tone="good">Current</Status>}
        </span>
      }
      aside={<Ago at={createdAt} />}
    >
      <Facts>
        <Fact name="Because">{reason}</Fact>
        <Fact name="Image">
          <code>{image}</code>
        </Fact>
        {entrypoint.length > 0 && (
          <Fact name="Entrypoint">
            <code>{entrypoint.join(" ")}</code>
          </Fact>
        )}
        {command.length > 0 && (
          <Fact name="Command">
            <code>{command.join(" ")}</code>
          </Fact>
        )}
        {driver && <Fact name="Driver">{driver}</Fact>}
        {/* Values may be secret. */}
        <Fact name="Variables">{names.length > 0 ? names.join(", ") : "None"}</Fact>
        {release.networkVolumeIds.length > 0 && (
          <Fact name="Network volumes">{release.networkVolumeIds.join(", ")}</Fact>
        )}
      </Facts>
    </Card>
  );
}
