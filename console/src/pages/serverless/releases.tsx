// The releases of an endpoint, newest first.

import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { useCanWrite } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { VolumeNames } from "../../components/control/resource-name.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { RelativeTime } from "../../components/data/relative-time.tsx";
import { Status } from "../../components/data/status.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { LabeledSelect } from "../../components/form/labeled-select.tsx";
import { Card, Fact, Facts } from "../../components/layout/card.tsx";
import { Empty } from "../../components/layout/empty.tsx";
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
              current={releases[0]!}
            />
          ))}
          {releases.length === 1 && (
            <Empty title="No earlier releases yet">
              A change of the image, command, environment variables, models or network volumes makes
              a release, which you can compare and roll back.
            </Empty>
          )}
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
  current: Release;
}

function ReleaseCard({ release, isCurrent, others, current }: ReleaseProps) {
  const { version, reason, image, entrypoint, command, env, driver, createdAt } = release;
  const names = Object.keys(env);
  return (
    <Card
      title={
        <span className="flex items-center gap-3">
          Version {version} {isCurrent && <Status tone="good">Current</Status>}
        </span>
      }
      aside={
        <span className="flex items-center gap-3">
          <RelativeTime at={createdAt} />
          {!isCurrent && <RollBack to={release} current={current} />}
        </span>
      }
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

function Changes({ changes }: { changes: ReturnType<typeof changesBetween> }) {
  return (
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
  );
}

/** A button and its confirmation; nothing if the release runs what the current one runs. */
function RollBack({ to, current }: { to: Release; current: Release }) {
  const [isOpen, setOpen] = useState(false);
  const mayWrite = useCanWrite();
  const { endpointId } = route.useParams();
  const write = useWrite("post", "/v1/endpoints/{endpointId}/releases/{version}/rollback", {
    success: ({ version }) => `Version ${version} runs what version ${to.version} ran`,
  });
  const changes = changesBetween(current, to);
  if (!mayWrite || changes.length === 0) return null;
  const path = { endpointId, version: `${to.version}` };
  return (
    <>
      <Button small onClick={() => setOpen(true)} aria-label={`Roll back to version ${to.version}`}>
        Roll back
      </Button>
      {isOpen && (
        <ConfirmDialog
          write={write}
          onClose={() => setOpen(false)}
          title={`Roll back to version ${to.version}?`}
          action="Roll back"
          isHarmless
          onConfirm={() => write.run({ params: { path } })}
        >
          <p>
            A new release runs what version {to.version} ran. Workers finish their jobs before they
            are replaced. Hardware, scaling and timeouts stay as they are.
          </p>
          <Changes changes={changes} />
        </ConfirmDialog>
      )}
    </>
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
        <Changes changes={changes} />
      )}
    </details>
  );
}
