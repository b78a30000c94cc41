// Running a job again: with another input, or from a program.

import { Link } from "@tanstack/react-router";
import type { Schema } from "../../api/client.ts";
import { copyText } from "../../components/control/copy.tsx";
import { Menu } from "../../components/control/menu.tsx";
import { showToast } from "../../toast.tsx";
import { type Language, snippet } from "./snippets.ts";

type Job = Schema["Job"];

/** The example for JavaScript is valid TypeScript too. */
const languages: Record<string, Language> = {
  curl: "curl",
  Python: "Python",
  TypeScript: "JavaScript",
};

export function RunAgainLink({ job: { id, endpointId } }: { job: Job }) {
  return (
    <Link
      to="/serverless/$endpointId/request"
      params={{ endpointId }}
      search={{ job: id }}
      className="inline-flex h-9 items-center rounded-control border border-line-strong bg-surface px-3.5 font-medium hover:bg-sunken"
    >
      Edit and run again
    </Link>
  );
}

export function CopyRequestMenu({ job }: { job: Job }) {
  const { endpointId, input, sync, webhook } = job;
  const body = { input, ...(webhook !== undefined && { webhook }) };
  const request = { endpointId, method: sync ? "runsync" : "run", body } as const;
  const items = Object.entries(languages).map(([name, language]) => ({
    label: `Copy as ${name}`,
    onSelect: () =>
      void copyText(snippet(language, request)).then(
        (isCopied) => isCopied && showToast(`Copied as ${name}`),
      ),
  }));
  return <Menu label="Copy the request" items={items} />;
}
