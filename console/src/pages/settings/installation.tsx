// The installation, for the operator: the data folder, its disk and the last backup.

import { api, type Schema } from "../../api/client.ts";
import { Copyable } from "../../components/control/copy.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { RelativeTime } from "../../components/data/relative-time.tsx";
import { Status } from "../../components/data/status.tsx";
import { formatBytes } from "../../components/format/units.ts";
import { Card, Fact, Facts } from "../../components/layout/card.tsx";
import { Skeleton } from "../../components/layout/skeleton.tsx";

const databases = { sqlite: "SQLite, in the data folder", postgresql: "PostgreSQL" } as const;

export function Installation() {
  const query = api.useQuery("get", "/v1/installation");
  return (
    <Card title="Installation">
      <QueryResult query={query} skeleton={<Skeleton className="h-24" />}>
        {({ database, dataFolder, lastBackup }) => (
          <Facts>
            <Fact name="Data folder">
              <Copyable text={dataFolder.path} />
            </Fact>
            <Fact name="Size">
              {dataFolder.partial && "At least "}
              {formatBytes(dataFolder.bytes)}, with {formatBytes(dataFolder.freeBytes)} free on its
              disk
            </Fact>
            <Fact name="Database">{databases[database]}</Fact>
            <Fact name="Last backup">
              {database === "sqlite" ? (
                <LastBackup backup={lastBackup} />
              ) : (
                <>
                  Made with <code>pg_dump</code>, outside Freehold
                </>
              )}
            </Fact>
          </Facts>
        )}
      </QueryResult>
    </Card>
  );
}

function LastBackup({ backup }: { backup: Schema["Installation"]["lastBackup"] }) {
  if (backup === null) {
    return (
      <>
        <Status tone="warn">None</Status>
        <p className="mt-1 text-muted">
          Run <code>freehold backup FILE</code> on this machine, and keep the file on another one.
        </p>
      </>
    );
  }
  const { file, bytes, createdAt, present } = backup;
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2">
        <RelativeTime at={createdAt} />, {formatBytes(bytes)}
        {!present && <Status tone="warn">Not seen by the service</Status>}
      </span>
      <Copyable text={file} />
    </>
  );
}
