// The accounts page of the operator.

import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { useCanWrite, useSession } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { Menu } from "../../components/control/menu.tsx";
import { NameCell } from "../../components/data/name-cell.tsx";
import { SearchableTable } from "../../components/data/searchable-table.tsx";
import { Status } from "../../components/data/status.tsx";
import { actionsColumn, type Column } from "../../components/data/table.tsx";
import { SecretDialog } from "../../components/feedback/secret-dialog.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { formatDollars, formatHourlyPrice } from "../../components/format/units.ts";
import { Page } from "../../components/layout/page.tsx";
import { AccountLimits } from "../quotas/account-limits.tsx";
import { AccountForm, CreditForm, LifetimeForm } from "./account-forms.tsx";
import { AccountGuarantees } from "./account-guarantees.tsx";

export type Account = Schema["ManagedAccount"];

type OpenDialog =
  | { kind: "credit" | "limits" | "guarantees" | "lifetime" | "disable"; account: Account }
  | { kind: "new" }
  | null;

export function Accounts() {
  const query = api.useQuery("get", "/v1/accounts");
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const [newKey, setNewKey] = useState<string | null>(null);
  const mayWrite = useCanWrite();
  const close = () => setOpenDialog(null);
  const actions = actionsColumn<Account>((account) => (
    <AccountMenu account={account} onOpen={setOpenDialog} />
  ));
  return (
    <Page
      title="Accounts"
      lead="All accounts on this service. Only the operator sees this page."
      actions={
        mayWrite && (
          <Button variant="primary" onClick={() => setOpenDialog({ kind: "new" })}>
            New account
          </Button>
        )
      }
    >
      <SearchableTable
        query={query}
        singular="account"
        columns={mayWrite ? [...columns, actions] : columns}
        idOf={({ id }) => id}
        textsOf={({ id, name }) => [id, name]}
        empty={<p className="text-muted">No accounts yet</p>}
      />
      {openDialog?.kind === "new" && <AccountForm onClose={close} onCreated={setNewKey} />}
      {openDialog?.kind === "credit" && <CreditForm account={openDialog.account} onClose={close} />}
      {openDialog?.kind === "limits" && (
        <AccountLimits account={openDialog.account} onClose={close} />
      )}
      {openDialog?.kind === "guarantees" && (
        <AccountGuarantees account={openDialog.account} onClose={close} />
      )}
      {openDialog?.kind === "lifetime" && (
        <LifetimeForm account={openDialog.account} onClose={close} />
      )}
      {openDialog?.kind === "disable" && (
        <DisableAccount account={openDialog.account} onClose={close} />
      )}
      <SecretDialog
        title="API key of the new account"
        lead="This key has full access to the account. Copy it now: it is not shown again."
        text={newKey}
        onClose={() => setNewKey(null)}
      />
    </Page>
  );
}

interface MenuProps {
  account: Account;
  onOpen: (dialog: OpenDialog) => void;
}

function AccountMenu({ account, onOpen }: MenuProps) {
  const { account: own } = useSession();
  const update = useWrite("patch", "/v1/accounts/{accountId}", {
    ...updateOptions,
    toastError: true,
  });
  const enable = () =>
    update.start({ params: { path: { accountId: account.id } }, body: { disabled: false } });
  return (
    <Menu
      label={`Actions for ${account.name}`}
      items={[
        { label: "Add credits", onSelect: () => onOpen({ kind: "credit", account }) },
        { label: "Limits", onSelect: () => onOpen({ kind: "limits", account }) },
        { label: "Guarantees", onSelect: () => onOpen({ kind: "guarantees", account }) },
        {
          label: "Maximum lifetime of Pods",
          onSelect: () => onOpen({ kind: "lifetime", account }),
        },
        account.disabled
          ? { label: "Enable", onSelect: enable }
          : {
              label: "Disable",
              danger: true,
              disabled: account.id === own.id,
              onSelect: () => onOpen({ kind: "disable", account }),
            },
      ]}
    />
  );
}

const updateOptions = {
  success: ({ name, disabled }: Account) => `Account ${name} ${disabled ? "disabled" : "enabled"}`,
  invalidates: ["/v1/accounts" as const], // no event reports a change of another account
};

function DisableAccount({ account, onClose }: { account: Account; onClose: () => void }) {
  const write = useWrite("patch", "/v1/accounts/{accountId}", updateOptions);
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Disable ${account.name}?`}
      action="Disable account"
      onConfirm={() =>
        write.run({ params: { path: { accountId: account.id } }, body: { disabled: true } })
      }
    >
      <p>
        Its API keys stop working, its Pods are stopped and its workers exit after their current
        jobs. You can enable the account again; stopped Pods stay stopped.
      </p>
    </ConfirmDialog>
  );
}

const columns: Column<Account>[] = [
  {
    title: "Account",
    sortBy: ({ name }) => name,
    width: "minmax(8rem, 2fr)",
    cell: ({ id, name }) => <NameCell name={name} id={id} />,
  },
  {
    title: "Status",
    sortBy: ({ disabled }) => disabled,
    width: "6.5rem",
    cell: ({ disabled }) =>
      disabled ? <Status tone="off">Disabled</Status> : <Status tone="good">Active</Status>,
  },
  {
    title: "Balance",
    sortBy: ({ balance, limited }) => (limited ? balance : Number.POSITIVE_INFINITY),
    width: "7rem",
    alignRight: true,
    minWidth: "sm",
    cell: ({ balance, limited }) => (limited ? formatDollars(balance) : "No limit"),
  },
  {
    title: "Spending",
    sortBy: ({ spendPerHr }) => spendPerHr,
    width: "7rem",
    alignRight: true,
    minWidth: "sm",
    cell: ({ spendPerHr }) => formatHourlyPrice(spendPerHr),
  },
];
