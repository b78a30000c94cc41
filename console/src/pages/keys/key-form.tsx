// The form for a new API key and its permissions.

import { api, type Schema } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { SelectField, TextField } from "../../components/form/form-fields.tsx";
import { labelErrors, labelsBody } from "../../components/form/label-rows.ts";
import { LabelsField } from "../../components/form/labels-field.tsx";
import { NameChoices } from "../../components/form/name-choices.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";

type Access = Schema["Permissions"]["rest"];

const accessLabels: Record<Access, string> = {
  write: "Read and write",
  read: "Read only",
  none: "No access",
};

const interfaceLabels = {
  rest: "REST API",
  graphql: "GraphQL API",
  queue: "Endpoint queues",
} as const;

type Interface = keyof typeof interfaceLabels;

interface KeyValues extends Record<Interface, string> {
  name: string;
  /** One name=value per line. */
  labels: string;
  /** Null for all endpoints. */
  endpoints: string[] | null;
}

const emptyKey: KeyValues = {
  name: "",
  labels: "",
  rest: "write",
  graphql: "write",
  queue: "write",
  endpoints: null,
};

interface Props {
  onClose: () => void;
  /** Called with the new key. */
  onCreated: (key: string) => void;
}

export function KeyForm({ onClose, onCreated }: Props) {
  const write = useWrite("post", "/v1/keys");
  const dialog = useSchemaForm({
    schema: "KeyCreate",
    defaultValues: emptyKey,
    toBody: ({ name, labels, ...permissions }) => ({
      name,
      ...labelsBody(labels),
      permissions: permissions as Schema["Permissions"],
    }),
    check: ({ labels }) => labelErrors(labels),
  });
  const { form } = dialog;
  const { data: endpoints } = api.useQuery("get", "/v1/endpoints");
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title="New API key"
      action="Create key"
      onSubmit={async (body) => onCreated((await write.run({ body })).key)}
    >
      <TextField
        form={form}
        name="name"
        label="Name"
        hint="For example, the program that uses it."
        placeholder="nightly batch"
      />
      {(Object.keys(interfaceLabels) as Interface[]).map((name) => (
        <SelectField
          key={name}
          form={form}
          name={name}
          label={interfaceLabels[name]}
          options={Object.entries(accessLabels)}
        />
      ))}
      <NameChoices
        form={form}
        name="endpoints"
        label="Restrict to selected endpoints"
        resources={endpoints}
      />
      <LabelsField form={form} name="labels" />
    </FormDialog>
  );
}
