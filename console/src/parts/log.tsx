// A log as it is written: it keeps at its end until somebody scrolls up, and what is searched is marked.

import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { classes } from "./classes.ts";
import { Select } from "./field.tsx";
import { SearchInput } from "./search.tsx";
import { counted } from "./units.ts";
import { type FollowedLog, type Line, useLog } from "./use-log.ts";

const LINE_HEIGHT = 20;

/** `address` is that of its route: "/v1/workers/abc/logs". */
export function Log({ address }: { address: string }) {
  const [type, setType] = useState<Line["type"] | "">("");
  const [search, setSearch] = useState("");
  const { lines, state } = useLog(address, type || null);
  const shown = useMemo(() => {
    const wanted = search.toLowerCase();
    return wanted ? lines.filter(({ text }) => text.toLowerCase().includes(wanted)) : lines;
  }, [lines, search]);
  return (
    <div className="rounded-card border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-3 border-b border-line p-3">
        <SearchInput label="Search the log" value={search} onChange={setSearch} />
        <Select
          aria-label="Whose lines"
          className="w-auto!"
          value={type}
          onChange={({ target }) => setType(target.value as Line["type"] | "")}
        >
          <option value="">All lines</option>
          <option value="container">Of the container</option>
          <option value="system">Of the service</option>
        </Select>
        <p role="status" className="ml-auto text-sm text-muted">
          {search ? `${counted(shown.length, "line")} found` : stateWords[state]}
        </p>
      </div>
      <Lines lines={shown} search={search} empty={emptyWords(state, search)} />
    </div>
  );
}

const stateWords: Record<FollowedLog["state"], string> = {
  connecting: "Reading",
  following: "Live",
  ended: "Ended",
  broken: "Cannot be read",
};

function emptyWords(state: FollowedLog["state"], search: string): string {
  if (search) return "No line has that in it.";
  if (state === "broken") return "The log cannot be read; it may be kept no longer.";
  return state === "ended" ? "Nothing was printed." : "Nothing was printed yet.";
}

interface LinesProps {
  lines: Line[];
  search: string;
  empty: string;
}

function Lines({ lines, search, empty }: LinesProps) {
  const box = useRef<HTMLDivElement>(null);
  const [following, setFollowing] = useState(true);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_HEIGHT,
    getItemKey: (n) => lines[n]!.n,
    overscan: 20,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever there are more
  useEffect(() => {
    if (following && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [following, lines]);
  const note = () => {
    const { scrollTop, clientHeight, scrollHeight } = box.current!;
    setFollowing(scrollTop + clientHeight >= scrollHeight - LINE_HEIGHT);
  };
  return (
    <div className="relative">
      <div
        ref={box}
        role="log"
        aria-label="Log"
        tabIndex={0}
        onScroll={note}
        className="h-[min(60dvh,36rem)] overflow-auto py-2 font-mono text-xs leading-5 -outline-offset-2"
      >
        {lines.length === 0 && <p className="px-4 py-2 font-sans text-sm text-muted">{empty}</p>}
        <div className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((item) => (
            <div
              key={item.key}
              className="absolute top-0 left-0 min-w-full px-4 whitespace-pre"
              style={{ height: LINE_HEIGHT, transform: `translateY(${item.start}px)` }}
            >
              <One line={lines[item.index]!} search={search} />
            </div>
          ))}
        </div>
      </div>
      {!following && (
        <Button small className="absolute right-4 bottom-4" onClick={() => setFollowing(true)}>
          To the end
        </Button>
      )}
    </div>
  );
}

function One({ line: { at, type, text }, search }: { line: Line; search: string }) {
  return (
    <>
      <span className="mr-3 inline-block w-16 text-muted select-none">{at && timeOf(at)}</span>
      <span className={classes(type === "system" && "text-info")}>{marked(text, search)}</span>
    </>
  );
}

const timeOf = (at: string) => new Date(at).toLocaleTimeString("en-GB");

/** ANSI's colours are for terminals. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it begins them
const ANSI = /\u001b\[[0-9;?]*[A-Za-z]/g;

function marked(text: string, search: string): ReactNode {
  const plain = text.replace(ANSI, "");
  const at = search ? plain.toLowerCase().indexOf(search.toLowerCase()) : -1;
  if (at < 0) return plain;
  const end = at + search.length;
  return (
    <>
      {plain.slice(0, at)}
      <mark className="rounded-sm bg-warn-soft text-warn">{plain.slice(at, end)}</mark>
      {plain.slice(end)}
    </>
  );
}
