// The files of a network volume: a folder, whose path is in the address.

import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Upload as UploadIcon } from "lucide-react";
import { type DragEvent, type ReactNode, useRef, useState } from "react";
import { api } from "../../../api/client.ts";
import { useCanWrite } from "../../../api/session.ts";
import { listFolder } from "../../../api/volume-files.ts";
import { Button } from "../../../components/control/button.tsx";
import { Code, Copyable } from "../../../components/control/copy.tsx";
import { ErrorNote } from "../../../components/feedback/error-note.tsx";
import { joinClasses } from "../../../components/format/class-names.ts";
import { Empty } from "../../../components/layout/empty.tsx";
import { Page } from "../../../components/layout/page.tsx";
import { Skeleton, SkeletonRows } from "../../../components/layout/skeleton.tsx";
import { NotFoundPage } from "../../../shell/error-pages.tsx";
import { DeleteEntry } from "./delete-entry.tsx";
import { type Entry, entriesOf } from "./entry.ts";
import { FileTable } from "./file-table.tsx";
import { NewFolder } from "./new-folder.tsx";
import { Preview } from "./preview.tsx";
import { UploadList } from "./upload-list.tsx";
import { useUploads } from "./use-uploads.ts";

const route = getRouteApi("/inside/storage/$volumeId/files/$");

export function VolumeFiles() {
  const { volumeId } = route.useParams();
  const params = { path: { networkVolumeId: volumeId } };
  const { data: volume, error } = api.useQuery("get", "/v1/networkvolumes/{networkVolumeId}", {
    params,
  });
  if (!volume && (error as { status?: number } | null)?.status === 404) return <NotFoundPage />;
  return <Browser volumeId={volumeId} name={volume?.name} error={volume ? null : error} />;
}

interface BrowserProps {
  volumeId: string;
  name: string | undefined;
  error: unknown;
}

function Browser({ volumeId, name, error }: BrowserProps) {
  const { _splat = "" } = route.useParams();
  const path = _splat.replace(/^\/+|\/+$/g, "");
  const prefix = path === "" ? "" : `${path}/`;
  const folder = useFolder(volumeId, prefix);
  const reload = () => void folder.refetch();
  const { uploads, add } = useUploads({ volumeId, onUploaded: reload });
  const mayWrite = useCanWrite();
  const [isNaming, setNaming] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const choose = () => input.current?.click();
  return (
    <Page
      name={name ?? "Volume"}
      title={name ? <Title name={name} id={volumeId} /> : <Skeleton className="h-8 w-56" />}
      back={<Link to="/storage">Storage</Link>}
      actions={
        mayWrite && (
          <>
            <Button onClick={() => setNaming(true)}>New folder</Button>
            <Button variant="primary" onClick={choose}>
              <UploadIcon aria-hidden className="size-4" />
              Upload files
            </Button>
          </>
        )
      }
    >
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={({ target }) => {
          add(prefix, [...(target.files ?? [])]);
          target.value = "";
        }}
      />
      <ErrorNote error={error} />
      <Path volumeId={volumeId} path={path} />
      <UploadList uploads={uploads} />
      <DropArea disabled={!mayWrite} onFiles={(files) => add(prefix, files)}>
        <Folder
          volumeId={volumeId}
          prefix={prefix}
          folder={folder}
          mayWrite={mayWrite}
          onChoose={choose}
        />
      </DropArea>
      {isNaming && (
        <NewFolder
          volumeId={volumeId}
          prefix={prefix}
          onClose={() => setNaming(false)}
          onCreated={reload}
        />
      )}
    </Page>
  );
}

function useFolder(volumeId: string, prefix: string) {
  return useInfiniteQuery({
    queryKey: ["s3", volumeId, prefix],
    queryFn: ({ pageParam }) => listFolder(volumeId, prefix, { token: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextToken }) => nextToken,
    // Pods and workers write files without a change event.
    staleTime: 0,
    retry: false,
  });
}

function Title({ name, id }: { name: string; id: string }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {name}
      <span className="text-sm font-normal text-muted">
        <Copyable text={id} />
      </span>
    </span>
  );
}

