// The form that invites a member.

import type { Schema } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { FormDialog } from "../../components/form/form-dialog.tsx";
import { SelectField, TextField } from "../../components/form/form-fields.tsx";
import { useSchemaForm } from "../../components/form/use-schema-form.ts";

export type Role = Schema["Member"]["role"];

export const roleDescriptions: Record<Role, string> = {
  basic: "View resources, send jobs and open terminals",
  member: "Create, see and change only what is their own; send jobs to all endpoints",
  dev: "See everything; create, change and delete resources",
  billing: "View and manage spending only",
  admin: "Full access",
};

interface Props {
  onClose: () => void;
  /** Called with the invitation link. */
  onCreated: (link: string) => void;
}

export function InvitationForm({ onClose, onCreated }: Props) {
  const write = useWrite("post", "/v1/invitations");
  const dialog = useSchemaForm({
    schema: "InvitationCreate",
    defaultValues: { email: "", role: "dev" },
    toBody: ({ email, role }) => ({ email, role: role as Role }),
  });
  const { form } = dialog;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title="Invite a member"
      lead="Creates a link for you to send. It is valid for 7 days."
      action="Create invitation"
      onSubmit={async (body) => onCreated((await write.run({ body })).link)}
    >
      <TextField
        form={form}
        name="email"
        label="Email"
        hint="Identifies the member. Freehold sends no email."
        type="email"
      />
      <SelectField
        form={form}
        name="role"
        label="Role"
        options={Object.entries(roleDescriptions).map(
          ([role, description]) => [role, `${role}: ${description}`] as const,
        )}
      />
    </FormDialog>
  );
}
