// Templates: an image and how its container is started, kept under a name.

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
import { TemplateForm } from "./template-form.tsx";

export type Template = Schema["Template"];

type Asked = { what: "change" | "delete"; template: Template } | { what: "new" } | null;

export function Templates() {
  const query = api.useQuery("get", "/v1/templates", {
    params: { query: { includeEndpointBoundTemplates: true } },
  });
  const [asked, setAsked] = useState<Asked>(null);
  const mayWrite = useMayWrite();
  const close = () => setAsked(null);
  const actions: Column<Template> = {
    title: "",
    width: "2rem",
    right: true,
    cell: (template) => (
      <Menu
        label={`Actions for ${template.name}`}
        items={[
          { label: "Edit", onSelect: () => setAsked({ what: "change", template }) },
          { label: "Delete", danger: true, onSelect: () => setAsked({ what: "delete", template }) },
        ]}
      />
    ),
  };
  return (
    <Page
      title="Templates"
      lead="An image and how it is started, for Pods and endpoints."
      actions={
        mayWrite && (
          <Button look="primary" onClick={() => setAsked({ what: "new" })}>
            New template
          </Button>
        )
      }
    >
      <Listing
        query={query}
        one="template"
        columns={mayWrite ? [...columns, actions] : columns}
        idOf={({ id }) => id}
        textsOf={({ id, name, imageName }) => [id, name, imageName]}
        empty={<NoTemplates {...(mayWrite && { onNew: () => setAsked({ what: "new" }) })} />}
      />
      {asked?.what === "new" && <TemplateForm template={null} onClose={close} />}
      {asked?.what === "change" && <TemplateForm template={asked.template} onClose={close} />}
      {asked?.what === "delete" && <DeleteTemplate template={asked.template} onClose={close} />}
    </Page>
  );
}

const columns: Column<Template>[] = [
  {
    title: "Template",
    width: "minmax(8rem, 1.5fr)",
    cell: ({ id, name }) => (
      <>
        <div className="truncate font-medium">{name}</div>
        <code className="text-xs text-muted">{id}</code>
      </>
    ),
  },
  {
    title: "Image",
    width: "minmax(8rem, 2fr)",
    from: "sm",
    cell: ({ imageName }) => <code>{imageName}</code>,
  },
  {
    title: "For",
    width: "6rem",
    from: "md",
    cell: ({ isServerless }) => (isServerless ? "Endpoints" : "Pods"),
  },
  {
    title: "Disk",
    width: "4.5rem",
    right: true,
    from: "lg",
    cell: ({ containerDiskInGb }) => `${containerDiskInGb} GB`,
  },
  {
    title: "Volume",
    width: "4.5rem",
    right: true,
    from: "lg",
    cell: ({ volumeInGb }) => `${volumeInGb} GB`,
  },
];

function DeleteTemplate({ template, onClose }: { template: Template; onClose: () => void }) {
  const remove = async () => {
    const path = { templateId: template.id };
    const { error } = await service.DELETE("/v1/templates/{templateId}", { params: { path } });
    if (error) throw error;
    say(`Template ${template.name} is deleted`);
  };
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Delete ${template.name}?`}
      action="Delete template"
      onConfirm={remove}
    >
      <p>
        Its image, command and variables are forgotten: this cannot be undone. It is refused while
        something uses it.
      </p>
    </Confirm>
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
      Say once which image to run and how, and use it for every Pod and endpoint.
    </Empty>
  );
}
