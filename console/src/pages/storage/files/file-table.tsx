// The table of a folder's entries.

import { Link } from "@tanstack/react-router";
import { File, Folder } from "lucide-react";
import { fileAddress } from "../../../api/volume-files.ts";
import { Menu } from "../../../components/control/menu.tsx";
import { RelativeTime } from "../../../components/data/relative-time.tsx";
import { actionsColumn, type Column, Table } from "../../../components/data/table.tsx";
import { formatBytes } from "../../../components/format/units.ts";
import type { Entry } from "./entry.ts";

interface Props {
  volumeId: string;
  entries: Entry[];
  mayWrite: boolean;
  onPreview: (entry: Entry) => void;
  onDelete: (entry: Entry) => void;
  onEndReached: () => void;
}

export function FileTable({ entries, onEndReached, ...props }: Props) {
  return (
    <Table
      label="files"
      columns={columnsFor(props)}
      rows={entries}
      idOf={({ key }) => key}
      rowHeight={44}
      onEndReached={onEndReached}
    />
  );
}

type Actions = Omit<Props, "entries" | "onEndReached">;

function columnsFor({ volumeId, mayWrite, onPreview, onDelete }: Actions): Column<Entry>[] {
  return [
    {
      title: "Name",
      width: "minmax(8rem, 1fr)",
      cell: (entry) => <EntryName volumeId={volumeId} entry={entry} onPreview={onPreview} />,
    },
    {
      title: "Size",
      width: "6rem",
      alignRight: true,
      cell: ({ file }) => (file ? formatBytes(file.size) : <span className="text-muted">–</span>),
    },
    {
      title: "Modified",
      width: "7rem",
      alignRight: true,
      minWidth: "sm",
      cell: ({ file }) =>
        file ? <RelativeTime at={file.modifiedAt} /> : <span className="text-muted">–</span>,
    },
    actionsColumn((entry) => (
      <Menu
        label={`Actions for ${entry.name}`}
        items={[
          entry.file && { label: "Preview", onSelect: () => onPreview(entry) },
          entry.file && { label: "Download", onSelect: () => download(volumeId, entry) },
          mayWrite && { label: "Delete", danger: true, onSelect: () => onDelete(entry) },
        ]}
      />
    )),
  ];
}

interface NameProps extends Pick<Props, "volumeId" | "onPreview"> {
  entry: Entry;
}

function EntryName({ volumeId, entry, onPreview }: NameProps) {
  const { key, name, file } = entry;
  if (file) {
    return (
      <button
        type="button"
        onClick={() => onPreview(entry)}
        className="flex max-w-full cursor-pointer items-center gap-2.5 -outline-offset-2 hover:underline"
      >
        <File aria-hidden className="size-4 shrink-0 text-muted" />
        <span className="truncate">{name}</span>
      </button>
    );
  }
  return (
    <Link
      to="/storage/$volumeId/files/$"
      params={{ volumeId, _splat: key.replace(/\/$/, "") }}
      className="flex max-w-full items-center gap-2.5 font-medium -outline-offset-2 hover:underline"
    >
      <Folder aria-hidden className="size-4 shrink-0 text-accent" />
      <span className="truncate">{name}</span>
    </Link>
  );
}

/** The browser saves it, as it does any other download. */
function download(volumeId: string, { key, name }: Entry): void {
  const link = document.createElement("a");
  link.href = fileAddress(volumeId, key);
  link.download = name;
  link.click();
}
