// The dialog that sets or changes the member's password.

import { useWrite } from "../../../api/use-write.ts";
import { FormDialog } from "../../../components/form/form-dialog.tsx";
import { PASSWORD_HINT, PasswordField } from "../../../components/form/password-field.tsx";
import { useSchemaForm } from "../../../components/form/use-schema-form.ts";

interface Props {
  /** Whether there is a password so far. */
  isChange: boolean;
  onClose: () => void;
}

export function PasswordDialog({ isChange, onClose }: Props) {
  const write = useWrite("put", "/v1/members/me/password", {
    success: isChange ? "Password changed" : "Password set",
    invalidates: ["/v1/session", "/v1/sessions"],
  });
  const dialog = useSchemaForm({
    schema: "PasswordSet",
    defaultValues: { password: "", current: "" },
    toBody: ({ password, current }) => ({ password, ...(isChange && { current }) }),
    check: ({ password, current }) => ({
      ...(password === "" && { password: "Required" }),
      ...(isChange && current === "" && { current: "Required" }),
    }),
    fieldsByCode: { password_wrong: "current", password_refused: "password" },
  });
  const { form } = dialog;
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title={isChange ? "Change your password" : "Set a password"}
      lead="Your other sessions end."
      action={isChange ? "Change password" : "Set password"}
      onSubmit={(body) => write.run({ body })}
    >
      {isChange && (
        <PasswordField
          form={form}
          name="current"
          label="Current password"
          autoComplete="current-password"
        />
      )}
      <PasswordField
        form={form}
        name="password"
        label="New password"
        hint={PASSWORD_HINT}
        autoComplete="new-password"
      />
    </FormDialog>
  );
}
