// The form that divides a GPU into shares or MIG devices, or makes it whole again.

import type { ComponentProps } from "react";
import type { Schema } from "../../api/client.ts";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import {
  CheckboxField,
  NumberField,
  SelectField,
  TextField,
} from "../../components/form/form-fields.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import { formatQuantity } from "../../components/format/units.ts";
import { useUpdateMachine } from "./use-update-machine.ts";

type Device = NonNullable<Schema["Machine"]["gpuDevices"]>[number];

interface Draft {
  layout: "whole" | "shares" | "mig";
  /** The profiles with commas between them. */
  profiles: string;
  count: number;
  memoryInGb: number;
  mps: boolean;
  withSiblings: boolean;
}

interface Props {
  machineId: string;
  device: Device;
  isInMigMode: boolean;
  /** The other GPUs of the machine that are of its type. */
  siblings: Device[];
  onClose: () => void;
}

export function ShareForm({ machineId, device, isInMigMode, siblings, onClose }: Props) {
  const { number, uuid, gpuTypeId = "", shares, migProfiles } = device;
  const write = useUpdateMachine(machineId, { success: `The division of GPU ${number} changes` });
  const dialog = useSchemaForm({
    schema: "MachineUpdate",
    defaultValues: {
      layout: isInMigMode ? "mig" : "shares",
      profiles: "",
      count: shares?.count ?? 2,
      memoryInGb: shares?.memoryInGb ?? Number.NaN,
      mps: shares?.mps ?? false,
      withSiblings: false,
    } as Draft,
    toBody: ({ layout, profiles, count, memoryInGb, mps, withSiblings }) => {
      const uuids = [uuid, ...(withSiblings ? siblings.map((each) => each.uuid) : [])];
      if (layout === "mig" || isInMigMode) {
        const names = layout === "mig" ? profiles.split(",").map((name) => name.trim()) : null;
        return { migLayouts: Object.fromEntries(uuids.map((each) => [each, names])) };
      }
      const divided =
        layout === "whole" ? null : { count, memoryInGb, ...(mps && { mps: true as const }) };
      return { sharedGpus: Object.fromEntries(uuids.map((each) => [each, divided])) };
    },
    fields: { sharedGpus: "memoryInGb", migLayouts: "profiles" },
    check: layoutErrors,
  });
  const { form } = dialog;
  const layout = form.watch("layout");
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title={`Divide GPU ${number}`}
      lead="Nothing may run on a GPU while this changes."
      action="Save"
      onSubmit={(body) => write.run(body)}
    >
      <SelectField
        form={form}
        name="layout"
        label="Offer it as"
        options={[
          ...(isInMigMode ? [] : [["shares", "Shares"] as const]),
          ["mig", "MIG devices"],
          ["whole", "A whole GPU"],
        ]}
      />
      {layout === "mig" && <ProfilesField form={form} profiles={migProfiles?.profiles ?? []} />}
      {layout === "shares" && <ShareFields form={form} />}
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

type Form = ComponentProps<typeof NumberField<Draft>>["form"];

interface ProfilesProps {
  form: Form;
  profiles: NonNullable<Device["migProfiles"]>["profiles"];
}

const ProfilesField = ({ form, profiles }: ProfilesProps) => (
  <TextField
    form={form}
    name="profiles"
    label="Profiles"
    mono
    placeholder="3g.40gb, 3g.40gb"
    hint={`${roomText(profiles)}The service sets them where its settings allow it; the GPU's row has the result.`}
  />
);

/** For example "At most 7 × 1g.10gb or 2 × 3g.40gb. " */
function roomText(profiles: ProfilesProps["profiles"]): string {
  if (profiles.length === 0) return "";
  return `At most ${profiles.map(({ name, count }) => `${count} × ${name}`).join(" or ")}. `;
}

const ShareFields = ({ form }: { form: Form }) => (
  <>
    <NumberField form={form} name="count" label="Shares" hint="2 to 64." step={1} />
    <NumberField form={form} name="memoryInGb" label="Memory of each" unit="GB" step={1} />
    <CheckboxField
      form={form}
      name="mps"
      label="Limit the memory with MPS"
      hint="For NVIDIA's GPUs, with an MPS daemon on the machine."
    />
    <p className="text-sm text-muted">
      Pods and workers with shares of one GPU take turns on it. Without MPS the memory is declared,
      not enforced: a program sees the whole card and can take more than its share. A program can
      leave MPS too. Share a GPU between people who trust each other.
    </p>
  </>
);

const isWhole = (n: number, least: number, limit: number) =>
  Number.isInteger(n) && n >= least && n <= limit;

/** Both fields belong to one value of the body, so one that is fine has an empty message beside one that is not. */
function layoutErrors({ layout, profiles, count, memoryInGb }: Draft) {
  if (layout === "whole") return {};
  if (layout === "mig") {
    return profiles.trim() === "" ? { profiles: "Enter one profile or more, such as 3g.40gb" } : {};
  }
  const errors = {
    count: isWhole(count, 2, 64) ? "" : "Must be from 2 to 64",
    memoryInGb: isWhole(memoryInGb, 1, 1_000_000) ? "" : "Must be a whole number of GB",
  };
  return errors.count || errors.memoryInGb ? errors : {};
}
