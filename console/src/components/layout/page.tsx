// The layout of a page: its title, its actions and its content.

import { type ReactNode, useEffect } from "react";

interface Props {
  title: ReactNode;
  /** The title of the browser tab, if `title` is not a string. */
  name?: string;
  lead?: ReactNode;
  /** Links to the parent pages, above the title. */
  back?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, name, lead, back, actions, children }: Props) {
  const tab = name ?? (typeof title === "string" ? title : null);
  useEffect(() => {
    document.title = tab ? `${tab} · Freehold` : "Freehold";
  }, [tab]);
  return (
    <div className="mx-auto w-full max-w-[1240px] px-4 pt-6 pb-16 sm:px-8">
      <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          {back && <div className="mb-1 text-sm text-muted">{back}</div>}
          <h1 className="text-xl leading-8 font-semibold tracking-tight">{title}</h1>
          {lead && <p className="mt-0.5 max-w-[68ch] text-muted">{lead}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
