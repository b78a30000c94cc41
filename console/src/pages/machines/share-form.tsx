// The form that offers a GPU as shares, or as a whole one again.

import type { Schema } from "../../api/client.ts";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { CheckboxField, NumberField, SelectField } from "../../components/form/form-fields.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import { formatQuantity } from "../../components/format/units.ts";
import { useUpdateMachine } from "./use-update-machine.ts";

type Device = NonNullable<Schema["Machine"]["gpuDevices"]>[number];

interface Draft {
  layout: "whole" | "shares";
  count: number;
  memoryInGb: number;
  withSiblings: boolean;
}

interface Props {
  machineId: string;
  device: Device;
  /** The other GPUs of the machine that are of its type. */
  siblings: Device[];
  onClose: () => void;
}

export function ShareForm({ machineId, device, siblings, onClose }: Props) {
  const { number, uuid, gpuTypeId = "", shares } = device;
  const write = useUpdateMachine(machineId, { success: `Shares of GPU ${number} changed` });
  const dialog = useSchemaForm({
    schema: "MachineUpdate",
    defaultValues: {
      layout: "shares",
      count: shares?.count ?? 2,
      memoryInGb: shares?.memoryInGb ?? Number.NaN,
      withSiblings: false,
    } as Draft,
    toBody: ({ layout, count, memoryInGb, withSiblings }) => {
      const uuids = [uuid, ...(withSiblings ? siblings.map((each) => each.uuid) : [])];
      const divided = layout === "whole" ? null : { count, memoryInGb };
      return { sharedGpus: Object.fromEntries(uuids.map((each) => [each, divided])) };
    },
    fields: { sharedGpus: "memoryInGb" },
    check: layoutErrors,
  });
  const { form } = dialog;
  const isShared = form.watch("layout") === "shares";
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title={`Divide GPU ${number}`}
      lead="Pods and workers with shares of one GPU take turns on it. Nothing may run on a GPU while this changes."
      action="Save"
      onSubmit={(body) => write.run(body)}
    >
      <SelectField
        form={form}
        name="layout"
        label="Offer it as"
        options={[
          ["shares", "Shares"],
          ["whole", "A whole GPU"],
        ]}
      />
      {isShared && (
        <>
          <NumberField form={form} name="count" label="Shares" hint="2 to 64." step={1} />
          <NumberField form={form} name="memoryInGb" label="Memory of each" unit="GB" step={1} />
          <p className="text-sm text-muted">
            The memory is declared, not enforced: a program sees the whole card and can take more
            than its share. Share a GPU between people who trust each other.
          </p>
        </>
      )}
      {siblings.length > 0 && (
        <CheckboxField
          form={form}
          name="withSiblings"
          label={`Also the ${formatQuantity(siblings.length, "other GPU")} of this type`}
          hint={gpuTypeId}
        />
      )}
    </FormDialog>
  );
}

const isWhole = (n: number, least: number, limit: number) =>
  Number.isInteger(n) && n >= least && n <= limit;

/** Both fields belong to one value of the body, so one that is fine has an empty message beside one that is not. */
function layoutErrors({ layout, count, memoryInGb }: Draft) {
  if (layout === "whole") return {};
  const errors = {
    count: isWhole(count, 2, 64) ? "" : "Must be from 2 to 64",
    memoryInGb: isWhole(memoryInGb, 1, 1_000_000) ? "" : "Must be a whole number of GB",
  };
  return errors.count || errors.memoryInGb ? errors : {};
}
