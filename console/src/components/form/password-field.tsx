// A field for a password, which can be shown while it is typed.

import { type ComponentProps, useState } from "react";
import type { FieldValues } from "react-hook-form";
import { TextField } from "./form-fields.tsx";

type Props<Values extends FieldValues> = Omit<
  ComponentProps<typeof TextField<Values>>,
  "type" | "autoComplete"
> & {
  /** What password managers offer: the password that they keep, or a new one. */
  autoComplete: "current-password" | "new-password";
};

/** Beside a new password. */
export const PASSWORD_HINT =
  "At least 8 characters. A few unrelated words are easy to remember and hard to guess.";

export function PasswordField<Values extends FieldValues>(props: Props<Values>) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="relative">
      <TextField
        autoCapitalize="none"
        {...(props as ComponentProps<typeof TextField<Values>>)}
        type={isShown ? "text" : "password"}
      />
      <button
        type="button"
        aria-label={`${isShown ? "Hide" : "Show"} ${String(props.label).toLowerCase()}`}
        onClick={() => setShown(!isShown)}
        className="absolute -top-0.5 right-0 h-6 min-w-6 cursor-pointer rounded-control text-sm text-muted underline hover:text-text"
      >
        {isShown ? "Hide" : "Show"}
      </button>
    </div>
  );
}
