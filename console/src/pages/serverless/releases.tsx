// The releases of an endpoint, newest first.

import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { QueryResult } from "../../components/data/query-result.tsx";
import { RelativeTime } from "../../components/data/relative-time.tsx";
import { VolumeNames } from "../../components/data/resource-name.tsx";
import { Status } from "../../components/data/status.tsx";
import { LabeledSelect } from "../../components/form/labeled-select.tsx";
import { Card, Fact, Facts } from "../../components/layout/card.tsx";
import { Skeleton } from "../../components/layout/skeleton.tsx";
import { changesBetween } from "./release-changes.ts";

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
            <ReleaseCard
              key={release.version}
              release={release}
              isCurrent={n === 0}
              others={releases.filter(({ version }) => version < release.version)}
            />
          ))}
        </div>
      )}
    </QueryResult>
  );
}

interface ReleaseProps {
  release: Release;
  isCurrent: boolean;
  /** The releases before it, newest first. */
  others: Release[];
}

function ReleaseCard({ release, isCurrent, others }: ReleaseProps) {
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
      {others.length > 0 && <Differences release={release} others={others} />}
    </Card>
  );
}

function Differences({ release, others }: Pick<ReleaseProps, "release" | "others">) {
  const [version, setVersion] = useState(`${others[0]!.version}`);
  const other = others.find((each) => `${each.version}` === version) ?? others[0]!;
  const changes = changesBetween(other, release);
  return (
    <details className="mt-4 border-t border-line pt-3">
      <summary className="w-fit cursor-pointer text-sm text-muted hover:text-text">
        Changes from an earlier version
      </summary>
      <LabeledSelect
        label={`Compare version ${release.version} with`}
        className="mt-3 w-44"
        value={`${other.version}`}
        onChange={setVersion}
        options={others.map((each) => [`${each.version}`, `Version ${each.version}`] as const)}
      />
      {changes.length === 0 ? (
        <p className="mt-3 text-sm text-muted">No differences in what workers run</p>
      ) : (
        <dl className="mt-3 space-y-2 text-sm">
          {changes.map(({ field, before, after }) => (
            <div key={field}>
              <dt className="text-muted">{field}</dt>
              <dd className="break-all">
                <del className="rounded-sm bg-bad-soft px-1 text-bad no-underline">{before}</del>{" "}
                <span aria-hidden>→</span>{" "}
                <ins className="rounded-sm bg-good-soft px-1 text-good no-underline">{after}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </details>
  );
}
