// A new account, and credits for one.

import { useState } from "react";
import { service } from "../../api/client.ts";
import { Checkbox, Field, TextInput } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { say } from "../../parts/toast.tsx";
import { dollars } from "../../parts/units.ts";
import type { Account } from "./accounts.tsx";

interface NewProps {
  onClose: () => void;
  onMade: (secret: string) => void;
}

export function NewAccount({ onClose, onMade }: NewProps) {
  const [name, setName] = useState("");
  const [limited, setLimited] = useState(true);
  const create = async () => {
    const { data, error } = await service.POST("/v1/accounts", { body: { name, limited } });
    if (error) throw error;
    onMade(data.key);
  };
  return (
    <FormDialog open onClose={onClose} title="New account" action="Make account" onSubmit={create}>
      <Field label="Name" hint="No two have the same.">
        {(tied) => (
          <TextInput
            {...tied}
            required
            maxLength={191}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Checkbox
        checked={limited}
        onChange={setLimited}
        label="Limited to its credits"
        hint="Else it is metered, and never stopped."
      />
    </FormDialog>
  );
}

export function GiveCredit({ account, onClose }: { account: Account; onClose: () => void }) {
  const [amount, setAmount] = useState(10);
  const [note, setNote] = useState("");
  const give = async () => {
    const { data, error } = await service.POST("/v1/accounts/{accountId}/credits", {
      params: { path: { accountId: account.id } },
      body: { amount, note },
    });
    if (error) throw error;
    say(`${account.name} has ${dollars(data.balance)} now`);
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Credits for ${account.name}`}
      lead={`It has ${dollars(account.balance)}. From then on it is limited to what it has.`}
      action="Give credits"
      onSubmit={give}
    >
      <Field label="Dollars" hint="Below zero takes some away.">
        {(tied) => (
          <TextInput
            {...tied}
            type="number"
            required
            step="any"
            value={Number.isNaN(amount) ? "" : amount}
            onChange={({ target }) => setAmount(target.valueAsNumber)}
          />
        )}
      </Field>
      <Field label="Note" hint="Kept in the ledger.">
        {(tied) => (
          <TextInput
            {...tied}
            maxLength={191}
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}
