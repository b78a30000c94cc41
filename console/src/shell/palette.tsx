// The command palette: pages, resources, actions and references by name or id.

import { type LinkProps, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { kindName, useResources } from "../api/resources.ts";
import { useCanWrite } from "../api/session.ts";
import { TextInput } from "../components/control/field.tsx";
import { matchesSearch } from "../components/control/search-input.tsx";
import { joinClasses } from "../components/format/class-names.ts";
import { Dialog } from "../components/layout/dialog.tsx";
import { paths } from "../paths.ts";
import { useVisibleGroups } from "./visible-groups.ts";

interface Command {
  id: string;
  name: string;
  kind: string;
  /** A page of the console, or an address outside of it. */
  target: LinkProps | string;
}

const MAX_SHOWN = 12;

const references: Command[] = [
  { id: "docs", name: "Documentation", kind: "Reference", target: "/docs" },
  { id: "v1", name: "API reference, REST v1", kind: "Reference", target: "/v1/docs" },
  { id: "v2", name: "API reference, REST v2", kind: "Reference", target: "/v2/docs" },
];

const actions: Command[] = [
  { id: "deploy", name: "Deploy Pod", kind: "Action", target: { to: paths.deployPod } },
  { id: "endpoint", name: "New endpoint", kind: "Action", target: { to: paths.newEndpoint } },
];

export function Palette({ onClose }: { onClose: () => void }) {
  const [search, setSearch] = useState("");
  const [selected, setSelected] = useState(0);
  const commands = useCommands(search);
  const navigate = useNavigate();
  const open = ({ target }: Command) => {
    onClose();
    if (typeof target === "string") window.location.assign(target);
    else void navigate(target);
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setSelected((selected + step + commands.length) % Math.max(1, commands.length));
    } else if (event.key === "Enter" && commands[selected]) {
      event.preventDefault();
      open(commands[selected]);
    }
  };
  return (
    <Dialog open onOpenChange={onClose} title="Go to" atTop>
      <TextInput
        autoFocus
        role="combobox"
        aria-label="Search pages and resources"
        aria-expanded
        aria-controls="palette"
        aria-activedescendant={commands[selected] && `palette-${selected}`}
        placeholder="Name or id"
        value={search}
        onChange={({ target }) => {
          setSearch(target.value);
          setSelected(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette" role="listbox" aria-label="Results" className="mt-3">
        {commands.map((command, n) => (
          <div
            key={`${command.kind} ${command.id}`}
            ref={(option) => {
              if (n === selected) option?.scrollIntoView({ block: "nearest" });
            }}
            id={`palette-${n}`}
            role="option"
            tabIndex={-1}
            aria-selected={n === selected}
            onClick={() => open(command)}
            onKeyDown={onKeyDown}
            onPointerMove={() => setSelected(n)}
            className={joinClasses(
              "flex cursor-pointer items-center justify-between gap-4 rounded-control px-3 py-2",
              n === selected && "bg-sunken",
            )}
          >
            <span className="truncate">{command.name}</span>
            <span className="shrink-0 text-sm text-muted">{command.kind}</span>
          </div>
        ))}
      </div>
      {commands.length === 0 && <p className="py-4 text-center text-muted">Nothing found</p>}
    </Dialog>
  );
}

function useCommands(search: string): Command[] {
  const groups = useVisibleGroups();
  const resources = useResources();
  const mayWrite = useCanWrite();
  const pages = groups
    .flatMap(({ items }) => items.flatMap(({ parts }) => parts))
    .map(({ to, name }): Command => ({ id: to, name, kind: "Page", target: { to } as LinkProps }));
  const found = [
    ...pages,
    ...(mayWrite ? actions : []),
    ...resources.map(({ id, name, kind, link }): Command => {
      return { id, name, kind: kindName(kind), target: link };
    }),
    ...references,
  ].filter(({ id, name, kind }) => matchesSearch(search, name, id, kind));
  return [...found.slice(0, MAX_SHOWN), ...jobCommand(search)];
}

/** A text that looks like the id of a job opens its page. */
function jobCommand(search: string): Command[] {
  const id = search.trim();
  if (!/^[\w-]{8,}$/.test(id)) return [];
  const target: LinkProps = { to: paths.job, params: { jobId: id } };
  return [{ id, name: `Job ${id}`, kind: "Job", target }];
}
