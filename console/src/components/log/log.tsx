// A live log. It follows its end until you scroll up, and highlights matches of a search.

import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { Button } from "../control/button.tsx";
import { Select } from "../control/field.tsx";
import { SearchInput } from "../control/search-input.tsx";
import { joinClasses } from "../format/class-names.ts";
import { formatTime } from "../format/time.ts";
import { formatQuantity } from "../format/units.ts";
import { type FollowedLog, type Line, useLog } from "./use-log.ts";

const LINE_HEIGHT = 20;

interface LogProps {
  /** The path of the log: "/v1/workers/abc/logs". */
  address: string;
  /** The log of a job has lines of its workers only. */
  hasOneSource?: boolean;
}

export function Log({ address, hasOneSource = false }: LogProps) {
  const [type, setType] = useState<Line["type"] | "">("");
  const [search, setSearch] = useState("");
  const { lines, state } = useLog(address, type || null);
  const visibleLines = useMemo(() => {
    const wanted = search.toLowerCase();
    return wanted ? lines.filter(({ text }) => text.toLowerCase().includes(wanted)) : lines;
  }, [lines, search]);
  return (
    <div className="rounded-card border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-3 border-b border-line p-3">
        <SearchInput label="Search the log" value={search} onChange={setSearch} />
        {!hasOneSource && (
          <Select
            aria-label="Source"
            className="w-auto!"
            value={type}
            onChange={({ target }) => setType(target.value as Line["type"] | "")}
          >
            <option value="">All lines</option>
            <option value="container">Container</option>
            <option value="system">Freehold</option>
          </Select>
        )}
        <p role="status" className="ml-auto text-sm text-muted">
          {search ? `${formatQuantity(visibleLines.length, "line")} found` : stateText[state]}
        </p>
      </div>
      <LogLines lines={visibleLines} search={search} empty={emptyText(state, search)} />
    </div>
  );
}

const stateText: Record<FollowedLog["state"], string> = {
  connecting: "Connecting",
  following: "Live",
  ended: "Ended",
  broken: "Unavailable",
};

function emptyText(state: FollowedLog["state"], search: string): string {
  if (search) return "No matching lines";
  if (state === "broken") return "This log is not available. It may have expired.";
  return state === "ended" ? "No log lines" : "No log lines yet";
}

interface LinesProps {
  lines: Line[];
  search: string;
  empty: string;
}

function LogLines({ lines, search, empty }: LinesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [isFollowing, setFollowing] = useState(true);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    getItemKey: (n) => lines[n]!.n,
    overscan: 20,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever there are more
  useEffect(() => {
    if (isFollowing && scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  }, [isFollowing, lines]);
  const updateFollowing = () => {
    const { scrollTop, clientHeight, scrollHeight } = scroller.current!;
    setFollowing(scrollTop + clientHeight >= scrollHeight - LINE_HEIGHT);
  };
  return (
    <div className="relative">
      <div
        ref={scroller}
        role="log"
        aria-label="Log"
        tabIndex={0}
        onScroll={updateFollowing}
        className="max-h-[min(60dvh,36rem)] min-h-24 overflow-auto py-2 font-mono text-xs leading-5 -outline-offset-2"
      >
        {lines.length === 0 && <p className="px-4 py-2 font-sans text-sm text-muted">{empty}</p>}
        <div className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((item) => (
            <div
              key={item.key}
              className="absolute top-0 left-0 min-w-full px-4 whitespace-pre"
              style={{ height: LINE_HEIGHT, transform: `translateY(${item.start}px)` }}
            >
              <LogLine line={lines[item.index]!} search={search} />
            </div>
          ))}
        </div>
      </div>
      {!isFollowing && (
        <Button small className="absolute right-4 bottom-4" onClick={() => setFollowing(true)}>
          Jump to latest
        </Button>
      )}
    </div>
  );
}

const levelColors: Record<string, string> = { ERROR: "text-bad", WARN: "text-warn" };

function LogLine({ line: { at, type, text, level }, search }: { line: Line; search: string }) {
  return (
    <>
      <span className="mr-3 inline-block w-16 text-muted select-none">
        {at && formatTime(at, true)}
      </span>
      <span className={joinClasses(type === "system" ? "text-info" : levelColors[level ?? ""])}>
        {highlightMatches(text, search)}
      </span>
    </>
  );
}

/** ANSI escape sequences color text in terminals only. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it begins them
const ANSI = /\u001b\[[0-9;?]*[A-Za-z]/g;

function highlightMatches(text: string, search: string): ReactNode {
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
