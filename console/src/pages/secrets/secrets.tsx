// The page of secrets.

import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { curl } from "../../api/curl.ts";
import { useCanWrite } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { Copyable } from "../../components/control/copy.tsx";
import { Menu } from "../../components/control/menu.tsx";
import { NameCell } from "../../components/data/name-cell.tsx";
import { OwnedTable } from "../../components/data/owned-table.tsx";
import { timeColumn } from "../../components/data/relative-time.tsx";
import { actionsColumn, type Column } from "../../components/data/table.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { Empty } from "../../components/layout/empty.tsx";
import { Page } from "../../components/layout/page.tsx";
import { EditSecret, NewSecret } from "./secret-form.tsx";

export type Secret = Schema["Secret"];

type OpenDialog = { kind: "edit" | "delete"; secret: Secret } | { kind: "new" } | null;

export function Secrets() {
  const query = api.useQuery("get", "/v1/secrets");
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const mayWrite = useCanWrite();
  const close = () => setOpenDialog(null);
  const actions = actionsColumn<Secret>((secret) => (
    <Menu
      label={`Actions for ${secret.name}`}
      items={[
        { label: "Edit", onSelect: () => setOpenDialog({ kind: "edit", secret }) },
        {
          label: "Delete",
          danger: true,
          onSelect: () => setOpenDialog({ kind: "delete", secret }),
        },
      ]}
    />
  ));
  return (
    <Page
      title="Secrets"
      lead="Encrypted values that environment variables of Pods and workers refer to by name."
      actions={
        mayWrite && (
          <Button variant="primary" onClick={() => setOpenDialog({ kind: "new" })}>
            New secret
          </Button>
        )
      }
    >
      <OwnedTable
        query={query}
        singular="secret"
        columns={mayWrite ? [...columns, actions] : columns}
        idOf={({ id }) => id}
        textsOf={({ name, description }) => [name, description]}
        empty={<NoSecrets {...(mayWrite && { onNew: () => setOpenDialog({ kind: "new" }) })} />}
      />
      {openDialog?.kind === "new" && <NewSecret onClose={close} />}
      {openDialog?.kind === "edit" && <EditSecret secret={openDialog.secret} onClose={close} />}
      {openDialog?.kind === "delete" && <DeleteSecret secret={openDialog.secret} onClose={close} />}
    </Page>
  );
}

const columns: Column<Secret>[] = [
  {
    title: "Secret",
    sortBy: ({ name }) => name,
    width: "minmax(8rem, 1fr)",
    cell: ({ id, name }) => <NameCell name={name} id={id} />,
  },
  {
    title: "Reference",
    sortBy: ({ name }) => name,
    width: "minmax(10rem, 2fr)",
    minWidth: "md",
    cell: ({ name }) => <Copyable text={`{{ RUNPOD_SECRET_${name} }}`} />,
  },
  {
    title: "Description",
    sortBy: ({ description }) => description,
    width: "minmax(8rem, 1fr)",
    minWidth: "lg",
    cell: ({ description }) => <span className="text-muted">{description}</span>,
  },
  timeColumn("Updated", ({ updatedAt }) => updatedAt),
];

function DeleteSecret({ secret, onClose }: { secret: Secret; onClose: () => void }) {
  const write = useWrite("delete", "/v1/secrets/{secretId}", {
    success: `Secret ${secret.name} deleted`,
  });
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Delete ${secret.name}?`}
      action="Delete secret"
      onConfirm={() => write.run({ params: { path: { secretId: secret.id } } })}
    >
      <p>
        Running containers that use it continue, but cannot be started again. The value is deleted.
        This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}

function NoSecrets({ onNew }: { onNew?: () => void }) {
  return (
    <Empty
      title="No secrets yet"
      actions={onNew && <Button onClick={onNew}>New secret</Button>}
      curl={curl("POST", "/v1/secrets", { name: "hf_token", value: "hf_..." })}
    >
      Store tokens and passwords once and refer to them in environment variables.
    </Empty>
  );
}
