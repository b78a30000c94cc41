// The form for the prices of one entry. A cleared field restores the price of the catalog.

import { useWrite } from "../../api/use-write.ts";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { TextField } from "../../components/form/form-fields.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import { isPrice, PRICE_RANGE } from "../machines/own-price-form.tsx";
import { type PriceEntry, priceNames, priceUpdate } from "./price-entries.ts";

type PriceTexts = Record<string, string>;

export function PriceForm({ entry, onClose }: { entry: PriceEntry; onClose: () => void }) {
  const before: PriceTexts = Object.fromEntries(
    Object.entries(entry.prices).map(([name, price]) => [name, price === null ? "" : `${price}`]),
  );
  const names = Object.keys(before);
  const changedNames = (texts: PriceTexts) => names.filter((name) => texts[name] !== before[name]);
  const write = useWrite("patch", "/v1/price-book", { success: `Prices of ${entry.name} updated` });
  const dialog = useSchemaForm({
    schema: "PriceBookUpdate",
    defaultValues: before,
    toBody: (texts) =>
      priceUpdate(
        entry,
        Object.fromEntries(
          changedNames(texts).map((name) => [name, texts[name] ? Number(texts[name]) : null]),
        ),
      ),
    check: (texts) =>
      Object.fromEntries(
        names.filter((name) => !isPrice(texts[name] ?? "")).map((name) => [name, PRICE_RANGE]),
      ),
  });
  const { form } = dialog;
  const changed = changedNames(form.watch());
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title={`Prices of ${entry.name}`}
      lead={`In dollars ${entry.per}. New prices apply immediately, including to running resources. ${entry.source === "priceBook" ? CLEAR_OWN : CLEAR}`}
      action={changed.length === 1 ? "Update 1 price" : `Update ${changed.length} prices`}
      onSubmit={async (body) => {
        if (changed.length > 0) await write.run({ body });
      }}
    >
      {names.map((name) => (
        <TextField
          key={name}
          form={form}
          name={name}
          label={priceNames[name] ?? name}
          type="number"
          step="any"
        />
      ))}
    </FormDialog>
  );
}

const CLEAR = "Clear a field to restore the catalog price.";
const CLEAR_OWN =
  "The catalog does not have this GPU. Clear a field other than Secure to let it follow Secure.";
