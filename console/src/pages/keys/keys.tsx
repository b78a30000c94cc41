// The page of API keys.

import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { useCanWriteOwn, useSession } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { Menu } from "../../components/control/menu.tsx";
import { NameCell } from "../../components/data/name-cell.tsx";
import { withOwners } from "../../components/data/owner-filter.tsx";
import { timeColumn } from "../../components/data/relative-time.tsx";
import { SearchableTable } from "../../components/data/searchable-table.tsx";
import { Status } from "../../components/data/status.tsx";
import { actionsColumn, type Column } from "../../components/data/table.tsx";
import { SecretDialog } from "../../components/feedback/secret-dialog.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { labelTexts } from "../../components/format/labels.ts";
import { Page } from "../../components/layout/page.tsx";
import { EditKey } from "./edit-key.tsx";
import { KeyForm } from "./key-form.tsx";
import { KeyTabs } from "./key-tabs.tsx";

type Key = Schema["Key"];

export function Keys() {
  const query = api.useQuery("get", "/v1/keys");
  const self = useSession();
  const mayWrite = useCanWriteOwn();
  const [isCreating, setCreating] = useState(false);
  const [newKey, setNewKey] = useState<string | null>(null);
  const update = useWrite("patch", "/v1/keys/{keyId}", {
    success: ({ name, disabled }) => `Key ${name} ${disabled ? "disabled" : "enabled"}`,
    toastError: true,
  });
  const setDisabled = ({ id }: Key, disabled: boolean) =>
    update.start({ params: { path: { keyId: id } }, body: { disabled } });
  const [keyToRevoke, setKeyToRevoke] = useState<Key | null>(null);
  const [keyToEdit, setKeyToEdit] = useState<Key | null>(null);
  const actions = actionsColumn<Key>((key) => (
    <Menu
      label={`Actions for ${key.name}`}
      items={[
        {
          label: key.disabled ? "Enable" : "Disable",
          disabled: key.id === self.key.id,
          onSelect: () => setDisabled(key, !key.disabled),
        },
        { label: "Edit", onSelect: () => setKeyToEdit(key) },
        { label: "Revoke", danger: true, onSelect: () => setKeyToRevoke(key) },
      ]}
    />
  ));
  return (
    <Page
      title="API keys"
      lead="Use API keys to authenticate programs and to sign in to this console."
      actions={
        mayWrite && (
          <Button variant="primary" onClick={() => setCreating(true)}>
            New key
          </Button>
        )
      }
    >
      <KeyTabs />
      <SearchableTable
        query={query}
        singular="key"
        columns={withOwners(mayWrite ? [...columns, actions] : columns, query.data ?? [], 1)}
        idOf={({ id }) => id}
        textsOf={(key) => [key.id, key.name, key.hint, ...labelTexts(key)]}
        empty={<p className="text-muted">No API keys yet</p>}
      />
      {isCreating && <KeyForm onClose={() => setCreating(false)} onCreated={setNewKey} />}
      <SecretDialog
        title="New API key"
        lead="Copy this key now: it is not shown again."
        text={newKey}
        onClose={() => setNewKey(null)}
      />
      {keyToEdit && <EditKey apiKey={keyToEdit} onClose={() => setKeyToEdit(null)} />}
      {keyToRevoke && (
        <Revoke
          apiKey={keyToRevoke}
          isOwn={keyToRevoke.id === self.key.id}
          onClose={() => setKeyToRevoke(null)}
        />
      )}
    </Page>
  );
}

const columns: Column<Key>[] = [
  {
    title: "Key",
    sortBy: ({ name }) => name,
    width: "minmax(8rem, 2fr)",
    cell: ({ id, name }) => <NameCell name={name} id={id} />,
  },
  {
    title: "Ends in",
    sortBy: ({ hint }) => hint,
    width: "5rem",
    minWidth: "lg",
    cell: ({ hint }) => <code className="text-muted">…{hint}</code>,
  },
  {
    title: "Status",
    sortBy: ({ disabled }) => disabled,
    width: "6.5rem",
    cell: ({ disabled }) =>
      disabled ? <Status tone="warn">Disabled</Status> : <Status tone="good">Active</Status>,
  },
  {
    title: "Permissions",
    sortBy: ({ permissions }) => describePermissions(permissions),
    width: "minmax(10rem, 2fr)",
    minWidth: "md",
    cell: ({ permissions }) => (
      <span className="text-muted">{describePermissions(permissions)}</span>
    ),
  },
  timeColumn("Last used", ({ lastUsedAt }) => lastUsedAt, "sm"),
  timeColumn("Created", ({ createdAt }) => createdAt, "lg"),
];

function describePermissions({ rest, graphql, queue, endpoints }: Key["permissions"]): string {
  if (rest === "write" && graphql === "write" && queue === "write" && !endpoints)
    return "Full access";
  const queues = endpoints ? `queues of ${endpoints.join(", ") || "no endpoints"}` : "queues";
  return `REST ${rest}, GraphQL ${graphql}, ${queues} ${queue}`;
}

interface RevokeProps {
  apiKey: Key;
  /** Whether the session was created with this key. */
  isOwn: boolean;
  onClose: () => void;
}

function Revoke({ apiKey, isOwn, onClose }: RevokeProps) {
  const write = useWrite("delete", "/v1/keys/{keyId}", {
    success: `Key ${apiKey.name} revoked`,
  });
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Revoke ${apiKey.name}?`}
      action="Revoke key"
      onConfirm={() => write.run({ params: { path: { keyId: apiKey.id } } })}
    >
      <p>
        Requests with this key are rejected immediately, and browsers that signed in with it are
        signed out. This cannot be undone.
      </p>
      {isOwn && <p className="text-bad">You are signed in with this key.</p>}
    </ConfirmDialog>
  );
}
