// The page of templates.

import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { curl } from "../../api/curl.ts";
import { useCanWrite } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { Menu } from "../../components/control/menu.tsx";
import { NameCell } from "../../components/data/name-cell.tsx";
import { SearchableTable } from "../../components/data/searchable-table.tsx";
import { type Column, Table } from "../../components/data/table.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { Empty } from "../../components/layout/empty.tsx";
import { Page } from "../../components/layout/page.tsx";
import { EditTemplate, NewTemplate } from "./template-form.tsx";

export type Template = Schema["Template"];

type OpenDialog = { kind: "edit" | "delete"; template: Template } | { kind: "new" } | null;

export function Templates() {
  const query = api.useQuery("get", "/v1/templates", {
    params: { query: { includeEndpointBoundTemplates: true } },
  });
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const mayWrite = useCanWrite();
  const close = () => setOpenDialog(null);
  const actions: Column<Template> = {
    title: "",
    width: "2rem",
    alignRight: true,
    cell: (template) => (
      <Menu
        label={`Actions for ${template.name}`}
        items={[
          { label: "Edit", onSelect: () => setOpenDialog({ kind: "edit", template }) },
          {
            label: "Delete",
            danger: true,
            onSelect: () => setOpenDialog({ kind: "delete", template }),
          },
        ]}
      />
    ),
  };
  return (
    <Page
      title="Templates"
      lead="Reusable container settings for Pods and endpoints."
      actions={
        mayWrite && (
          <Button variant="primary" onClick={() => setOpenDialog({ kind: "new" })}>
            New template
          </Button>
        )
      }
    >
      <SearchableTable
        query={query}
        singular="template"
        columns={mayWrite ? [...columns, actions] : columns}
        idOf={({ id }) => id}
        textsOf={({ id, name, imageName }) => [id, name, imageName]}
        empty={<NoTemplates {...(mayWrite && { onNew: () => setOpenDialog({ kind: "new" }) })} />}
      />
      <OfficialTemplates />
      {openDialog?.kind === "new" && <NewTemplate onClose={close} />}
      {openDialog?.kind === "edit" && (
        <EditTemplate template={openDialog.template} onClose={close} />
      )}
      {openDialog?.kind === "delete" && (
        <DeleteTemplate template={openDialog.template} onClose={close} />
      )}
    </Page>
  );
}

/** Every account can use them, and none can change them. */
function OfficialTemplates() {
  const { data = [] } = api.useQuery("get", "/v1/templates", {
    params: { query: { includeRunpodTemplates: true } },
  });
  const official = data.filter(({ isRunpod }) => isRunpod);
  if (official.length === 0) return null;
  return (
    <section className="mt-8">
      <h2 className="mb-3 text-lg font-medium">Official templates</h2>
      <Table label="Official templates" columns={columns} rows={official} idOf={({ id }) => id} />
    </section>
  );
}

const columns: Column<Template>[] = [
  {
    title: "Template",
    width: "minmax(8rem, 1.5fr)",
    cell: ({ id, name }) => <NameCell name={name} id={id} />,
  },
  {
    title: "Image",
    width: "minmax(8rem, 2fr)",
    minWidth: "sm",
    cell: ({ imageName }) => <code>{imageName}</code>,
  },
  {
    title: "Type",
    width: "6rem",
    minWidth: "md",
    cell: ({ isServerless }) => (isServerless ? "Serverless" : "Pod"),
  },
  {
    title: "Disk",
    width: "4.5rem",
    alignRight: true,
    minWidth: "lg",
    cell: ({ containerDiskInGb }) => `${containerDiskInGb} GB`,
  },
  {
    title: "Volume",
    width: "4.5rem",
    alignRight: true,
    minWidth: "lg",
    cell: ({ volumeInGb }) => `${volumeInGb} GB`,
  },
];

function DeleteTemplate({ template, onClose }: { template: Template; onClose: () => void }) {
  const write = useWrite("delete", "/v1/templates/{templateId}", {
    success: `Template ${template.name} deleted`,
  });
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Delete ${template.name}?`}
      action="Delete template"
      onConfirm={() => write.run({ params: { path: { templateId: template.id } } })}
    >
      <p>A template in use cannot be deleted. This cannot be undone.</p>
    </ConfirmDialog>
  );
}

function NoTemplates({ onNew }: { onNew?: () => void }) {
  return (
    <Empty
      title="No templates yet"
      actions={onNew && <Button onClick={onNew}>New template</Button>}
      curl={curl("POST", "/v1/templates", {
        name: "painter",
        imageName: "ghcr.io/acme/painter:1.0",
        isServerless: true,
      })}
    >
      Save an image and its settings once and reuse them for Pods and endpoints.
    </Empty>
  );
}
