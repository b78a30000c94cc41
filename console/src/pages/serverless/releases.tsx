// The releases of an endpoint, newest first.

import { getRouteApi } from "@tanstack/react-router";
import { api, type Schema } from "../../api/client.ts";
import { QueryResult } from "../../components/data/query-result.tsx";
import { RelativeTime } from "../../components/data/relative-time.tsx";
import { VolumeNames } from "../../components/data/resource-name.tsx";
import { Status } from "../../components/data/status.tsx";
import { Card, Fact, Facts } from "../../components/layout/card.tsx";
import { Skeleton } from "../../components/layout/skeleton.tsx";

type Release = Schema["Release"];

const route = getRouteApi("/inside/serverless/$endpointId");

export function EndpointReleases() {
  const { endpointId } = route.useParams();
  const query = api.useQuery("get", "/v1/endpoints/{endpointId}/releases", {
    params: { path: { endpointId } },
  });
  return (
    <QueryResult query={query} skeleton={<Skeleton className="h-48" />}>
      {(releases) => (
        <div className="space-y-4">
          {releases.map((release, n) => (
            <ReleaseCard key={release.version} release={release} isCurrent={n === 0} />
          ))}
        </div>
      )}
    </QueryResult>
  );
}

function ReleaseCard({ release, isCurrent }: { release: Release; isCurrent: boolean }) {
  const { version, reason, image, entrypoint, command, env, driver, createdAt } = release;
  const names = Object.keys(env);
  return (
    <Card
      title={
        <span className="flex items-center gap-3">
          Version {version} {isCurrent && <Status tone="good">Current</Status>}
        </span>
      }
      aside={<RelativeTime at={createdAt} />}
    >
      <Facts>
        <Fact name="Reason">{reason}</Fact>
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
        {/* Names only: values may be secret. */}
        <Fact name="Environment variables">{names.length > 0 ? names.join(", ") : "None"}</Fact>
        {release.networkVolumeIds.length > 0 && (
          <Fact name="Network volumes">
            <VolumeNames ids={release.networkVolumeIds} />
          </Fact>
        )}
        {release.models?.map(({ model, revision, commit }) => (
          <Fact key={model} name="Model">
            {model} <code>{commit.slice(0, 8)}</code> ({revision})
          </Fact>
        ))}
      </Facts>
    </Card>
  );
}
