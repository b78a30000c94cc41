// Registry credentials: what opens the registries of private images.

import { useState } from "react";
import { api, type Schema, service } from "../../api/client.ts";
import { curl } from "../../api/curl.ts";
import { useMayWrite } from "../../api/self.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Field, TextInput } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Listing } from "../../parts/listing.tsx";
import { Page } from "../../parts/page.tsx";
import type { Column } from "../../parts/table.tsx";
import { say } from "../../parts/toast.tsx";

type Auth = Schema["ContainerRegistryAuth"];

export function Registries() {
  const query = api.useQuery("get", "/v1/containerregistryauth");
  const [making, setMaking] = useState(false);
  const [leaving, setLeaving] = useState<Auth | null>(null);
  const mayWrite = useMayWrite();
  const actions: Column<Auth> = {
    title: "",
    width: "6rem",
    right: true,
    cell: (auth) => (
      <Button small look="danger" onClick={() => setLeaving(auth)}>
        Delete
      </Button>
    ),
  };
  return (
    <Page
      title="Registry credentials"
      lead="Encrypted, shown to nobody, and used to pull private images alone."
      actions={
        mayWrite && (
          <Button look="primary" onClick={() => setMaking(true)}>
            New credentials
          </Button>
        )
      }
    >
      <Listing
        query={query}
        one="credential"
        columns={mayWrite ? [...columns, actions] : columns}
        idOf={({ id }) => id}
        textsOf={({ id, name }) => [id, name]}
        empty={<NoRegistries {...(mayWrite && { onNew: () => setMaking(true) })} />}
      />
      {making && <NewAuth onClose={() => setMaking(false)} />}
      {leaving && <DeleteAuth auth={leaving} onClose={() => setLeaving(null)} />}
    </Page>
  );
}

const columns: Column<Auth>[] = [
  {
    title: "Name",
    width: "minmax(8rem, 1fr)",
    cell: ({ name }) => <span className="font-medium">{name}</span>,
  },
  { title: "Id", width: "minmax(8rem, 1fr)", from: "sm", cell: ({ id }) => <code>{id}</code> },
];

function NewAuth({ onClose }: { onClose: () => void }) {
  const [body, setBody] = useState({ name: "", username: "", password: "" });
  const create = async () => {
    const { error } = await service.POST("/v1/containerregistryauth", { body });
    if (error) throw error;
    say(`Credentials ${body.name} are kept`);
  };
  const input = (member: keyof typeof body, label: string, hint: string) => (
    <Field label={label} hint={hint}>
      {(tied) => (
        <TextInput
          {...tied}
          required
          type={member === "password" ? "password" : "text"}
          autoComplete={member === "password" ? "new-password" : "off"}
          value={body[member]}
          onChange={({ target }) => setBody({ ...body, [member]: target.value })}
        />
      )}
    </Field>
  );
  return (
    <FormDialog
      open
      onClose={onClose}
      title="New registry credentials"
      action="Keep credentials"
      onSubmit={create}
    >
      {input("name", "Name", "For people.")}
      {input("username", "User name", "As in docker login.")}
      {input("password", "Password or token", "Never shown again.")}
    </FormDialog>
  );
}

function DeleteAuth({ auth, onClose }: { auth: Auth; onClose: () => void }) {
  const remove = async () => {
    const { error } = await service.DELETE("/v1/containerregistryauth/{containerRegistryAuthId}", {
      params: { path: { containerRegistryAuthId: auth.id } },
    });
    if (error) throw error;
    say(`Credentials ${auth.name} are deleted`);
  };
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Delete ${auth.name}?`}
      action="Delete credentials"
      onConfirm={remove}
    >
      <p>
        Templates that name them, and that no endpoint uses, name none from then on. The password is
        forgotten: this cannot be undone.
      </p>
    </Confirm>
  );
}

function NoRegistries({ onNew }: { onNew?: () => void }) {
  return (
    <Empty
      title="No registry credentials yet"
      actions={onNew && <Button onClick={onNew}>New credentials</Button>}
      curl={curl("POST", "/v1/containerregistryauth", {
        name: "ghcr",
        username: "acme",
        password: "TOKEN",
      })}
    >
      Images that everybody may pull need none. Private ones need a name and a token.
    </Empty>
  );
}
