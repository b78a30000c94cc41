// The uploads that are not complete.

import { X } from "lucide-react";
import { IconButton } from "../../../components/control/button.tsx";
import { Meter } from "../../../components/data/usage-bar.tsx";
import { formatBytes } from "../../../components/format/units.ts";
import type { Upload } from "./use-uploads.ts";

export function UploadList({ uploads }: { uploads: Upload[] }) {
  if (uploads.length === 0) return null;
  return (
    <ul
      aria-label="Uploads"
      className="mb-4 divide-y divide-line rounded-card border border-line bg-surface"
    >
      {uploads.map(({ id, name, size, share, error, cancel }) => (
        <li key={id} className="flex items-center gap-4 px-4 py-2.5">
          <div className="min-w-0 flex-1">
            <p className="truncate font-medium">{name}</p>
            {error ? (
              <p role="alert" className="text-sm text-bad">
                {error}
              </p>
            ) : (
              <Meter label={`Upload of ${name}`} share={share} />
            )}
          </div>
          <span className="shrink-0 text-sm text-muted">
            {error ? "Failed" : `${Math.floor(share * 100)}% of ${formatBytes(size)}`}
          </span>
          <IconButton label={error ? `Dismiss ${name}` : `Cancel ${name}`} onClick={cancel}>
            <X className="size-4" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
