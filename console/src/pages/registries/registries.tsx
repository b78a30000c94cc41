// The page of registry credentials.

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
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { EditLabels } from "../../components/form/edit-labels.tsx";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { TextField } from "../../components/form/form-fields.tsx";
import { labelErrors, labelsBody } from "../../components/form/label-rows.ts";
import { LabelsField } from "../../components/form/labels-field.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import { labelTexts } from "../../components/format/labels.ts";
import { Empty } from "../../components/layout/empty.tsx";
import { Page } from "../../components/layout/page.tsx";

type Auth = Schema["ContainerRegistryAuth"];

export function Registries() {
  const query = api.useQuery("get", "/v1/containerregistryauth");
  const [isCreating, setCreating] = useState(false);
  const [authToLabel, setAuthToLabel] = useState<Auth | null>(null);
  const [authToDelete, setAuthToDelete] = useState<Auth | null>(null);
  const mayWrite = useCanWrite();
  const actions = actionsColumn<Auth>((auth) => (
    <Menu
      label={`Actions for ${auth.name}`}
      items={[
        { label: "Edit labels", onSelect: () => setAuthToLabel(auth) },
        { label: "Delete", danger: true, onSelect: () => setAuthToDelete(auth) },
      ]}
    />
  ));
  return (
    <Page
      title="Registry credentials"
      lead="Credentials for pulling private images. Stored encrypted and never shown again."
      actions={
        mayWrite && (
          <Button variant="primary" onClick={() => setCreating(true)}>
            Add credentials
          </Button>
        )
      }
    >
      <OwnedTable
        query={query}
        singular="credential"
        columns={mayWrite ? [...columns, actions] : columns}
        idOf={({ id }) => id}
        textsOf={(auth) => [auth.id, auth.name, ...labelTexts(auth)]}
        empty={<NoRegistries {...(mayWrite && { onNew: () => setCreating(true) })} />}
      />
      {isCreating && <AuthForm onClose={() => setCreating(false)} />}
      {authToLabel && <AuthLabels auth={authToLabel} onClose={() => setAuthToLabel(null)} />}
      {authToDelete && <DeleteAuth auth={authToDelete} onClose={() => setAuthToDelete(null)} />}
    </Page>
  );
}

const columns: Column<Auth>[] = [
  {
    title: "Name",
    sortBy: ({ name }) => name,
    width: "minmax(8rem, 1fr)",
    cell: ({ id, name }) => <NameCell name={name} id={id} />,
  },
];

function AuthForm({ onClose }: { onClose: () => void }) {
  const write = useWrite("post", "/v1/containerregistryauth", {
    success: ({ name }) => `Credentials ${name} saved`,
  });
  const dialog = useSchemaForm({
    schema: "ContainerRegistryAuthCreateInput",
    defaultValues: { name: "", username: "", password: "", labels: "" },
    toBody: ({ labels, ...values }) => ({ ...values, ...labelsBody(labels) }),
    check: ({ labels }) => labelErrors(labels),
  });
  const { form } = dialog;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title="Add registry credentials"
      action="Save credentials"
      onSubmit={(body) => write.run({ body })}
    >
      <TextField form={form} name="name" label="Display name" />
      <TextField form={form} name="username" label="Username" hint="As for docker login." />
      <TextField
        form={form}
        name="password"
        label="Password or token"
        hint="Never shown again."
        type="password"
        autoComplete="new-password"
      />
      <LabelsField form={form} name="labels" />
    </FormDialog>
  );
}

function AuthLabels({ auth, onClose }: { auth: Auth; onClose: () => void }) {
  const path = "/v1/containerregistryauth/{containerRegistryAuthId}";
  const write = useWrite("patch", path, { success: "Labels saved" });
  const params = { path: { containerRegistryAuthId: auth.id } };
  return (
    <EditLabels
      schema="ContainerRegistryAuthUpdateInput"
      of={auth}
      onSave={(body) => write.run({ params, body })}
      onClose={onClose}
    />
  );
}

function DeleteAuth({ auth, onClose }: { auth: Auth; onClose: () => void }) {
  const write = useWrite("delete", "/v1/containerregistryauth/{containerRegistryAuthId}", {
    success: `Credentials ${auth.name} deleted`,
  });
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Delete ${auth.name}?`}
      action="Delete credentials"
      onConfirm={() => write.run({ params: { path: { containerRegistryAuthId: auth.id } } })}
    >
      <p>
        They are removed from templates that no endpoint uses. The password is deleted. This cannot
        be undone.
      </p>
    </ConfirmDialog>
  );
}

function NoRegistries({ onNew }: { onNew?: () => void }) {
  return (
    <Empty
      title="No registry credentials yet"
      actions={onNew && <Button onClick={onNew}>Add credentials</Button>}
      curl={curl("POST", "/v1/containerregistryauth", {
        name: "ghcr",
        username: "acme",
        password: "TOKEN",
      })}
    >
      Public images need no credentials. For private images, add a username and a token.
    </Empty>
  );
}
