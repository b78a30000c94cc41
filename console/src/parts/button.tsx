// What is pressed. One primary button on a page at most.

import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { classes } from "./classes.ts";

const looks = {
  primary: "bg-accent text-on-accent hover:bg-accent-strong border-transparent font-medium",
  plain: "bg-surface text-text border-line-strong hover:bg-sunken",
  quiet: "bg-transparent text-muted border-transparent hover:bg-sunken hover:text-text",
  danger: "bg-surface text-bad border-line-strong hover:bg-bad-soft hover:border-bad",
};

interface Props extends ComponentProps<"button"> {
  look?: keyof typeof looks;
  /** Shows that something is under way; it cannot be pressed meanwhile. */
  busy?: boolean;
  small?: boolean;
  /** Makes a link look like a button: `<Button asChild><Link .../></Button>`. */
  asChild?: boolean;
}

export function Button({ look = "plain", busy, small, asChild, className, ...rest }: Props) {
  const Part = asChild ? Slot.Root : "button";
  return (
    <Part
      {...(asChild ? {} : { type: "button" as const })}
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
      className={classes(
        "inline-flex items-center justify-center gap-1.5 whitespace-nowrap rounded-control border",
        "cursor-pointer select-none transition-colors disabled:cursor-not-allowed disabled:opacity-55",
        small ? "h-7 px-2.5 text-sm" : "h-9 px-3.5",
        looks[look],
        className,
      )}
    />
  );
}

interface IconProps extends ComponentProps<"button"> {
  /** What it does, for who cannot see the icon. */
  label: string;
}

export function IconButton({ label, className, ...rest }: IconProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={classes(
        "inline-flex size-8 shrink-0 cursor-pointer items-center justify-center rounded-control text-muted",
        "transition-colors hover:bg-sunken hover:text-text disabled:cursor-not-allowed disabled:opacity-50",
        className,
      )}
    />
  );
}
