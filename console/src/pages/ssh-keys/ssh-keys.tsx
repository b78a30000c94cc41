// SSH keys: public keys that Pods let in.

import { useState } from "react";
import { api, type Schema, service } from "../../api/client.ts";
import { useMayWrite } from "../../api/self.ts";
import { Ago } from "../../parts/ago.tsx";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Field, TextArea, TextInput } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Listing } from "../../parts/listing.tsx";
import { Page } from "../../parts/page.tsx";
import type { Column } from "../../parts/table.tsx";
import { say } from "../../parts/toast.tsx";

type Key = Schema["SshKey"];

export function SshKeys() {
  const query = api.useQuery("get", "/v1/ssh-keys");
  const [making, setMaking] = useState(false);
  const [leaving, setLeaving] = useState<Key | null>(null);
  const mayWrite = useMayWrite();
  const actions: Column<Key> = {
    title: "",
    width: "6rem",
    right: true,
    cell: (key) => (
      <Button small look="danger" onClick={() => setLeaving(key)}>
        Delete
      </Button>
    ),
  };
  return (
    <Page
      title="SSH keys"
      lead="Public keys that Pods with port 22 let in, from their next start on."
      actions={
        mayWrite && (
          <Button look="primary" onClick={() => setMaking(true)}>
            Add key
          </Button>
        )
      }
    >
      <Listing
        query={query}
        one="key"
        columns={mayWrite ? [...columns, actions] : columns}
        idOf={({ id }) => id}
        textsOf={({ name, fingerprint }) => [name, fingerprint]}
        empty={
          <Empty
            title="No SSH keys yet"
            actions={mayWrite && <Button onClick={() => setMaking(true)}>Add key</Button>}
          >
            Paste the line of your <code>~/.ssh/id_ed25519.pub</code>; <code>ssh-keygen</code> makes
            one. Pods then let you in without a password.
          </Empty>
        }
      />
      {making && <NewKey onClose={() => setMaking(false)} />}
      {leaving && <DeleteKey sshKey={leaving} onClose={() => setLeaving(null)} />}
    </Page>
  );
}

const columns: Column<Key>[] = [
  {
    title: "Key",
    width: "minmax(8rem, 1fr)",
    cell: ({ name }) => <span className="font-medium">{name}</span>,
  },
  {
    title: "Fingerprint",
    width: "minmax(8rem, 2fr)",
    from: "sm",
    cell: ({ fingerprint }) => <code>{fingerprint}</code>,
  },
  {
    title: "Added",
    width: "6.5rem",
    right: true,
    from: "md",
    cell: ({ createdAt }) => <Ago at={createdAt} />,
  },
];

function NewKey({ onClose }: { onClose: () => void }) {
  const [publicKey, setPublicKey] = useState("");
  const [name, setName] = useState("");
  const add = async () => {
    const body = { publicKey: publicKey.trim(), ...(name && { name }) };
    const { error } = await service.POST("/v1/ssh-keys", { body });
    if (error) throw error;
    say("The key is added");
  };
  return (
    <FormDialog open onClose={onClose} title="Add an SSH key" action="Add key" onSubmit={add}>
      <Field label="Public key" hint="One line, as it stands in a .pub file.">
        {(tied) => (
          <TextArea
            {...tied}
            required
            placeholder="ssh-ed25519 AAAA... you@example.org"
            value={publicKey}
            onChange={({ target }) => setPublicKey(target.value)}
            className="font-mono text-sm"
          />
        )}
      </Field>
      <Field label="Name" hint="Without one, the key's comment.">
        {(tied) => (
          <TextInput
            {...tied}
            maxLength={191}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}

function DeleteKey({ sshKey, onClose }: { sshKey: Key; onClose: () => void }) {
  const remove = async () => {
    const path = { sshKeyId: sshKey.id };
    const { error } = await service.DELETE("/v1/ssh-keys/{sshKeyId}", { params: { path } });
    if (error) throw error;
    say(`Key ${sshKey.name} is deleted`);
  };
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Delete ${sshKey.name}?`}
      action="Delete key"
      onConfirm={remove}
    >
      <p>Pods that run keep it until they are started again. The key can be added again later.</p>
    </Confirm>
  );
}
