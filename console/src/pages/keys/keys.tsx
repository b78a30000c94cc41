// API keys and what each may do.

import { useState } from "react";
import { api, type Schema, service } from "../../api/client.ts";
import { useMayWrite, useSelf } from "../../api/self.ts";
import { Ago } from "../../parts/ago.tsx";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Listing } from "../../parts/listing.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Page } from "../../parts/page.tsx";
import { ShownOnce } from "../../parts/shown-once.tsx";
import { Status } from "../../parts/status.tsx";
import type { Column } from "../../parts/table.tsx";
import { say } from "../../parts/toast.tsx";
import { NewKey } from "./new-key.tsx";

type Key = Schema["Key"];

export function Keys() {
  const query = api.useQuery("get", "/v1/keys");
  const self = useSelf();
  const mayWrite = useMayWrite();
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const [leaving, setLeaving] = useState<Key | null>(null);
  const actions: Column<Key> = {
    title: "",
    width: "2rem",
    right: true,
    cell: (key) => (
      <Menu
        label={`Actions for ${key.name}`}
        items={[
          {
            label: key.disabled ? "Enable" : "Disable",
            disabled: key.id === self.key.id,
            onSelect: () => void setDisabled(key, !key.disabled),
          },
          { label: "Revoke", danger: true, onSelect: () => setLeaving(key) },
        ]}
      />
    ),
  };
  return (
    <Page
      title="API keys"
      lead="Each opens what it is allowed to, for programs and for signing in here."
      actions={
        mayWrite && (
          <Button look="primary" onClick={() => setMaking(true)}>
            New key
          </Button>
        )
      }
    >
      <Listing
        query={query}
        one="key"
        columns={mayWrite ? [...columns, actions] : columns}
        idOf={({ id }) => id}
        textsOf={({ id, name, hint }) => [id, name, hint]}
        empty={<p className="text-muted">There is no key.</p>}
      />
      {making && <NewKey onClose={() => setMaking(false)} onMade={setMade} />}
      <ShownOnce
        title="The new key"
        lead="It is shown this once, and kept only as its hash."
        text={made}
        onClose={() => setMade(null)}
      />
      {leaving && (
        <Revoke
          apiKey={leaving}
          own={leaving.id === self.key.id}
          onClose={() => setLeaving(null)}
        />
      )}
    </Page>
  );
}

const columns: Column<Key>[] = [
  {
    title: "Key",
    width: "minmax(8rem, 2fr)",
    cell: ({ name, hint }) => (
      <>
        <div className="truncate font-medium">{name}</div>
        <code className="text-xs text-muted">… {hint}</code>
      </>
    ),
  },
  {
    title: "State",
    width: "6.5rem",
    cell: ({ disabled }) =>
      disabled ? <Status tone="warn">Disabled</Status> : <Status tone="good">Open</Status>,
  },
  {
    title: "May",
    width: "minmax(10rem, 2fr)",
    from: "md",
    cell: ({ permissions }) => <span className="text-muted">{told(permissions)}</span>,
  },
  {
    title: "Last used",
    width: "6.5rem",
    right: true,
    from: "sm",
    cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} />,
  },
  {
    title: "Made",
    width: "6.5rem",
    right: true,
    from: "lg",
    cell: ({ createdAt }) => <Ago at={createdAt} />,
  },
];

function told({ rest, graphql, queue, endpoints }: Key["permissions"]): string {
  if (rest === "write" && graphql === "write" && queue === "write" && !endpoints)
    return "everything";
  const queues = endpoints ? `queue of ${endpoints.join(", ") || "no endpoint"}` : "queue";
  return `REST ${rest}, GraphQL ${graphql}, ${queues} ${queue}`;
}

async function setDisabled(key: Key, disabled: boolean): Promise<void> {
  const { error } = await service.PATCH("/v1/keys/{keyId}", {
    params: { path: { keyId: key.id } },
    body: { disabled },
  });
  say(error ? error.error : `Key ${key.name} is ${disabled ? "disabled" : "open again"}`);
}

interface RevokeProps {
  apiKey: Key;
  /** Whether it is the one that is signed in with. */
  own: boolean;
  onClose: () => void;
}

function Revoke({ apiKey, own, onClose }: RevokeProps) {
  const revoke = async () => {
    const path = { keyId: apiKey.id };
    const { error } = await service.DELETE("/v1/keys/{keyId}", { params: { path } });
    if (error) throw error;
    say(`Key ${apiKey.name} is revoked`);
  };
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Revoke ${apiKey.name}?`}
      action="Revoke key"
      onConfirm={revoke}
    >
      <p>
        Whatever uses it is refused from now on, and browsers that signed in with it are signed out.
        This cannot be undone.
      </p>
      {own && <p className="text-bad">It is the key that you are signed in with.</p>}
    </Confirm>
  );
}
