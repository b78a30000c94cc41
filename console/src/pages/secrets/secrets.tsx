// Secrets: values that variables of Pods and templates refer to by name.

import { useState } from "react";
import { api, type Schema, service } from "../../api/client.ts";
import { curl } from "../../api/curl.ts";
import { useMayWrite } from "../../api/self.ts";
import { Ago } from "../../parts/ago.tsx";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Copyable } from "../../parts/copy.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Listing } from "../../parts/listing.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Page } from "../../parts/page.tsx";
import type { Column } from "../../parts/table.tsx";
import { say } from "../../parts/toast.tsx";
import { SecretForm } from "./secret-form.tsx";

export type Secret = Schema["Secret"];

type Asked = { what: "change" | "delete"; secret: Secret } | { what: "new" } | null;

export function Secrets() {
  const query = api.useQuery("get", "/v1/secrets");
  const [asked, setAsked] = useState<Asked>(null);
  const mayWrite = useMayWrite();
  const close = () => setAsked(null);
  const actions: Column<Secret> = {
    title: "",
    width: "2rem",
    right: true,
    cell: (secret) => (
      <Menu
        label={`Actions for ${secret.name}`}
        items={[
          { label: "Give another value", onSelect: () => setAsked({ what: "change", secret }) },
          { label: "Delete", danger: true, onSelect: () => setAsked({ what: "delete", secret }) },
        ]}
      />
    ),
  };
  return (
    <Page
      title="Secrets"
      lead="Encrypted, shown to nobody, and put in place when a container starts."
      actions={
        mayWrite && (
          <Button look="primary" onClick={() => setAsked({ what: "new" })}>
            New secret
          </Button>
        )
      }
    >
      <Listing
        query={query}
        one="secret"
        columns={mayWrite ? [...columns, actions] : columns}
        idOf={({ id }) => id}
        textsOf={({ name, description }) => [name, description]}
        empty={<NoSecrets {...(mayWrite && { onNew: () => setAsked({ what: "new" }) })} />}
      />
      {asked?.what === "new" && <SecretForm secret={null} onClose={close} />}
      {asked?.what === "change" && <SecretForm secret={asked.secret} onClose={close} />}
      {asked?.what === "delete" && <DeleteSecret secret={asked.secret} onClose={close} />}
    </Page>
  );
}

const columns: Column<Secret>[] = [
  {
    title: "Secret",
    width: "minmax(8rem, 1fr)",
    cell: ({ name }) => <span className="font-medium">{name}</span>,
  },
  {
    title: "In a variable",
    width: "minmax(10rem, 2fr)",
    from: "md",
    cell: ({ name }) => <Copyable text={`{{ RUNPOD_SECRET_${name} }}`} />,
  },
  {
    title: "Note",
    width: "minmax(8rem, 1fr)",
    from: "lg",
    cell: ({ description }) => <span className="text-muted">{description}</span>,
  },
  {
    title: "Changed",
    width: "6.5rem",
    right: true,
    cell: ({ updatedAt }) => <Ago at={updatedAt} />,
  },
];

function DeleteSecret({ secret, onClose }: { secret: Secret; onClose: () => void }) {
  const remove = async () => {
    const path = { secretId: secret.id };
    const { error } = await service.DELETE("/v1/secrets/{secretId}", { params: { path } });
    if (error) throw error;
    say(`Secret ${secret.name} is deleted`);
  };
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Delete ${secret.name}?`}
      action="Delete secret"
      onConfirm={remove}
    >
      <p>
        What refers to it runs on, and cannot be started again. The value is lost: this cannot be
        undone.
      </p>
    </Confirm>
  );
}

function NoSecrets({ onNew }: { onNew?: () => void }) {
  return (
    <Empty
      title="No secrets yet"
      actions={onNew && <Button onClick={onNew}>New secret</Button>}
      curl={curl("POST", "/v1/secrets", { name: "hf_token", value: "hf_..." })}
    >
      Tokens and passwords that Pods and workers need. A variable names one, and nobody reads it.
    </Empty>
  );
}
