// Invites somebody: a link that works once.

import { useState } from "react";
import { type Schema, service } from "../../api/client.ts";
import { Field, Select, TextInput } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";

export type Role = Schema["Member"]["role"];

export const roles: Record<Role, string> = {
  basic: "sees what there is, sends jobs and opens terminals",
  dev: "also creates, changes and deletes",
  billing: "sees and manages what is spent, and nothing else",
  admin: "may do everything",
};

interface Props {
  onClose: () => void;
  onMade: (link: string) => void;
}

export function Invite({ onClose, onMade }: Props) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("dev");
  const invite = async () => {
    const { data, error } = await service.POST("/v1/invitations", { body: { email, role } });
    if (error) throw error;
    onMade(data.link);
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Invite somebody"
      lead="You get a link to send them; it works for a week."
      action="Make the link"
      onSubmit={invite}
    >
      <Field label="E-mail" hint="Who it is for. Nothing is sent there.">
        {(tied) => (
          <TextInput
            {...tied}
            type="email"
            required
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        )}
      </Field>
      <Field label="Role">
        {(tied) => (
          <Select {...tied} value={role} onChange={({ target }) => setRole(target.value as Role)}>
            {Object.entries(roles).map(([each, may]) => (
              <option key={each} value={each}>
                {each}: {may}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </FormDialog>
  );
}
