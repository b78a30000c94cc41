// What is filled in: a label, the control, a hint, and what is wrong with it.

import { Check } from "lucide-react";
import { Checkbox as RadixCheckbox, Switch as RadixSwitch } from "radix-ui";
import { type ComponentProps, type ReactNode, useId } from "react";
import { classes } from "./classes.ts";

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | null | undefined;
  className?: string | undefined;
  /** Is given what ties the control to its label and hint. */
  children: (tied: Tied) => ReactNode;
}

export interface Tied {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
}

export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId();
  const said = error || hint ? `${id}-said` : undefined;
  const tied: Tied = {
    id,
    ...(said && { "aria-describedby": said }),
    ...(error && { "aria-invalid": true as const }),
  };
  return (
    <div className={classes("min-w-0", className)}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      {children(tied)}
      {said && (
        <p id={said} className={classes("mt-1 text-xs", error ? "text-bad" : "text-muted")}>
          {error || hint}
        </p>
      )}
    </div>
  );
}

const box =
  "w-full rounded-control border border-line-strong bg-surface px-3 placeholder:text-muted/80 " +
  "aria-invalid:border-bad disabled:bg-sunken disabled:text-muted";

export function TextInput({ className, ...rest }: ComponentProps<"input">) {
  return (
    <input
      autoComplete="off"
      spellCheck={false}
      {...rest}
      className={classes(box, "h-9", className)}
    />
  );
}

export function TextArea({ className, ...rest }: ComponentProps<"textarea">) {
  return (
    <textarea spellCheck={false} {...rest} className={classes(box, "min-h-20 py-2", className)} />
  );
}

/** The browser's own: it is known to every keyboard and phone. */
export function Select({ className, ...rest }: ComponentProps<"select">) {
  return <select {...rest} className={classes(box, "h-9 cursor-pointer pr-8", className)} />;
}

interface CheckProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label: ReactNode;
  hint?: ReactNode;
  disabled?: boolean;
}

export function Checkbox({ checked, onChange, label, hint, disabled }: CheckProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <RadixCheckbox.Root
        id={id}
        checked={checked}
        disabled={disabled}
        onCheckedChange={(now) => onChange(now === true)}
        className="mt-0.5 flex size-4.5 shrink-0 cursor-pointer items-center justify-center rounded border border-line-strong bg-surface data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=checked]:text-on-accent"
      >
        <RadixCheckbox.Indicator>
          <Check className="size-3.5" strokeWidth={3} />
        </RadixCheckbox.Indicator>
      </RadixCheckbox.Root>
      <Words id={id} label={label} hint={hint} />
    </div>
  );
}

export function Switch({ checked, onChange, label, hint, disabled }: CheckProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <RadixSwitch.Root
        id={id}
        checked={checked}
        disabled={disabled}
        onCheckedChange={onChange}
        className="mt-0.5 h-5 w-9 shrink-0 cursor-pointer rounded-full bg-line-strong p-0.5 transition-colors data-[state=checked]:bg-accent"
      >
        <RadixSwitch.Thumb className="block size-4 rounded-full bg-surface transition-transform data-[state=checked]:translate-x-4" />
      </RadixSwitch.Root>
      <Words id={id} label={label} hint={hint} />
    </div>
  );
}

function Words({ id, label, hint }: { id: string; label: ReactNode; hint?: ReactNode }) {
  return (
    <label htmlFor={id} className="cursor-pointer text-sm">
      <span className="font-medium">{label}</span>
      {hint && <span className="block text-xs text-muted">{hint}</span>}
    </label>
  );
}
