// A segmented control: one of a few options, all visible.

import { ToggleGroup } from "radix-ui";

interface Props<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: Record<Value, string>;
}

export function Choice<Value extends string>({ label, value, onChange, options }: Props<Value>) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      onValueChange={(chosen) => chosen && onChange(chosen as Value)}
      className="inline-flex max-w-full flex-wrap rounded-control border border-line-strong bg-sunken p-0.5"
    >
      {(Object.entries(options) as [Value, string][]).map(([each, name]) => (
        <ToggleGroup.Item
          key={each}
          value={each}
          className="h-7.5 cursor-pointer rounded-[5px] px-3 text-sm text-muted data-[state=on]:bg-surface data-[state=on]:font-medium data-[state=on]:text-text data-[state=on]:shadow-sm"
        >
          {name}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
