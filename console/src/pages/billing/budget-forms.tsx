// The forms for a new budget and for changes of one.

import { api, type Schema } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { NumberField, SelectField, TextField } from "../../components/form/form-fields.tsx";
import { labelErrors, labelsBody, textOfLabels } from "../../components/form/label-rows.ts";
import { LabelsField } from "../../components/form/labels-field.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";
import type { Budget } from "./budgets.tsx";

interface BudgetValues {
  name: string;
  period: string;
  limit: number;
  /** "account", "label", "endpoint <id>" or "key <id>" */
  scope: string;
  /** A label as name=value. */
  label: string;
  /** Labels of the budget itself, one name=value per line. */
  labels: string;
}

function budgetBody({
  scope,
  period,
  label,
  labels,
  ...values
}: BudgetValues): Schema["BudgetCreate"] {
  const [kind, id = ""] = scope.split(" ");
  return {
    ...values,
    period: period as Budget["period"],
    ...(kind === "endpoint" && { endpointId: id }),
    ...(kind === "key" && { keyId: id }),
    ...(kind === "label" && { label }),
    ...labelsBody(labels),
  };
}

export function NewBudget({ onClose }: { onClose: () => void }) {
  const { data: endpoints = [] } = api.useQuery("get", "/v1/endpoints");
  const { data: keys = [] } = api.useQuery("get", "/v1/keys");
  const write = useWrite("post", "/v1/budgets", { success: "Budget created" });
  const dialog = useSchemaForm({
    schema: "BudgetCreate",
    defaultValues: {
      name: "",
      period: "month",
      limit: 100,
      scope: "account",
      label: "",
      labels: "",
    } as BudgetValues,
    toBody: budgetBody,
    fields: { endpointId: "scope", keyId: "scope" },
    check: ({ labels }) => labelErrors(labels),
  });
  const { form } = dialog;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title="New budget"
      lead="When a budget is spent, everything in its scope is stopped within seconds."
      action="Create budget"
      onSubmit={(body) => write.run({ body })}
    >
      <SelectField
        form={form}
        name="scope"
        label="Scope"
        options={[
          ["account", "Entire account"],
          ["label", "Everything with a label"],
          ...endpoints.map(({ id, name }) => [`endpoint ${id}`, `Endpoint ${name || id}`] as const),
          ...keys.map(({ id, name }) => [`key ${id}`, `Created with key ${name}`] as const),
        ]}
      />
      {form.watch("scope") === "label" && (
        <TextField form={form} name="label" label="Label" hint="As name=value: team=vision." />
      )}
      <NumberField form={form} name="limit" label="Limit in dollars" />
      <SelectField
        form={form}
        name="period"
        label="Period"
        options={[
          ["hour", "Hour"],
          ["day", "Day"],
          ["month", "Month"],
        ]}
      />
      <TextField form={form} name="name" label="Display name" hint="Optional." />
      <LabelsField form={form} name="labels" />
    </FormDialog>
  );
}

export function EditBudget({ budget, onClose }: { budget: Budget; onClose: () => void }) {
  const write = useWrite("patch", "/v1/budgets/{budgetId}", { success: "Budget updated" });
  const before = textOfLabels(budget);
  const dialog = useSchemaForm({
    schema: "BudgetUpdate",
    defaultValues: { name: budget.name, limit: budget.limit, labels: before },
    toBody: ({ labels, ...values }) => ({ ...values, ...labelsBody(labels, before) }),
    check: ({ labels }) => labelErrors(labels),
  });
  const { form } = dialog;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title="Edit budget"
      lead="The new limit applies immediately and includes what is already spent in this period."
      action="Save changes"
      onSubmit={(body) => write.run({ params: { path: { budgetId: budget.id } }, body })}
    >
      <NumberField form={form} name="limit" label="Limit in dollars" />
      <TextField form={form} name="name" label="Display name" hint="Optional." />
      <LabelsField form={form} name="labels" />
    </FormDialog>
  );
}
