// Network volumes: what each holds, and what mounts it.

import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Schema, service } from "../../api/client.ts";
import { curl } from "../../api/curl.ts";
import { useMayWrite } from "../../api/self.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Listing } from "../../parts/listing.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Page } from "../../parts/page.tsx";
import type { Column } from "../../parts/table.tsx";
import { say } from "../../parts/toast.tsx";
import { ChangeVolume, NewVolume } from "./volume-forms.tsx";

export type Volume = Schema["NetworkVolume"];

type Asked = { what: "change" | "delete"; volume: Volume } | { what: "new" } | null;

export function Volumes() {
  const query = api.useQuery("get", "/v1/networkvolumes");
  const [asked, setAsked] = useState<Asked>(null);
  const mayWrite = useMayWrite();
  const close = () => setAsked(null);
  const actions: Column<Volume> = {
    title: "",
    width: "2rem",
    right: true,
    cell: (volume) => (
      <Menu
        label={`Actions for ${volume.name}`}
        items={[
          { label: "Rename or grow", onSelect: () => setAsked({ what: "change", volume }) },
          { label: "Delete", danger: true, onSelect: () => setAsked({ what: "delete", volume }) },
        ]}
      />
    ),
  };
  return (
    <Page
      title="Storage"
      lead="Network volumes outlive the Pods and workers that mount them."
      actions={
        mayWrite && (
          <Button look="primary" onClick={() => setAsked({ what: "new" })}>
            New volume
          </Button>
        )
      }
    >
      <Listing
        query={query}
        one="volume"
        columns={mayWrite ? [...columns, actions] : columns}
        idOf={({ id }) => id}
        textsOf={({ id, name, dataCenterId }) => [id, name, dataCenterId]}
        empty={<NoVolumes {...(mayWrite && { onNew: () => setAsked({ what: "new" }) })} />}
      />
      <NewVolume open={asked?.what === "new"} onClose={close} />
      {asked?.what === "change" && <ChangeVolume volume={asked.volume} onClose={close} />}
      {asked?.what === "delete" && <DeleteVolume volume={asked.volume} onClose={close} />}
    </Page>
  );
}

const columns: Column<Volume>[] = [
  {
    title: "Volume",
    width: "minmax(8rem, 2fr)",
    cell: ({ id, name }) => (
      <>
        <div className="truncate font-medium">{name}</div>
        <code className="text-xs text-muted">{id}</code>
      </>
    ),
  },
  { title: "Size", width: "5rem", right: true, cell: ({ size }) => `${size} GB` },
  { title: "Where", width: "7rem", from: "sm", cell: ({ dataCenterId }) => dataCenterId },
  {
    title: "Mounted by",
    width: "minmax(8rem, 2fr)",
    from: "md",
    cell: ({ id }) => <Users volumeId={id} />,
  },
];

/** Pods and endpoints that name it, running or not. */
function Users({ volumeId }: { volumeId: string }) {
  const { data: pods = [] } = api.useQuery("get", "/v1/pods");
  const { data: endpoints = [] } = api.useQuery("get", "/v1/endpoints");
  const mounting = pods.filter(({ networkVolumeId }) => networkVolumeId === volumeId);
  const using = endpoints.filter(({ networkVolumeIds }) => networkVolumeIds.includes(volumeId));
  if (mounting.length + using.length === 0) return <span className="text-muted">Nothing</span>;
  return (
    <span className="flex gap-3">
      {mounting.map(({ id, name }) => (
        <span key={id}>{name}</span>
      ))}
      {using.map(({ id, name }) => (
        <Link
          key={id}
          to="/serverless/$endpointId"
          params={{ endpointId: id }}
          className="hover:underline"
        >
          {name || id}
        </Link>
      ))}
    </span>
  );
}

function DeleteVolume({ volume, onClose }: { volume: Volume; onClose: () => void }) {
  const remove = async () => {
    const path = { networkVolumeId: volume.id };
    const { error } = await service.DELETE("/v1/networkvolumes/{networkVolumeId}", {
      params: { path },
    });
    if (error) throw error;
    say(`Volume ${volume.name} is deleted`);
  };
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Delete ${volume.name}?`}
      action="Delete volume"
      typed={volume.name}
      onConfirm={remove}
    >
      <p>All that is in its {volume.size} GB is lost, and nobody can bring it back.</p>
    </Confirm>
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
      Keep models and data on one, and mount it in every Pod and worker that needs them.
    </Empty>
  );
}
