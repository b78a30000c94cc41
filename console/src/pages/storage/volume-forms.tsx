// The forms for a new network volume and for changes of one.

import type { UseFormReturn } from "react-hook-form";
import { api } from "../../api/client.ts";
import { useQuote } from "../../api/quote.ts";
import { useWrite } from "../../api/use-write.ts";
import { QuoteNote } from "../../components/feedback/quote-note.tsx";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { NumberField, SelectField, TextField } from "../../components/form/form-fields.tsx";
import { labelErrors, labelsBody, textOfLabels } from "../../components/form/label-rows.ts";
import { LabelsField } from "../../components/form/labels-field.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import { formatDollars } from "../../components/format/units.ts";
import type { Volume } from "./volumes.tsx";

interface VolumeValues {
  name: string;
  size: number;
  /** Empty for the first data center. */
  dataCenterId: string;
  /** One name=value per line. */
  labels: string;
}

export function NewVolume({ onClose }: { onClose: () => void }) {
  const { data: centers = [] } = api.useQuery("get", "/v1/catalog/data-centers");
  const write = useWrite("post", "/v1/networkvolumes", {
    success: ({ name }) => `Volume ${name} created`,
  });
  const dialog = useSchemaForm({
    schema: "NetworkVolumeCreateInput",
    defaultValues: { name: "", size: 50, dataCenterId: "", labels: "" } as VolumeValues,
    toBody: ({ dataCenterId, labels, ...values }) => ({
      ...values,
      ...labelsBody(labels),
      dataCenterId: dataCenterId || centers[0]?.id || "",
    }),
    check: ({ labels }) => labelErrors(labels),
  });
  const { form } = dialog;
  const { dataCenterId } = dialog.body(form.watch());
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title="New network volume"
      lead="Allocated on the machine of the first Pod or worker that mounts it."
      action="Create volume"
      onSubmit={(body) => write.run({ body })}
    >
      <TextField form={form} name="name" label="Name" placeholder="models" />
      <SizeField form={form} dataCenterId={dataCenterId} />
      <SelectField
        form={form}
        name="dataCenterId"
        label="Data center"
        hint="Pods and workers that mount the volume run here. Cannot be changed later."
        options={centers.map(({ id, location }) => [id, `${id}, ${location}`] as const)}
      />
      <LabelsField form={form} name="labels" />
    </FormDialog>
  );
}

export function EditVolume({ volume, onClose }: { volume: Volume; onClose: () => void }) {
  const write = useWrite("patch", "/v1/networkvolumes/{networkVolumeId}", {
    success: ({ name }) => `Volume ${name} updated`,
  });
  const { dataCenterId } = volume;
  const labels = textOfLabels(volume);
  const dialog = useSchemaForm({
    schema: "NetworkVolumeUpdateInput",
    defaultValues: { name: volume.name, size: volume.size, dataCenterId, labels } as VolumeValues,
    toBody: (values) => ({
      name: values.name,
      ...(values.size !== volume.size && { size: values.size }),
      ...labelsBody(values.labels, labels),
    }),
    check: ({ size, labels: edited }): { size?: string; labels?: string } => ({
      ...(size < volume.size && { size: `Must be at least ${volume.size}` }),
      ...labelErrors(edited),
    }),
  });
  const { form } = dialog;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title={`Edit ${volume.name}`}
      action="Save changes"
      onSubmit={(body) => write.run({ params: { path: { networkVolumeId: volume.id } }, body })}
    >
      <TextField form={form} name="name" label="Name" />
      <SizeField form={form} dataCenterId={dataCenterId} currentSize={volume.size} />
      <LabelsField form={form} name="labels" />
    </FormDialog>
  );
}

interface SizeProps {
  form: UseFormReturn<VolumeValues>;
  dataCenterId: string;
  /** The size of an existing volume. */
  currentSize?: number;
}

function SizeField({ form, dataCenterId, currentSize }: SizeProps) {
  const size = form.watch("size");
  const quoteBody = (gb: number) =>
    gb > 0 && dataCenterId ? { networkVolume: { name: "any", size: gb, dataCenterId } } : null;
  const { data: quote, error } = useQuote(quoteBody(size));
  const { data: current } = useQuote(quoteBody(currentSize ?? 0));
  const before =
    current && currentSize !== size ? `, currently ${formatDollars(current.totalPerMonth)}` : "";
  const price = quote ? ` ${formatDollars(quote.totalPerMonth)} per month${before}.` : "";
  return (
    <div>
      <NumberField
        form={form}
        name="size"
        label="Size in GB"
        hint={<span data-testid="price">Can grow later but never shrink.{price}</span>}
        step={1}
      />
      <QuoteNote quote={quote} error={error} />
    </div>
  );
}
