// The form that gives a price to GPUs that the catalog does not have.

import type { Schema } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { TextField } from "../../components/form/form-fields.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";

interface OwnPriceFormProps {
  gpus: Schema["UnpricedGpus"];
  onClose: () => void;
}

export function OwnPriceForm({ gpus, onClose }: OwnPriceFormProps) {
  const { id, displayName, memoryInGb } = gpus;
  const write = useWrite("patch", "/v1/price-book", { success: `${displayName} can be rented` });
  const dialog = useSchemaForm({
    schema: "PriceBookUpdate",
    defaultValues: {
      securePrice: "",
      secureSpotPrice: "",
      displayName,
      memoryInGb: memoryInGb === undefined ? "" : `${memoryInGb}`,
    },
    toBody: (texts): Schema["PriceBookUpdate"] => ({
      gpuTypes: [
        {
          id,
          securePrice: Number(texts.securePrice),
          displayName: texts.displayName,
          memoryInGb: Number(texts.memoryInGb),
          ...(texts.secureSpotPrice && { secureSpotPrice: Number(texts.secureSpotPrice) }),
        },
      ],
    }),
    check: ({ securePrice, secureSpotPrice, displayName: name, memoryInGb: memory }) => ({
      ...(securePrice === "" && { securePrice: "Set a price; 0 is one" }),
      ...(!isPrice(securePrice) && { securePrice: PRICE_RANGE }),
      ...(!isPrice(secureSpotPrice) && { secureSpotPrice: PRICE_RANGE }),
      ...(name.trim() === "" && { displayName: "Set a name" }),
      ...(!/^[1-9]\d*$/.test(memory) && { memoryInGb: "Must be a whole number of GB" }),
    }),
  });
  const { form } = dialog;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title={`Price of ${id}`}
      lead="In dollars per GPU-hour. Every interface offers the GPU from then on."
      action="Set price"
      onSubmit={async (body) => {
        await write.run({ body });
      }}
    >
      <TextField
        form={form}
        name="securePrice"
        label="On demand"
        type="number"
        step="any"
        hint="Also of community machines and workers, until these prices are set."
      />
      <TextField
        form={form}
        name="secureSpotPrice"
        label="Spot"
        type="number"
        step="any"
        hint="As on demand if it is empty."
      />
      <TextField form={form} name="displayName" label="Display name" />
      <TextField form={form} name="memoryInGb" label="Memory, in GB" type="number" />
    </FormDialog>
  );
}

export const PRICE_RANGE = "Must be from 0 to 10000";

export const isPrice = (text: string) =>
  text === "" || (Number(text) >= 0 && Number(text) <= 10_000);
