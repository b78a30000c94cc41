// Buttons. A page has at most one primary button.

import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { joinClasses } from "../format/class-names.ts";

const variantClasses = {
  primary: "bg-accent text-on-accent hover:bg-accent-strong border-transparent font-medium",
  plain: "bg-surface text-text border-line-strong hover:bg-sunken",
  quiet: "bg-transparent text-muted border-transparent hover:bg-sunken hover:text-text",
  danger: "bg-surface text-bad border-line-strong hover:bg-bad-soft hover:border-bad",
};

interface Props extends ComponentProps<"button"> {
  variant?: keyof typeof variantClasses;
  /** Disables the button while a write is pending. */
  busy?: boolean;
  small?: boolean;
  /** Gives a link the look of a button: `<Button asChild><Link .../></Button>`. */
  asChild?: boolean;
}

export function Button({ variant = "plain", busy, small, asChild, className, ...rest }: Props) {
  const Part = asChild ? Slot.Root : "button";
  return (
    <Part
      {...(asChild ? {} : { type: "button" as const })}
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
      className={joinClasses(
        "inline-flex items-center justify-center gap-1.5 whitespace-nowrap rounded-control border",
        "cursor-pointer select-none transition-colors disabled:cursor-not-allowed disabled:opacity-55",
        small ? "h-7 px-2.5 text-sm" : "h-9 px-3.5",
        variantClasses[variant],
        className,
      )}
    />
  );
}

interface IconProps extends ComponentProps<"button"> {
  /** What the button does, for screen readers. */
  label: string;
  small?: boolean;
}

export function IconButton({ label, small, className, ...rest }: IconProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={joinClasses(
        "inline-flex shrink-0 cursor-pointer items-center justify-center rounded-control text-muted",
        small ? "size-[24px]" : "size-8",
        "transition-colors hover:bg-sunken hover:text-text disabled:cursor-not-allowed disabled:opacity-50",
        className,
      )}
    />
  );
}
