// The dialogs that turn one-time codes on and off.

import { useMemo } from "react";
import { encode } from "uqr";
import type { Schema } from "../../../api/client.ts";
import { useWrite } from "../../../api/use-write.ts";
import { Copyable } from "../../../components/control/copy.tsx";
import { FormDialog } from "../../../components/form/form-dialog.tsx";
import { TextField } from "../../../components/form/form-fields.tsx";
import { PasswordField } from "../../../components/form/password-field.tsx";
import { useSchemaForm } from "../../../components/form/use-schema-form.ts";

interface ConfirmTotpProps {
  totp: Schema["NewTotp"];
  onClose: () => void;
  /** Called with the recovery codes. */
  onConfirmed: (codes: string[]) => void;
}

export function ConfirmTotp({ totp, onClose, onConfirmed }: ConfirmTotpProps) {
  const write = useWrite("put", "/v1/members/me/totp", { invalidates: ["/v1/session"] });
  const dialog = useSchemaForm({
    schema: "TotpConfirmation",
    defaultValues: { code: "" },
    toBody: ({ code }) => ({ code: code.replaceAll(/\s/g, "") }),
    check: ({ code }): { code?: string } => (code.trim() ? {} : { code: "Required" }),
    fieldsByCode: { code_refused: "code" },
  });
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title="Turn on one-time codes"
      lead="Scan the QR code with an authenticator app, then enter the code that the app shows."
      action="Turn on"
      onSubmit={async (body) => onConfirmed((await write.run({ body })).recoveryCodes)}
    >
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <QrCode text={totp.uri} />
        <div className="min-w-0 flex-1 basis-48 text-sm">
          <p className="text-muted">Cannot scan it? Type this key into the app:</p>
          <Copyable text={totp.secret} shown={inGroups(totp.secret)} />
        </div>
      </div>
      <TextField
        form={dialog.form}
        name="code"
        label="Code"
        hint="6 digits, which change every 30 seconds."
        mono
        inputMode="numeric"
        autoComplete="one-time-code"
      />
    </FormDialog>
  );
}

const inGroups = (secret: string) => secret.replaceAll(/.{4}(?=.)/g, "$& ");

/** Black on white in both themes, because many scanners read no inverted one. */
function QrCode({ text }: { text: string }) {
  const { size, path } = useMemo(() => {
    const { size, data } = encode(text, { ecc: "M", border: 4 });
    const squares = data.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])),
    );
    return { size, path: squares.join("") };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label="QR code for an authenticator app"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-48 shrink-0 rounded-control border border-line bg-[white]"
    >
      <path d={path} fill="black" />
    </svg>
  );
}

export function RemoveTotp({ onClose }: { onClose: () => void }) {
  const write = useWrite("delete", "/v1/members/me/totp", {
    success: "One-time codes turned off",
    invalidates: ["/v1/session"],
  });
  const dialog = useSchemaForm({
    schema: "TotpRemoval",
    defaultValues: { password: "" },
    toBody: ({ password }) => ({ password }),
    check: ({ password }): { password?: string } => (password ? {} : { password: "Required" }),
    fieldsByCode: { password_wrong: "password" },
  });
  return (
    <FormDialog
      form={dialog}
      onClose={onClose}
      title="Turn off one-time codes?"
      lead="Your password alone will sign you in. The recovery codes stop working."
      action="Turn off"
      onSubmit={(body) => write.run({ body })}
    >
      <PasswordField
        form={dialog.form}
        name="password"
        label="Your password"
        autoComplete="current-password"
      />
    </FormDialog>
  );
}
