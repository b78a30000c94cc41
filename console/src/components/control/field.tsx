// Form controls, and the field around one: its label, its hint and its error.

import { Check } from "lucide-react";
import { Checkbox as RadixCheckbox, Switch as RadixSwitch } from "radix-ui";
import { type ComponentProps, type ReactNode, type Ref, useId } from "react";
import { joinClasses } from "../format/class-names.ts";

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | null | undefined;
  className?: string | undefined;
  /** Receives the attributes that connect the control with its label and hint. */
  children: (control: ControlProps) => ReactNode;
}

export interface ControlProps {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
}

export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId();
  const messageId = error || hint ? `${id}-said` : undefined;
  const control: ControlProps = {
    id,
    ...(messageId && { "aria-describedby": messageId }),
    ...(error && { "aria-invalid": true as const }),
  };
  return (
    <div className={joinClasses("min-w-0", className)}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      {children(control)}
      {messageId && (
        <p
          id={messageId}
          className={joinClasses("mt-1 text-xs", error ? "text-bad" : "text-muted")}
        >
          {error || hint}
        </p>
      )}
    </div>
  );
}

const controlClasses =
  "w-full rounded-control border border-line-strong bg-surface px-3 placeholder:text-muted/80 " +
  "aria-invalid:border-bad disabled:bg-sunken disabled:text-muted";

export function TextInput({ className, ...rest }: ComponentProps<"input">) {
  return (
    <input
      autoComplete="off"
      spellCheck={false}
      {...rest}
      className={joinClasses(controlClasses, "h-9", className)}
    />
  );
}

export function TextArea({ className, ...rest }: ComponentProps<"textarea">) {
  return (
    <textarea
      spellCheck={false}
      {...rest}
      className={joinClasses(controlClasses, "min-h-20 py-2", className)}
    />
  );
}

/** The native select, which works with every keyboard and phone. */
export function Select({ className, ...rest }: ComponentProps<"select">) {
  return (
    <select
      {...rest}
      className={joinClasses(controlClasses, "h-9 cursor-pointer pr-8", className)}
    />
  );
}

interface CheckProps {
  ref?: Ref<HTMLButtonElement>;
  checked: boolean;
  onChange: (checked: boolean) => void;
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  disabled?: boolean | undefined;
}

export function Checkbox({ ref, checked, onChange, label, hint, error, disabled }: CheckProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <RadixCheckbox.Root
        ref={ref}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-said` : undefined}
        checked={checked}
        disabled={disabled}
        onCheckedChange={(now) => onChange(now === true)}
        className="mt-0.5 flex size-4.5 shrink-0 cursor-pointer items-center justify-center rounded border border-line-strong bg-surface data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=checked]:text-on-accent"
      >
        <RadixCheckbox.Indicator>
          <Check className="size-3.5" strokeWidth={3} />
        </RadixCheckbox.Indicator>
      </RadixCheckbox.Root>
      <ControlLabel {...{ id, label, hint, error }} />
    </div>
  );
}

export function Switch({ ref, checked, onChange, label, hint, error, disabled }: CheckProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <RadixSwitch.Root
        ref={ref}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-said` : undefined}
        checked={checked}
        disabled={disabled}
        onCheckedChange={onChange}
        className="mt-0.5 h-5 w-9 shrink-0 cursor-pointer rounded-full bg-line-strong p-0.5 transition-colors data-[state=checked]:bg-accent"
      >
        <RadixSwitch.Thumb className="block size-4 rounded-full bg-surface transition-transform data-[state=checked]:translate-x-4" />
      </RadixSwitch.Root>
      <ControlLabel {...{ id, label, hint, error }} />
    </div>
  );
}

type LabelProps = Pick<CheckProps, "label" | "hint" | "error"> & { id: string };

function ControlLabel({ id, label, hint, error }: LabelProps) {
  return (
    <div className="text-sm">
      <label htmlFor={id} className="cursor-pointer">
        <span className="font-medium">{label}</span>
        {hint && <span className="block text-xs text-muted">{hint}</span>}
      </label>
      {error && (
        <p id={`${id}-said`} className="text-xs text-bad">
          {error}
        </p>
      )}
    </div>
  );
}
