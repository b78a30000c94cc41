// SSH keys: public keys that Pods let in.

import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { useCanWrite } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { Menu } from "../../components/control/menu.tsx";
import { NameCell } from "../../components/data/name-cell.tsx";
import { OwnedTable } from "../../components/data/owned-table.tsx";
import { timeColumn } from "../../components/data/relative-time.tsx";
import { actionsColumn, type Column } from "../../components/data/table.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { EditLabels } from "../../components/form/edit-labels.tsx";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { TextAreaField, TextField } from "../../components/form/form-fields.tsx";
import { labelErrors, labelsBody } from "../../components/form/label-rows.ts";
import { LabelsField } from "../../components/form/labels-field.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import { labelTexts } from "../../components/format/labels.ts";
import { Empty } from "../../components/layout/empty.tsx";
import { Page } from "../../components/layout/page.tsx";
import { KeyTabs } from "../keys/key-tabs.tsx";

type Key = Schema["SshKey"];

export function SshKeys() {
  const query = api.useQuery("get", "/v1/ssh-keys");
  const [isCreating, setCreating] = useState(false);
  const [keyToLabel, setKeyToLabel] = useState<Key | null>(null);
  const [keyToDelete, setKeyToDelete] = useState<Key | null>(null);
  const mayWrite = useCanWrite();
  const actions = actionsColumn<Key>((key) => (
    <Menu
      label={`Actions for ${key.name}`}
      items={[
        { label: "Edit labels", onSelect: () => setKeyToLabel(key) },
        { label: "Delete", danger: true, onSelect: () => setKeyToDelete(key) },
      ]}
    />
  ));
  return (
    <Page
      title="SSH keys"
      lead="Public keys that open Pods over SSH. SSH servers in images get them at the Pod's next start."
      actions={
        mayWrite && (
          <Button variant="primary" onClick={() => setCreating(true)}>
            Add key
          </Button>
        )
      }
    >
      <KeyTabs />
      <OwnedTable
        query={query}
        singular="SSH key"
        columns={mayWrite ? [...columns, actions] : columns}
        idOf={({ id }) => id}
        textsOf={(key) => [key.name, key.fingerprint, ...labelTexts(key)]}
        empty={
          <Empty
            title="No SSH keys yet"
            actions={mayWrite && <Button onClick={() => setCreating(true)}>Add key</Button>}
          >
            Add the contents of <code>~/.ssh/id_ed25519.pub</code> to connect to your Pods over SSH.
            Run <code>ssh-keygen</code> to create a key.
          </Empty>
        }
      />
      {isCreating && <KeyForm onClose={() => setCreating(false)} />}
      {keyToLabel && <KeyLabels sshKey={keyToLabel} onClose={() => setKeyToLabel(null)} />}
      {keyToDelete && <DeleteKey sshKey={keyToDelete} onClose={() => setKeyToDelete(null)} />}
    </Page>
  );
}

const columns: Column<Key>[] = [
  {
    title: "Key",
    sortBy: ({ name }) => name,
    width: "minmax(8rem, 1fr)",
    cell: ({ id, name }) => <NameCell name={name} id={id} />,
  },
  {
    title: "Fingerprint",
    sortBy: ({ fingerprint }) => fingerprint,
    width: "minmax(8rem, 2fr)",
    minWidth: "sm",
    cell: ({ fingerprint }) => <code>{fingerprint}</code>,
  },
  timeColumn("Added", ({ createdAt }) => createdAt, "md"),
];

function KeyForm({ onClose }: { onClose: () => void }) {
  const write = useWrite("post", "/v1/ssh-keys", { success: "SSH key added" });
  const dialog = useSchemaForm({
    schema: "SshKeyCreate",
    defaultValues: { publicKey: "", name: "", labels: "" },
    toBody: ({ publicKey, name, labels }) => ({
      publicKey: publicKey.trim(),
      ...(name && { name }),
      ...labelsBody(labels),
    }),
    check: ({ labels }) => labelErrors(labels),
  });
  const { form } = dialog;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title="Add an SSH key"
      action="Add key"
      onSubmit={(body) => write.run({ body })}
    >
      <TextAreaField
        form={form}
        name="publicKey"
        label="Public key"
        hint="The contents of a .pub file, one line."
        placeholder="ssh-ed25519 AAAA... you@example.org"
        mono
      />
      <TextField
        form={form}
        name="name"
        label="Display name"
        hint="Optional. Defaults to the comment of the key."
      />
      <LabelsField form={form} name="labels" />
    </FormDialog>
  );
}

function KeyLabels({ sshKey, onClose }: { sshKey: Key; onClose: () => void }) {
  const write = useWrite("patch", "/v1/ssh-keys/{sshKeyId}", { success: "Labels saved" });
  const params = { path: { sshKeyId: sshKey.id } };
  return (
    <EditLabels
      schema="SshKeyUpdate"
      of={sshKey}
      onSave={(body) => write.run({ params, body })}
      onClose={onClose}
    />
  );
}

function DeleteKey({ sshKey, onClose }: { sshKey: Key; onClose: () => void }) {
  const write = useWrite("delete", "/v1/ssh-keys/{sshKeyId}", {
    success: `SSH key ${sshKey.name} deleted`,
  });
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Delete ${sshKey.name}?`}
      action="Delete key"
      onConfirm={() => write.run({ params: { path: { sshKeyId: sshKey.id } } })}
    >
      <p>Running Pods accept the key until their next start. You can add it again later.</p>
    </ConfirmDialog>
  );
}
