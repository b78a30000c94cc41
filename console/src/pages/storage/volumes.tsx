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
import { bytes } from "../../parts/units.ts";
import { Bar } from "../../parts/use.tsx";
import { ChangeVolume, NewVolume } from "./volume-forms.tsx";

export type Volume = Schema["NetworkVolume"];

type Asked = { what: "change" | "delete"; volume: Volume } | { what: "new" } | null;

export function Volumes() {
  const query = api.useQuery("get", "/v1/networkvolumes", {
    params: { query: { includeUse: true } },
  });
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
  { title: "Used", width: "10rem", cell: (volume) => <Filled volume={volume} /> },
  { title: "Where", width: "7rem", from: "sm", cell: ({ dataCenterId }) => dataCenterId },
  {
    title: "Mounted by",
    width: "minmax(8rem, 2fr)",
    from: "md",
    cell: ({ use }) => <Users use={use} />,
  },
];

/** Pods and endpoints that name it, running or not. */
function Users({ use }: { use: Volume["use"] }) {
  const { pods = [], endpoints = [] } = use ?? {};
  if (pods.length + endpoints.length === 0) return <span className="text-muted">Nothing</span>;
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

/** Of its size; a bar where it was measured. */
function Filled({ volume: { size, use } }: { volume: Volume }) {
  const used = use?.usedBytes ?? null;
  if (used === null) return <span>{size} GB</span>;
  const share = used / (size * 1e9);
  return (
    <span className="block">
      <span className="block truncate">
        {bytes(used)} of {size} GB
      </span>
      <Bar label={`In ${size} GB`} share={share} />
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
