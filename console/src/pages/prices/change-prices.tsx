// Other prices for one thing; a field that is emptied goes back to what the catalog says.

import { useState } from "react";
import { service } from "../../api/client.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { TextField } from "../../parts/text-field.tsx";
import { say } from "../../parts/toast.tsx";
import { type Priced, priceNames, updateOf } from "./priced.ts";

export function ChangePrices({ priced, onClose }: { priced: Priced; onClose: () => void }) {
  const before = Object.entries(priced.prices).map(([name, price]) => {
    return [name, price === null ? "" : `${price}`] as const;
  });
  const [texts, setTexts] = useState<Record<string, string>>(Object.fromEntries(before));
  const changed = before.filter(([name, text]) => texts[name] !== text).map(([name]) => name);
  const save = async () => {
    if (changed.length === 0) return;
    const prices = changed.map((name) => [name, texts[name] ? Number(texts[name]) : null]);
    const body = updateOf(priced, Object.fromEntries(prices));
    const { error } = await service.PATCH("/v1/price-book", { body });
    if (error) throw error;
    say(`Prices of ${priced.name} are changed`);
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Prices of ${priced.name}`}
      lead={`Dollars ${priced.per}. They hold from the click on, also for what runs. An emptied field goes back to the catalog's price.`}
      action={changed.length === 1 ? "Change 1 price" : `Change ${changed.length} prices`}
      onSubmit={save}
    >
      {before.map(([name]) => (
        <TextField
          key={name}
          label={priceNames[name] ?? name}
          type="number"
          min={0}
          max={10_000}
          step="any"
          value={texts[name] ?? ""}
          onChange={(text) => setTexts({ ...texts, [name]: text })}
        />
      ))}
    </FormDialog>
  );
}
