// Tabs, each at an address of its own.

import { Link, type LinkProps } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

interface Props {
  label: string;
  tabs: { to: LinkProps["to"]; params: LinkProps["params"]; name: string }[];
}

export function Tabs({ label, tabs }: Props) {
  return (
    <nav aria-label={label} className="relative mb-5 overflow-x-auto border-b border-line">
      <ul className="flex gap-1">
        {tabs.map(({ to, params, name }) => (
          <li key={name}>
            <Link
              to={to}
              params={params}
              activeOptions={{ exact: true }}
              className="-mb-px flex h-9 items-center border-b-2 border-transparent px-3 whitespace-nowrap text-muted -outline-offset-2 hover:text-text data-[status=active]:border-accent data-[status=active]:font-medium data-[status=active]:text-text"
            >
              {({ isActive }) => <TabName name={name} isActive={isActive} tabs={tabs.length} />}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The active tab moves into sight, also when widths change later: a phone has no room for all of them. */
function TabName({ name, isActive, tabs }: { name: string; isActive: boolean; tabs: number }) {
  const text = useRef<HTMLSpanElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new tab is observed too
  useEffect(() => {
    const [bar, tab] = [text.current?.closest("nav"), text.current?.closest("li")];
    if (!isActive || !bar || !tab) return;
    const observer = new ResizeObserver(() => {
      bar.scrollLeft = tab.offsetLeft - (bar.clientWidth - tab.offsetWidth) / 2;
    });
    for (const each of [bar, ...bar.querySelectorAll("li")]) observer.observe(each);
    return () => observer.disconnect();
  }, [isActive, tabs]);
  return <span ref={text}>{name}</span>;
}
