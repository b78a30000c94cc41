// The page of S3 keys, which open network volumes to S3 clients.

import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { curl } from "../../api/curl.ts";
import { useCanWrite, useSession } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { Menu } from "../../components/control/menu.tsx";
import { VolumeNames } from "../../components/control/resource-name.tsx";
import { NameCell } from "../../components/data/name-cell.tsx";
import { OwnedTable } from "../../components/data/owned-table.tsx";
import { timeColumn } from "../../components/data/relative-time.tsx";
import { actionsColumn, type Column } from "../../components/data/table.tsx";
import { SecretDialog } from "../../components/feedback/secret-dialog.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { EditLabels } from "../../components/form/edit-labels.tsx";
import { labelTexts } from "../../components/format/labels.ts";
import { Empty } from "../../components/layout/empty.tsx";
import { Page } from "../../components/layout/page.tsx";
import { KeyTabs } from "../keys/key-tabs.tsx";
import { Buckets } from "./buckets.tsx";
import { type KeyPair, S3KeyForm } from "./s3-key-form.tsx";

type Key = Schema["S3Key"];

export function S3Keys() {
  const query = api.useQuery("get", "/v1/s3-keys");
  const mayWrite = useCanWrite();
  const { s3Url } = useSession();
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<KeyPair | null>(null);
  const [keyToLabel, setKeyToLabel] = useState<Key | null>(null);
  const [keyToDelete, setKeyToDelete] = useState<Key | null>(null);
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
      title="S3 keys"
      lead="For S3 clients such as aws, boto3 and rclone. Each network volume is a bucket, named by the volume's id."
      actions={
        mayWrite && (
          <Button variant="primary" onClick={() => setCreating(true)}>
            New key
          </Button>
        )
      }
    >
      <KeyTabs />
      <OwnedTable
        query={query}
        singular="S3 key"
        columns={mayWrite ? [...columns, actions] : columns}
        idOf={({ id }) => id}
        textsOf={(key) => [key.id, key.name, ...labelTexts(key)]}
        empty={<NoKeys {...(mayWrite && { onNew: () => setCreating(true) })} />}
      />
      <Buckets />
      {isCreating && <S3KeyForm onClose={() => setCreating(false)} onCreated={setCreated} />}
      <SecretDialog
        title="New S3 key"
        lead="Copy the secret now: it is not shown again."
        text={created && variablesOf(created, s3Url)}
        onClose={() => setCreated(null)}
      />
      {keyToLabel && <KeyLabels s3Key={keyToLabel} onClose={() => setKeyToLabel(null)} />}
      {keyToDelete && <DeleteKey s3Key={keyToDelete} onClose={() => setKeyToDelete(null)} />}
    </Page>
  );
}

const variablesOf = ({ id, secret }: KeyPair, s3Url: string | null) =>
  [
    `AWS_ACCESS_KEY_ID=${id}`,
    `AWS_SECRET_ACCESS_KEY=${secret}`,
    ...(s3Url ? [`AWS_ENDPOINT_URL=${s3Url}`] : []),
  ].join("\n");

const columns: Column<Key>[] = [
  {
    title: "Key",
    sortBy: ({ name }) => name,
    width: "minmax(10rem, 2fr)",
    cell: ({ id, name }) => <NameCell name={name} id={id} />,
  },
  {
    title: "Access",
    sortBy: ({ access }) => access,
    width: "8rem",
    minWidth: "sm",
    cell: ({ access }) => (access === "write" ? "Read and write" : "Read only"),
  },
  {
    title: "Volumes",
    sortBy: ({ volumeIds }) => volumeIds?.length ?? Number.POSITIVE_INFINITY,
    width: "minmax(8rem, 2fr)",
    minWidth: "md",
    cell: ({ volumeIds }) => (volumeIds ? <VolumeNames ids={volumeIds} /> : "All volumes"),
  },
  timeColumn("Last used", ({ lastUsedAt }) => lastUsedAt, "sm"),
  timeColumn("Created", ({ createdAt }) => createdAt, "lg"),
];

function KeyLabels({ s3Key, onClose }: { s3Key: Key; onClose: () => void }) {
  const write = useWrite("patch", "/v1/s3-keys/{s3KeyId}", {
    success: "Labels saved",
    invalidates: ["/v1/s3-keys"],
  });
  const params = { path: { s3KeyId: s3Key.id } };
  return (
    <EditLabels
      schema="S3KeyUpdate"
      of={s3Key}
      onSave={(body) => write.run({ params, body })}
      onClose={onClose}
    />
  );
}

function DeleteKey({ s3Key, onClose }: { s3Key: Key; onClose: () => void }) {
  const write = useWrite("delete", "/v1/s3-keys/{s3KeyId}", {
    success: `S3 key ${s3Key.name} deleted`,
    invalidates: ["/v1/s3-keys"],
  });
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Delete ${s3Key.name}?`}
      action="Delete key"
      onConfirm={() => write.run({ params: { path: { s3KeyId: s3Key.id } } })}
    >
      <p>Requests with this key are refused immediately. This cannot be undone.</p>
    </ConfirmDialog>
  );
}

function NoKeys({ onNew }: { onNew?: () => void }) {
  return (
    <Empty
      title="No S3 keys yet"
      actions={onNew && <Button onClick={onNew}>New key</Button>}
      curl={curl("POST", "/v1/s3-keys", { name: "laptop" })}
    >
      Create a key to copy files to and from your network volumes with an S3 client.
    </Empty>
  );
}
