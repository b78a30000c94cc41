// A table cell with the name of a resource and its copyable id.

import type { ReactNode } from "react";
import { CopyButton } from "../control/copy.tsx";

export function NameCell({ name, id }: { name: ReactNode; id: string }) {
  return (
    <>
      <div className="truncate leading-[24px] font-medium [&>a]:block [&>a]:truncate">{name}</div>
      <IdLine id={id} />
    </>
  );
}

export function IdLine({ id }: { id: string }) {
  return (
    <div className="flex h-[24px] items-center gap-0.5 text-xs font-normal text-muted">
      <code className="min-w-0 truncate">{id}</code>
      <CopyButton small text={id} label={`Copy ${id}`} />
    </div>
  );
}
