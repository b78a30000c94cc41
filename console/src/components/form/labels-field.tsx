// The labels of a resource in a form: a row for each, with its name and its value.

import { Plus, X } from "lucide-react";
import { useId, useRef, useState } from "react";
import {
  type FieldPathByValue,
  type FieldValues,
  type UseFormReturn,
  useController,
} from "react-hook-form";
import { Button, IconButton } from "../control/button.tsx";
import { TextInput } from "../control/field.tsx";
import { joinClasses } from "../format/class-names.ts";
import { type LabelRow, labelRows, labelsText } from "./label-rows.ts";

interface Props<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  /** The field of a text with one name=value per line. */
  name: FieldPathByValue<Values, string>;
  className?: string;
}

const HINT = "For searches and cost reports, such as team = search.";

export function LabelsField<Values extends FieldValues>({ form, name, className }: Props<Values>) {
  const { field, fieldState } = useController({ control: form.control, name });
  const [edited, setEdited] = useState<LabelRow[]>(() => labelRows(field.value));
  const wasAdded = useRef(false);
  const messageId = useId();
  // A form that is reset has other labels than were edited.
  const rows = labelsText(edited) === field.value ? edited : labelRows(field.value);
  const change = (next: LabelRow[]) => {
    setEdited(next);
    field.onChange(labelsText(next));
  };
  const error = fieldState.error?.message;
  return (
    <fieldset
      ref={field.ref}
      tabIndex={-1}
      data-invalid={error ? true : undefined}
      className={joinClasses("rounded-control", className)}
      aria-describedby={messageId}
    >
      <legend className="mb-1 text-sm font-medium">Labels</legend>
      <div className="space-y-2">
        {[...rows.keys()].map((n) => (
          <Row
            key={n}
            number={n + 1}
            row={rows[n]!}
            takesFocus={() => {
              const takes = wasAdded.current && n === rows.length - 1;
              if (takes) wasAdded.current = false;
              return takes;
            }}
            onChange={(row) => change(rows.with(n, row))}
            onRemove={() => change(rows.toSpliced(n, 1))}
          />
        ))}
        <Button
          small
          onClick={() => {
            wasAdded.current = true;
            change([...rows, { name: "", value: "" }]);
          }}
        >
          <Plus aria-hidden className="size-3.5" />
          Add label
        </Button>
      </div>
      <p id={messageId} className={error ? "mt-1 text-xs text-bad" : "mt-1 text-xs text-muted"}>
        {error || HINT}
      </p>
    </fieldset>
  );
}

interface RowProps {
  number: number;
  row: LabelRow;
  takesFocus: () => boolean;
  onChange: (row: LabelRow) => void;
  onRemove: () => void;
}

function Row({ number, row, takesFocus, onChange, onRemove }: RowProps) {
  return (
    <div className="flex items-center gap-2">
      <TextInput
        ref={(input) => {
          if (input && takesFocus()) input.focus();
        }}
        aria-label={`Name of label ${number}`}
        placeholder="team"
        className="min-w-0 flex-1 font-mono"
        value={row.name}
        onChange={({ target }) => {
          // A whole label may be pasted.
          const [name = "", ...rest] = target.value.split("=");
          onChange(rest.length > 0 ? { name, value: rest.join("=") } : { ...row, name });
        }}
      />
      <span aria-hidden className="text-muted">
        =
      </span>
      <TextInput
        aria-label={`Value of label ${number}`}
        placeholder="search"
        className="min-w-0 flex-1 font-mono"
        value={row.value}
        onChange={({ target }) => onChange({ ...row, value: target.value })}
      />
      <IconButton label={`Remove label ${number}`} onClick={onRemove}>
        <X className="size-4" />
      </IconButton>
    </div>
  );
}
