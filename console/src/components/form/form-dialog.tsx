// A form in a dialog. It closes once its write succeeds.

import type { ReactNode } from "react";
import type { FieldValues } from "react-hook-form";
import { Button } from "../control/button.tsx";
import { ErrorNote } from "../feedback/error-note.tsx";
import { Dialog, DialogActions } from "../layout/dialog.tsx";
import type { SchemaForm } from "./use-schema-form.ts";

interface Props<Values extends FieldValues, Body> {
  form: SchemaForm<Values, Body>;
  onClose: () => void;
  title: string;
  lead?: ReactNode;
  /** The text of the submit button. */
  action: string;
  wide?: boolean;
  children: ReactNode;
  onSubmit: (body: Body, values: Values) => Promise<unknown>;
}

export function FormDialog<Values extends FieldValues, Body>(props: Props<Values, Body>) {
  const { form, onClose, title, lead, action, wide = false, children, onSubmit } = props;
  const submit = async () => {
    if (await form.submit(onSubmit)) onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      lead={lead}
      wide={wide}
      staysOpen={form.form.formState.isDirty}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div className="space-y-4">{children}</div>
        <FormError error={form.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={form.isSubmitting}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** An error that belongs to no field. */
export function FormError({ error }: { error: unknown }) {
  if (error === null) return null;
  return (
    <div className="mt-4">
      <ErrorNote error={error} />
    </div>
  );
}
