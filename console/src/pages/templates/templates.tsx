// The gallery of templates.

import { type ReactNode, useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { curl } from "../../api/curl.ts";
import { useCanWrite } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { Menu } from "../../components/control/menu.tsx";
import { matchesSearch, SearchInput } from "../../components/control/search-input.tsx";
import { useOwnerFilter } from "../../components/data/owner-filter.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { labelTexts } from "../../components/format/labels.ts";
import { formatQuantity } from "../../components/format/units.ts";
import { Empty } from "../../components/layout/empty.tsx";
import { Page } from "../../components/layout/page.tsx";
import { SkeletonRows } from "../../components/layout/skeleton.tsx";
import { useSearchText } from "../../use-search-param.ts";
import { DeployModel } from "./deploy-model.tsx";
import { TemplateCard } from "./template-card.tsx";
import { EditTemplate, NewTemplate } from "./template-form.tsx";

export type Template = Schema["Template"];

type OpenDialog =
  | { kind: "edit" | "delete" | "deploy"; template: Template }
  | { kind: "new" }
  | null;

export function Templates() {
  const query = api.useQuery("get", "/v1/templates", {
    params: { query: { includeEndpointBoundTemplates: true, includeRunpodTemplates: true } },
  });
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const mayWrite = useCanWrite();
  const close = () => setOpenDialog(null);
  const openNew = () => setOpenDialog({ kind: "new" });
  return (
    <Page
      title="Templates"
      lead="Images with their settings, for Pods and endpoints."
      actions={
        mayWrite && (
          <Button variant="primary" onClick={openNew}>
            New template
          </Button>
        )
      }
    >
      <QueryResult query={query} skeleton={<SkeletonRows rows={6} />}>
        {(templates) => (
          <Gallery
            templates={templates}
            onOpen={(kind, template) => setOpenDialog({ kind, template })}
            {...(mayWrite && { onNew: openNew })}
          />
        )}
      </QueryResult>
      {openDialog?.kind === "new" && <NewTemplate onClose={close} />}
      {openDialog?.kind === "edit" && (
        <EditTemplate template={openDialog.template} onClose={close} />
      )}
      {openDialog?.kind === "delete" && (
        <DeleteTemplate template={openDialog.template} onClose={close} />
      )}
      {openDialog?.kind === "deploy" && (
        <DeployModel template={openDialog.template} onClose={close} />
      )}
    </Page>
  );
}

interface GalleryProps {
  templates: Template[];
  onOpen: (kind: "edit" | "delete" | "deploy", template: Template) => void;
  /** Absent for a key that may not create one. */
  onNew?: () => void;
}

const textsOf = (template: Template) => [
  template.id,
  template.name,
  template.imageName,
  template.readme,
  ...labelTexts(template),
];

/** Official templates come first: every account can use them, and none can change them. */
function Gallery({ templates, onOpen, onNew }: GalleryProps) {
  const [search, setSearch] = useSearchText();
  const owner = useOwnerFilter();
  const matches = templates.filter(
    (template) =>
      matchesSearch(search, ...textsOf(template)) && (template.isRunpod || owner.matches(template)),
  );
  const own = matches.filter(({ isRunpod }) => !isRunpod);
  const official = matches.filter(({ isRunpod }) => isRunpod);
  const hasOwn = templates.some(({ isRunpod }) => !isRunpod);
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <div className="flex flex-wrap items-center gap-3">
          <SearchInput label="Search templates" value={search} onChange={setSearch} />
          {owner.control}
        </div>
        <p role="status" className="text-sm text-muted">
          {formatQuantity(matches.length, "template")}
        </p>
      </div>
      <Section title="Official templates">
        {official.map((template) => (
          <TemplateCard
            key={template.id}
            template={template}
            onDeployModel={() => onOpen("deploy", template)}
          />
        ))}
      </Section>
      <Section title="Your templates">
        {own.map((template) => (
          <TemplateCard
            key={template.id}
            template={template}
            onDeployModel={() => onOpen("deploy", template)}
            menu={
              onNew && (
                <Menu
                  label={`Actions for ${template.name}`}
                  items={[
                    { label: "Edit", onSelect: () => onOpen("edit", template) },
                    { label: "Delete", danger: true, onSelect: () => onOpen("delete", template) },
                  ]}
                />
              )
            }
          />
        ))}
      </Section>
      {matches.length === 0 && hasOwn && (
        <p className="py-8 text-center text-muted">No templates match this search.</p>
      )}
      {!hasOwn && <NoTemplates {...(onNew && { onNew })} />}
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <section className="mb-8">
      <h2 className="mb-3 text-lg font-medium">{title}</h2>
      <ul aria-label={title} className="grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {children}
      </ul>
    </section>
  );
}

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
      title="No templates of your own yet"
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
