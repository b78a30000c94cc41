// All accounts, as the operator sees them.

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schema, service } from "../../api/client.ts";
import { useMayWrite, useSelf } from "../../api/self.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Listing } from "../../parts/listing.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Page } from "../../parts/page.tsx";
import { ShownOnce } from "../../parts/shown-once.tsx";
import { Status } from "../../parts/status.tsx";
import type { Column } from "../../parts/table.tsx";
import { say } from "../../parts/toast.tsx";
import { dollars, perHour } from "../../parts/units.ts";
import { GiveCredit, NewAccount } from "./account-forms.tsx";

export type Account = Schema["ManagedAccount"];

type Asked = { what: "credit" | "disable"; account: Account } | { what: "new" } | null;

export function Accounts() {
  const query = api.useQuery("get", "/v1/accounts");
  const { account: own } = useSelf();
  const [asked, setAsked] = useState<Asked>(null);
  const [made, setMade] = useState<string | null>(null);
  const mayWrite = useMayWrite();
  const changed = useAccountsChanged();
  const close = () => {
    setAsked(null);
    changed();
  };
  const actions: Column<Account> = {
    title: "",
    width: "2rem",
    right: true,
    cell: (account) => (
      <Menu
        label={`Actions for ${account.name}`}
        items={[
          { label: "Give credits", onSelect: () => setAsked({ what: "credit", account }) },
          account.disabled
            ? { label: "Enable", onSelect: () => void setDisabled(account, false).then(changed) }
            : {
                label: "Disable",
                danger: true,
                disabled: account.id === own.id,
                onSelect: () => setAsked({ what: "disable", account }),
              },
        ]}
      />
    ),
  };
  return (
    <Page
      title="Accounts"
      lead="Whoever rents from this service. You run it."
      actions={
        mayWrite && (
          <Button look="primary" onClick={() => setAsked({ what: "new" })}>
            New account
          </Button>
        )
      }
    >
      <Listing
        query={query}
        one="account"
        columns={mayWrite ? [...columns, actions] : columns}
        idOf={({ id }) => id}
        textsOf={({ id, name }) => [id, name]}
        empty={<p className="text-muted">There is no account.</p>}
      />
      {asked?.what === "new" && <NewAccount onClose={close} onMade={setMade} />}
      {asked?.what === "credit" && <GiveCredit account={asked.account} onClose={close} />}
      {asked?.what === "disable" && <Disable account={asked.account} onClose={close} />}
      <ShownOnce
        title="The account's first key"
        lead="It may do everything in the account, and is shown this once."
        text={made}
        onClose={() => setMade(null)}
      />
    </Page>
  );
}

async function setDisabled(account: Account, disabled: boolean): Promise<void> {
  const { error } = await service.PATCH("/v1/accounts/{accountId}", {
    params: { path: { accountId: account.id } },
    body: { disabled },
  });
  if (error) throw error;
  say(`Account ${account.name} is ${disabled ? "disabled" : "enabled"}`);
}

function Disable({ account, onClose }: { account: Account; onClose: () => void }) {
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Disable ${account.name}?`}
      action="Disable account"
      onConfirm={() => setDisabled(account, true)}
    >
      <p>
        Its keys open nothing, its Pods are stopped and its workers end when they have finished
        their jobs. It can be enabled again; Pods that were stopped then stay so.
      </p>
    </Confirm>
  );
}

/** Changes of other accounts are told to those alone. */
function useAccountsChanged(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: ["get", "/v1/accounts"] });
}

const columns: Column<Account>[] = [
  {
    title: "Account",
    width: "minmax(8rem, 2fr)",
    cell: ({ id, name }) => (
      <>
        <div className="truncate font-medium">{name}</div>
        <code className="text-xs text-muted">{id}</code>
      </>
    ),
  },
  {
    title: "State",
    width: "6.5rem",
    cell: ({ disabled }) =>
      disabled ? <Status tone="off">Disabled</Status> : <Status tone="good">Open</Status>,
  },
  {
    title: "Balance",
    width: "7rem",
    right: true,
    from: "sm",
    cell: ({ balance, limited }) => (limited ? dollars(balance) : "No limit"),
  },
  {
    title: "Spends",
    width: "7rem",
    right: true,
    from: "sm",
    cell: ({ spendPerHr }) => perHour(spendPerHr),
  },
];
