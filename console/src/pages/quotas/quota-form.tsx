// The form for the limits of an account, of its members by default, or of one member.

import type { Schema } from "../../api/client.ts";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { TextAreaField, TextField } from "../../components/form/form-fields.tsx";
import { formatVariables, parseVariables } from "../../components/form/text-values.ts";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";

const labels = {
  gpus: "GPUs",
  reservedGpus: "Reserved GPUs at one time",
  pods: "Running Pods",
  vcpus: "vCPUs",
  volumeGb: "Volumes in GB",
  costPerHr: "Dollars per hour",
};
type Measure = keyof typeof labels;
const measures = Object.keys(labels) as Measure[];

/** Limits as text: empty where nothing is set, "none" for no limit. */
type Values = Record<Measure | "gpuTypes", string>;

interface Props<Name extends "QuotaUpdate" | "MemberQuotaUpdate"> {
  title: string;
  schema: Name;
  limits: Schema["QuotaLimits"];
  /** The limits that are set for a member itself; null for an account and the default. */
  ownLimits: readonly string[] | null;
  onClose: () => void;
  onSave: (body: Schema[Name]) => Promise<unknown>;
}

export function QuotaForm<Name extends "QuotaUpdate" | "MemberQuotaUpdate">(props: Props<Name>) {
  const { title, schema, limits, ownLimits, onClose, onSave } = props;
  const unset = ownLimits === null ? null : "default";
  const defaultValues = valuesOf(limits, ownLimits);
  const typesBefore = Object.keys(parseVariables(defaultValues.gpuTypes));
  const toBody = ({ gpuTypes, ...values }: Values) => {
    const types = Object.entries(parseVariables(gpuTypes)).map(([id, text]) => [
      id,
      text.trim() === "" ? Number.NaN : limitOf(text, unset),
    ]);
    const removed = typesBefore.map((id) => [id, unset]);
    return {
      ...Object.fromEntries(measures.map((name) => [name, limitOf(values[name], unset)])),
      gpuTypes: Object.fromEntries([...removed, ...types]),
    } as Schema[Name];
  };
  const dialog = useSchemaForm<Values, Name>({ schema, defaultValues, toBody });
  const { form } = dialog;
  const empty =
    ownLimits === null ? "Empty for no limit." : 'Empty for the default, "none" for no limit.';
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title={title}
      lead={`A limit below what is held stops nothing, and nothing can be added to it. ${empty}`}
      action="Save limits"
      onSubmit={onSave}
    >
      {measures.map((name) => (
        <TextField key={name} form={form} name={name} label={labels[name]} inputMode="decimal" />
      ))}
      <TextAreaField
        form={form}
        name="gpuTypes"
        label="GPUs by type"
        hint="One type and its limit per line: NVIDIA A40=2"
        mono
      />
    </FormDialog>
  );
}

function valuesOf(
  { gpuTypes = {}, ...limits }: Schema["QuotaLimits"],
  ownLimits: readonly string[] | null,
): Values {
  const isSet = (name: string) => ownLimits?.includes(name) ?? true;
  const text = (limit: number | undefined) =>
    limit === undefined ? (ownLimits === null ? "" : "none") : String(limit);
  const texts = measures.map((name) => [name, isSet(name) ? text(limits[name]) : ""]);
  const prefix = "gpuTypes.";
  const ids =
    ownLimits?.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)) ??
    Object.keys(gpuTypes);
  const types = Object.fromEntries(ids.map((id) => [id, text(gpuTypes[id])]));
  return { ...(Object.fromEntries(texts) as Values), gpuTypes: formatVariables(types) };
}

function limitOf(text: string, unset: null | "default"): number | null | "default" {
  const word = text.trim();
  if (word === "") return unset;
  return word === "none" ? null : Number(word);
}
