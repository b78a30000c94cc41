// The forms for a new account, for credits and for the maximum lifetime of an account's Pods.

import { useWrite } from "../../api/use-write.ts";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { CheckboxField, NumberField, TextField } from "../../components/form/form-fields.tsx";
import {
  LifetimeFields,
  lifetimeValues,
  maxLifetimeOf,
} from "../../components/form/lifetime-fields.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import { formatDollars } from "../../components/format/units.ts";
import type { Account } from "./accounts.tsx";

interface AccountFormProps {
  onClose: () => void;
  /** Called with the API key of the new account. */
  onCreated: (key: string) => void;
}

export function AccountForm({ onClose, onCreated }: AccountFormProps) {
  const write = useWrite("post", "/v1/accounts", { invalidates: ["/v1/accounts"] });
  const dialog = useSchemaForm({
    schema: "AccountCreate",
    defaultValues: { name: "", limited: true },
    toBody: (values) => values,
  });
  const { form } = dialog;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title="New account"
      action="Create account"
      onSubmit={async (body) => onCreated((await write.run({ body })).key)}
    >
      <TextField form={form} name="name" label="Name" hint="Must be unique." />
      <CheckboxField
        form={form}
        name="limited"
        label="Prepaid"
        hint="Stop everything when the balance reaches zero. Otherwise usage is metered without a limit."
      />
    </FormDialog>
  );
}

export function CreditForm({ account, onClose }: { account: Account; onClose: () => void }) {
  const write = useWrite("post", "/v1/accounts/{accountId}/credits", {
    success: ({ balance }) => `Balance of ${account.name}: ${formatDollars(balance)}`,
    invalidates: ["/v1/accounts"],
  });
  const dialog = useSchemaForm({
    schema: "CreditCreate",
    defaultValues: { amount: 10, note: "" },
    toBody: (values) => values,
  });
  const { form } = dialog;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title={`Add credits to ${account.name}`}
      lead={`Current balance: ${formatDollars(account.balance)}. The account becomes prepaid.`}
      action="Add credits"
      onSubmit={(body) => write.run({ params: { path: { accountId: account.id } }, body })}
    >
      <NumberField
        form={form}
        name="amount"
        label="Amount in dollars"
        hint="A negative amount removes credits."
      />
      <TextField form={form} name="note" label="Note" hint="Appears in the ledger." />
    </FormDialog>
  );
}

export function LifetimeForm({ account, onClose }: { account: Account; onClose: () => void }) {
  const write = useWrite("patch", "/v1/accounts/{accountId}", {
    success: ({ name }) => `Account ${name} saved`,
    invalidates: ["/v1/accounts"],
  });
  const dialog = useSchemaForm({
    schema: "ManagedAccountUpdate",
    defaultValues: lifetimeValues(account.maxLifetime),
    toBody: (values) => ({ maxLifetime: maxLifetimeOf(values) }),
    fields: { maxLifetime: "maxMinutes" },
  });
  const { form } = dialog;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title={`Maximum lifetime of Pods of ${account.name}`}
      lead="Running Pods that are past it stop after a warning of five minutes."
      action="Save"
      onSubmit={(body) => write.run({ params: { path: { accountId: account.id } }, body })}
    >
      <LifetimeFields
        form={form}
        label="Minutes after the start"
        hint="Empty for none. Nothing in the account can set a longer one."
      />
    </FormDialog>
  );
}