/** The folders from the volume's root to this one. */
function Path({ volumeId, path }: { volumeId: string; path: string }) {
  const names = path === "" ? [] : path.split("/");
  const steps = [
    { name: "Files", to: "" },
    ...names.map((name, at) => ({ name, to: names.slice(0, at + 1).join("/") })),
  ];
  return (
    <nav aria-label="Folders" className="mb-3">
      <ol className="flex flex-wrap items-center gap-x-1.5">
        {steps.map(({ name, to }, at) => (
          <li key={to} className="flex min-w-0 items-center gap-x-1.5">
            {at > 0 && (
              <span aria-hidden className="text-muted">
                /
              </span>
            )}
            <Link
              to="/storage/$volumeId/files/$"
              params={{ volumeId, _splat: to }}
              className={joinClasses(
                "truncate hover:underline",
                at === steps.length - 1 ? "font-medium" : "text-muted",
              )}
              {...(at === steps.length - 1 && { "aria-current": "page" as const })}
            >
              {name}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface DropProps {
  disabled: boolean;
  onFiles: (files: File[]) => void;
  children: ReactNode;
}

/** Takes files that are dropped on it; the button does the same by keyboard. */
function DropArea({ disabled, onFiles, children }: DropProps) {
  const [isOver, setOver] = useState(false);
  if (disabled) return <>{children}</>;
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes("Files");
  return (
    <section
      aria-label="Files"
      className={isOver ? "rounded-card outline-2 outline-accent" : ""}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
    </section>
  );
}

interface FolderProps {
  volumeId: string;
  prefix: string;
  folder: ReturnType<typeof useFolder>;
  mayWrite: boolean;
  onChoose: () => void;
}

function Folder({ volumeId, prefix, folder, mayWrite, onChoose }: FolderProps) {
  const [previewed, setPreviewed] = useState<Entry | null>(null);
  const [toDelete, setToDelete] = useState<Entry | null>(null);
  const { data, error, hasNextPage, isFetchingNextPage } = folder;
  const reload = () => void folder.refetch();
  if (error) return <ErrorNote error={error} onRetry={reload} />;
  if (!data) return <SkeletonRows rows={4} />;
  const entries = entriesOf(data.pages, prefix);
  if (entries.length === 0 && !hasNextPage) {
    if (!data.pages[0]!.exists) return <NoFolder volumeId={volumeId} />;
    return <NoFiles volumeId={volumeId} prefix={prefix} {...(mayWrite && { onChoose })} />;
  }
  return (
    <>
      <FileTable
        volumeId={volumeId}
        entries={entries}
        mayWrite={mayWrite}
        onPreview={setPreviewed}
        onDelete={setToDelete}
        onEndReached={() => {
          if (hasNextPage && !isFetchingNextPage) void folder.fetchNextPage();
        }}
      />
      {previewed?.file && (
        <Preview
          volumeId={volumeId}
          file={previewed.file}
          name={previewed.name}
          onClose={() => setPreviewed(null)}
        />
      )}
      {toDelete && (
        <DeleteEntry
          volumeId={volumeId}
          entry={toDelete}
          onClose={() => setToDelete(null)}
          onDeleted={reload}
        />
      )}
    </>
  );
}

function NoFolder({ volumeId }: { volumeId: string }) {
  return (
    <Empty
      title="There is no such folder"
      actions={
        <Button asChild>
          <Link to="/storage/$volumeId/files/$" params={{ volumeId, _splat: "" }}>
            All files
          </Link>
        </Button>
      }
    >
      It may have been deleted or renamed. A folder that an upload created goes with its last file.
    </Empty>
  );
}

interface NoFilesProps {
  volumeId: string;
  prefix: string;
  onChoose?: () => void;
}

function NoFiles({ volumeId, prefix, onChoose }: NoFilesProps) {
  return (
    <Empty
      title={prefix === "" ? "No files yet" : "This folder is empty"}
      actions={onChoose && <Button onClick={onChoose}>Upload files</Button>}
    >
      <p>Files are at /workspace in Pods and at /runpod-volume in workers that mount the volume.</p>
      {onChoose && (
        <div className="mt-6 text-left">
          <p className="mb-1.5 text-sm">Drop files here, or use the command line:</p>
          <Code text={`freehold cp model.safetensors ${volumeId}:${prefix}`} />
        </div>
      )}
    </Empty>
  );
}
