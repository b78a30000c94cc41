// Tabs, each at an address of its own.

import { Link, type LinkProps } from "@tanstack/react-router";

interface Props {
  label: string;
  tabs: { to: LinkProps["to"]; params: LinkProps["params"]; name: string }[];
}

export function Tabs({ label, tabs }: Props) {
  return (
    <nav aria-label={label} className="mb-5 overflow-x-auto border-b border-line">
      <ul className="flex gap-1">
        {tabs.map(({ to, params, name }) => (
          <li key={name}>
            <Link
              to={to}
              params={params}
              activeOptions={{ exact: true }}
              className="-mb-px flex h-9 items-center border-b-2 border-transparent px-3 whitespace-nowrap text-muted -outline-offset-2 hover:text-text data-[status=active]:border-accent data-[status=active]:font-medium data-[status=active]:text-text"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
