// Further fields of a form, which open on request, and when one of them has an error.

import { type ReactNode, useEffect, useRef } from "react";
import { type FieldValues, type UseFormReturn, useFormState } from "react-hook-form";
import { joinClasses } from "../format/class-names.ts";

interface Props<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  title: string;
  /** Whether it looks like a card. */
  asCard?: boolean;
  children: ReactNode;
}

const INVALID = "[aria-invalid=true], [data-invalid]";

export function MoreFields<Values extends FieldValues>(props: Props<Values>) {
  const { form, title, asCard = false, children } = props;
  const details = useRef<HTMLDetailsElement>(null);
  const { errors } = useFormState({ control: form.control });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields show the errors
  useEffect(() => {
    const box = details.current;
    if (!box || box.open || !box.querySelector(INVALID)) return;
    box.open = true;
    // A field takes the focus only when it is shown.
    const first = box.closest("form")?.querySelector<HTMLElement>(INVALID);
    if (first && box.contains(first)) first.focus();
  }, [errors]);
  return (
    <details
      ref={details}
      className={joinClasses(asCard && "rounded-card border border-line bg-surface")}
    >
      <summary
        className={joinClasses(
          "cursor-pointer rounded-control",
          asCard ? "px-4 py-3 font-medium" : "w-fit text-sm text-muted hover:text-text",
        )}
      >
        {title}
      </summary>
      <div className={asCard ? "border-t border-line p-4" : "mt-4"}>{children}</div>
    </details>
  );
}
