// A menu of actions.

import { Ellipsis } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { joinClasses } from "../format/class-names.ts";
import { IconButton } from "./button.tsx";

export interface Item {
  label: string;
  onSelect: () => void;
  disabled?: boolean;
  danger?: boolean;
}

interface Props {
  /** For screen readers: "Actions for trainer". */
  label: string;
  items: (Item | null | false)[];
  children?: ReactNode;
}

export function Menu({ label, items, children }: Props) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        {children ?? (
          <IconButton label={label}>
            <Ellipsis className="size-4" />
          </IconButton>
        )}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          className="z-50 min-w-44 rounded-card border border-line bg-raised p-1 shadow-raised"
        >
          {items
            .filter((item) => item !== null && item !== false)
            .map((item) => (
              <DropdownMenu.Item
                key={item.label}
                {...(item.disabled ? { disabled: true } : {})}
                onSelect={item.onSelect}
                className={joinClasses(
                  "flex h-8 cursor-pointer items-center rounded-control px-2.5 outline-none data-[disabled]:cursor-not-allowed data-[disabled]:opacity-50",
                  item.danger
                    ? "text-bad data-[highlighted]:bg-bad-soft"
                    : "data-[highlighted]:bg-sunken",
                )}
              >
                {item.label}
              </DropdownMenu.Item>
            ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
