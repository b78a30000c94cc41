// The page of network volumes.

import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { curl } from "../../api/curl.ts";
import { useCanWrite } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { Menu } from "../../components/control/menu.tsx";
import { NameCell } from "../../components/data/name-cell.tsx";
import { OwnedTable } from "../../components/data/owned-table.tsx";
import { actionsColumn, type Column } from "../../components/data/table.tsx";
import { Meter } from "../../components/data/usage-bar.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { formatBytes } from "../../components/format/units.ts";
import { Empty } from "../../components/layout/empty.tsx";
import { Page } from "../../components/layout/page.tsx";
import { EditVolume, NewVolume } from "./volume-forms.tsx";

export type Volume = Schema["NetworkVolume"];

type OpenDialog = { kind: "edit" | "delete"; volume: Volume } | { kind: "new" } | null;

export function Volumes() {
  const query = api.useQuery("get", "/v1/networkvolumes", {
    params: { query: { includeUse: true } },
  });
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const mayWrite = useCanWrite();
  const close = () => setOpenDialog(null);
  const actions = actionsColumn<Volume>((volume) => (
    <Menu
      label={`Actions for ${volume.name}`}
      items={[
        { label: "Edit", onSelect: () => setOpenDialog({ kind: "edit", volume }) },
        {
          label: "Delete",
          danger: true,
          onSelect: () => setOpenDialog({ kind: "delete", volume }),
        },
      ]}
    />
  ));
  return (
    <Page
      title="Storage"
      lead="Network volumes persist independently of the Pods and workers that mount them."
      actions={
        mayWrite && (
          <Button variant="primary" onClick={() => setOpenDialog({ kind: "new" })}>
            New volume
          </Button>
        )
      }
    >
      <OwnedTable
        query={query}
        singular="volume"
        columns={mayWrite ? [...columns, actions] : columns}
        idOf={({ id }) => id}
        textsOf={({ id, name, dataCenterId }) => [id, name, dataCenterId]}
        empty={<NoVolumes {...(mayWrite && { onNew: () => setOpenDialog({ kind: "new" }) })} />}
      />
      {openDialog?.kind === "new" && <NewVolume onClose={close} />}
      {openDialog?.kind === "edit" && <EditVolume volume={openDialog.volume} onClose={close} />}
      {openDialog?.kind === "delete" && <DeleteVolume volume={openDialog.volume} onClose={close} />}
    </Page>
  );
}

const columns: Column<Volume>[] = [
  {
    title: "Volume",
    sortBy: ({ name }) => name,
    width: "minmax(8rem, 2fr)",
    cell: ({ id, name }) => (
      <NameCell
        id={id}
        name={
          <Link
            to="/storage/$volumeId/files/$"
            params={{ volumeId: id, _splat: "" }}
            className="hover:underline"
          >
            {name}
          </Link>
        }
      />
    ),
  },
  {
    title: "Used",
    sortBy: ({ size, use }) => use?.usedBytes ?? size * 1e9,
    width: "10rem",
    cell: (volume) => <VolumeUsage volume={volume} />,
  },
  {
    title: "Data center",
    sortBy: ({ dataCenterId }) => dataCenterId,
    width: "7rem",
    minWidth: "sm",
    cell: ({ dataCenterId }) => dataCenterId,
  },
  {
    title: "Mounted by",
    sortBy: ({ use }) => (use?.pods?.length ?? 0) + (use?.endpoints?.length ?? 0),
    width: "minmax(8rem, 2fr)",
    minWidth: "md",
    cell: ({ use }) => <VolumeUsers use={use} />,
  },
];

/** The Pods and endpoints that refer to the volume, running or not. */
function VolumeUsers({ use }: { use: Volume["use"] }) {
  const { pods = [], endpoints = [] } = use ?? {};
  if (pods.length + endpoints.length === 0) return <span className="text-muted">Not mounted</span>;
  return (
    <span className="flex gap-3">
      {pods.map(({ id, name }) => (
        <Link
          key={id}
          to="/pods/$podId/{-$tab}"
          params={{ podId: id, tab: undefined }}
          className="truncate hover:underline"
        >
          {name || id}
        </Link>
      ))}
      {endpoints.map(({ id, name }) => (
        <Link
          key={id}
          to="/serverless/$endpointId"
          params={{ endpointId: id }}
          className="truncate hover:underline"
        >
          {name || id}
        </Link>
      ))}
    </span>
  );
}

/** The size, with a bar if the usage is measured. */
function VolumeUsage({ volume: { size, use } }: { volume: Volume }) {
  const used = use?.usedBytes ?? null;
  if (used === null) return <span>{size} GB</span>;
  const share = used / (size * 1e9);
  return (
    <span className="block">
      <span className="block truncate">
        {formatBytes(used)} of {size} GB
      </span>
      <Meter label={`In ${size} GB`} share={share} />
    </span>
  );
}

function DeleteVolume({ volume, onClose }: { volume: Volume; onClose: () => void }) {
  const write = useWrite("delete", "/v1/networkvolumes/{networkVolumeId}", {
    success: `Volume ${volume.name} deleted`,
  });
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Delete ${volume.name}?`}
      action="Delete volume"
      confirmText={volume.name}
      onConfirm={() => write.run({ params: { path: { networkVolumeId: volume.id } } })}
    >
      <p>All data on this {volume.size} GB volume is deleted. This cannot be undone.</p>
    </ConfirmDialog>
  );
}

function NoVolumes({ onNew }: { onNew?: () => void }) {
  return (
    <Empty
      title="No network volumes yet"
      actions={onNew && <Button onClick={onNew}>New volume</Button>}
      curl={curl("POST", "/v1/networkvolumes", {
        name: "models",
        size: 50,
        dataCenterId: "EU-RO-1",
      })}
    >
      Store models and data on a volume and mount it in your Pods and workers.
    </Empty>
  );
}
