// The page of notifications: the rules, and the messages that they sent.

import { useState } from "react";
import { api } from "../../api/client.ts";
import { curl } from "../../api/curl.ts";
import { useCanWrite } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { Menu } from "../../components/control/menu.tsx";
import { NameCell } from "../../components/data/name-cell.tsx";
import { RelativeTime } from "../../components/data/relative-time.tsx";
import { SearchableTable } from "../../components/data/searchable-table.tsx";
import { Status } from "../../components/data/status.tsx";
import { actionsColumn, type Column } from "../../components/data/table.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { Empty } from "../../components/layout/empty.tsx";
import { Page } from "../../components/layout/page.tsx";
import { eventNames } from "./event-kinds.ts";
import { EditRule, NewRule } from "./rule-form.tsx";
import { channelNames, type Rule } from "./rule-values.ts";
import { SentNotifications } from "./sent-notifications.tsx";

type OpenDialog = { kind: "edit" | "delete"; rule: Rule } | { kind: "new" } | null;

export function Notifications() {
  const query = api.useQuery("get", "/v1/notification-rules");
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const mayWrite = useCanWrite();
  const close = () => setOpenDialog(null);
  const openNew = () => setOpenDialog({ kind: "new" });
  const actions = actionsColumn<Rule>((rule) => <RuleMenu rule={rule} onAction={setOpenDialog} />);
  return (
    <Page
      title="Notifications"
      lead="Messages about events of this account, over webhooks, e-mail, Slack and ntfy."
      actions={
        mayWrite && (
          <Button variant="primary" onClick={openNew}>
            New rule
          </Button>
        )
      }
    >
      <SearchableTable
        query={query}
        singular="rule"
        columns={mayWrite ? [...columns, actions] : columns}
        idOf={({ id }) => id}
        textsOf={({ name, channel, events }) => [name, channel.type, ...events]}
        empty={<NoRules {...(mayWrite && { onNew: openNew })} />}
      />
      <SentNotifications rules={query.data ?? []} />
      {openDialog?.kind === "new" && <NewRule onClose={close} />}
      {openDialog?.kind === "edit" && <EditRule rule={openDialog.rule} onClose={close} />}
      {openDialog?.kind === "delete" && <DeleteRule rule={openDialog.rule} onClose={close} />}
    </Page>
  );
}

const columns: Column<Rule>[] = [
  {
    title: "Rule",
    sortBy: ({ name }) => name,
    width: "minmax(8rem, 1fr)",
    cell: ({ id, name }) => <NameCell name={name} id={id} />,
  },
  {
    title: "Events",
    sortBy: ({ events }) => events.length,
    width: "minmax(10rem, 2fr)",
    minWidth: "md",
    cell: ({ events }) => (
      <span className="text-muted">{events.map((kind) => eventNames[kind]).join(", ")}</span>
    ),
  },
  {
    title: "Channel",
    sortBy: ({ channel }) => channelNames[channel.type],
    width: "minmax(7rem, 1fr)",
    minWidth: "md",
    cell: ({ channel: { type, url, to, topic, host } }) => (
      <NameCell name={channelNames[type]} id={topic ?? to?.join(", ") ?? host ?? url ?? ""} />
    ),
  },
  {
    title: "Status",
    sortBy: ({ enabled }) => enabled,
    width: "6.5rem",
    cell: ({ enabled }) => (
      <Status tone={enabled ? "good" : "off"}>{enabled ? "Enabled" : "Disabled"}</Status>
    ),
  },
  {
    title: "Last message",
    sortBy: ({ notifiedAt }) => notifiedAt,
    width: "7rem",
    minWidth: "lg",
    alignRight: true,
    cell: ({ notifiedAt }) => (notifiedAt ? <RelativeTime at={notifiedAt} /> : "Never"),
  },
];

const rulePath = "/v1/notification-rules/{notificationRuleId}";

function RuleMenu({ rule, onAction }: { rule: Rule; onAction: (dialog: OpenDialog) => void }) {
  const params = { path: { notificationRuleId: rule.id } };
  const test = useWrite("post", `${rulePath}/test`, {
    success: ({ state, deliveries }) => {
      const failure = deliveries.at(-1)?.tries.at(-1)?.error;
      if (state === "delivered") return "Test delivered";
      return failure ? `Test failed: ${failure}` : "The test has no answer yet";
    },
    invalidates: ["/v1/notifications"],
    toastError: true,
  });
  const change = useWrite("patch", rulePath, {
    success: ({ enabled }) => (enabled ? "Rule enabled" : "Rule disabled"),
    toastError: true,
  });
  return (
    <Menu
      label={`Actions for ${rule.name}`}
      items={[
        { label: "Send a test", onSelect: () => test.start({ params }) },
        { label: "Edit", onSelect: () => onAction({ kind: "edit", rule }) },
        {
          label: rule.enabled ? "Disable" : "Enable",
          onSelect: () => change.start({ params, body: { enabled: !rule.enabled } }),
        },
        { label: "Delete", danger: true, onSelect: () => onAction({ kind: "delete", rule }) },
      ]}
    />
  );
}

function DeleteRule({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const write = useWrite("delete", rulePath, { success: `Rule ${rule.name} deleted` });
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Delete ${rule.name}?`}
      action="Delete rule"
      onConfirm={() => write.run({ params: { path: { notificationRuleId: rule.id } } })}
    >
      <p>Its events are no longer announced. Messages that it sent stay listed for 7 days.</p>
    </ConfirmDialog>
  );
}

const example = {
  name: "On call",
  events: ["pod_ended"],
  channel: { type: "ntfy", topic: "my-gpus" },
};

function NoRules({ onNew }: { onNew?: () => void }) {
  return (
    <Empty
      title="No notification rules yet"
      actions={onNew && <Button onClick={onNew}>New rule</Button>}
      curl={curl("POST", "/v1/notification-rules", example)}
    >
      Get a message when a Pod ends, jobs fail or a budget is spent.
    </Empty>
  );
}
