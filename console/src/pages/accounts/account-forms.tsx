// The forms for a new account and for credits.

import { useWrite } from "../../api/use-write.ts";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { CheckboxField, NumberField, TextField } from "../../components/form/form-fields.tsx";
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
