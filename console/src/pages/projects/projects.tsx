// The page of projects: members that share limits, and what they hold together.

import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { curl } from "../../api/curl.ts";
import { useCanView, useCanWrite, useSession } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { Menu } from "../../components/control/menu.tsx";
import { NameCell } from "../../components/data/name-cell.tsx";
import { SearchableTable } from "../../components/data/searchable-table.tsx";
import { Status } from "../../components/data/status.tsx";
import { actionsColumn, type Column } from "../../components/data/table.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { Empty } from "../../components/layout/empty.tsx";
import { Page } from "../../components/layout/page.tsx";
import { amountColumns } from "../quotas/amounts.tsx";
import { QuotaForm } from "../quotas/quota-form.tsx";
import { GuaranteeForm } from "./guarantee-form.tsx";
import { EditProject, NewProject } from "./project-form.tsx";

export type Project = Schema["Project"];

type OpenDialog =
  | { kind: "edit" | "limits" | "guarantees" | "delete"; project: Project }
  | { kind: "new" }
  | null;

export function Projects() {
  const query = api.useQuery("get", "/v1/projects");
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const canWrite = useCanWrite();
  const { operator } = useSession();
  const mayWrite = useCanView("account") && canWrite;
  const close = () => setOpenDialog(null);
  const openNew = () => setOpenDialog({ kind: "new" });
  const actions = projectActions(setOpenDialog, operator);
  return (
    <Page
      title="Projects"
      lead="Members that share limits. Everything that belongs to a member counts for the member's project."
      actions={
        mayWrite && (
          <Button variant="primary" onClick={openNew}>
            New project
          </Button>
        )
      }
    >
      <SearchableTable
        query={query}
        singular="project"
        columns={mayWrite ? [...columns, actions] : columns}
        idOf={({ id }) => id}
        textsOf={({ name, members }) => [name, ...members.map((member) => member.name)]}
        empty={
          <Empty
            title="No projects yet"
            actions={mayWrite && <Button onClick={openNew}>New project</Button>}
            curl={curl("POST", "/v1/projects", { name: "vision", limits: { gpus: 8 } })}
          >
            Group members, and limit what they hold together.
          </Empty>
        }
      />
      {openDialog?.kind === "new" && <NewProject onClose={close} />}
      {openDialog?.kind === "edit" && <EditProject project={openDialog.project} onClose={close} />}
      {openDialog?.kind === "limits" && (
        <ProjectLimits project={openDialog.project} onClose={close} />
      )}
      {openDialog?.kind === "guarantees" && (
        <GuaranteeForm project={openDialog.project} onClose={close} />
      )}
      {openDialog?.kind === "delete" && (
        <DeleteProject project={openDialog.project} onClose={close} />
      )}
    </Page>
  );
}

function projectActions(open: (dialog: OpenDialog) => void, operator: boolean): Column<Project> {
  return actionsColumn((project) => {
    const guarantees = {
      label: "Guarantees",
      onSelect: () => open({ kind: "guarantees", project }),
    };
    return (
      <Menu
        label={`Actions for ${project.name}`}
        items={[
          { label: "Edit", onSelect: () => open({ kind: "edit", project }) },
          { label: "Limits", onSelect: () => open({ kind: "limits", project }) },
          ...(operator ? [guarantees] : []),
          { label: "Delete", danger: true, onSelect: () => open({ kind: "delete", project }) },
        ]}
      />
    );
  });
}

const columns: Column<Project>[] = [
  {
    title: "Project",
    sortBy: ({ name }) => name,
    width: "minmax(13rem, 2fr)",
    cell: ({ id, name, over }) => (
      <span className="flex min-w-0 flex-wrap items-center gap-x-2">
        <div className="min-w-0">
          <NameCell name={name} id={id} />
        </div>
        {over.length > 0 && <Status tone="warn">Over</Status>}
      </span>
    ),
  },
  {
    title: "Members",
    width: "minmax(6rem, 1.5fr)",
    minWidth: "sm",
    cell: ({ members }) => members.map(({ name }) => name).join(", ") || "–",
  },
  ...amountColumns,
  {
    title: "Idle stop",
    width: "minmax(5rem, 1fr)",
    minWidth: "xl",
    cell: ({ stopWhenIdle }) => (stopWhenIdle ? `${stopWhenIdle.minutes} min` : "–"),
  },
];

interface Props {
  project: Project;
  onClose: () => void;
}

function ProjectLimits({ project: { id: projectId, name, limits }, onClose }: Props) {
  const write = useWrite("patch", "/v1/projects/{projectId}", {
    success: `Limits of ${name} changed`,
  });
  const params = { path: { projectId } };
  return (
    <QuotaForm
      title={`Limits: ${name}`}
      schema="QuotaUpdate"
      limits={limits}
      ownLimits={null}
      onClose={onClose}
      onSave={(body) => write.run({ params, body: { limits: body } })}
    />
  );
}

function DeleteProject({ project: { id: projectId, name }, onClose }: Props) {
  const write = useWrite("delete", "/v1/projects/{projectId}", {
    success: `Project ${name} deleted`,
  });
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Delete ${name}?`}
      action="Delete project"
      onConfirm={() => write.run({ params: { path: { projectId } } })}
    >
      <p>Its limits and guarantees end. Its members stay, and keep what they hold.</p>
    </ConfirmDialog>
  );
}
