// Which job a line of a worker's log belongs to. A line of a worker library is JSON with the job's id. Any
// other line belongs to the only job that ran when it was written; with several, the job is unknown.
// Pure.

/** The limits for the log of one job; older lines are deleted. */
export const MAX_JOB_LOG = { lines: 2_000, chars: 262_144 };

/** A line of a job's log: its time, its text, and its level if a worker library wrote it. */
export interface JobLine {
  at: number;
  text: string;
  level: string | null;
}

export interface LabelledLine extends JobLine {
  jobId: string;
}

/** The time during which a worker had a job. */
export interface JobSpan {
  jobId: string;
  from: number;
  /** Null while it runs. */
  to: number | null;
}

/** A line that is read, with the time in which it was written. */
export interface ReadLine {
  text: string;
  /** Its position in the log. */
  mark: string;
  /** Equals `to` if the time is known. */
  from: number;
  to: number;
}

interface PendingLine extends JobLine {
  /** Empty for a line of no job, null for an unknown one. */
  jobId: string | null;
  mark: string;
  from: number;
  seq: number;
}

/** At most this much is pending; the oldest lines are dropped. */
const MAX_PENDING = { lines: 20_000, chars: 4 * 1_048_576 };
const MAX_MARKS = 1_000;

/** The lines of one worker, in order, until they are taken. */
export class JobLines {
  #pending: PendingLine[] = [];
  #chars = 0;
  #seq = 0;
  /** Jobs whose start, but not their end, is in the log. */
  readonly #open = new Set<string>();
  /** The lines at which jobs started and ended. */
  readonly #started = new Marks();
  readonly #ended = new Marks();

  /** True if `take` needs the spans of the worker's jobs. */
  get needsSpans(): boolean {
    return this.#pending.some(({ jobId }) => jobId === null);
  }

  /** The earliest time of a line whose job is not known. */
  get unknownSince(): number {
    return Math.min(...this.#pending.map(({ jobId, from, at }) => (jobId === null ? from : at)));
  }

  add({ text, mark, from, to }: ReadLine): void {
    const own = libraryLine(text);
    const seq = ++this.#seq;
    if (own?.text === "Started.") this.#begin(own.jobId, seq);
    const [only = null] = this.#open.size === 1 ? this.#open : [];
    const line = own ?? { text, level: null, jobId: only };
    this.#pending.push({ ...line, mark, at: to, from, seq });
    this.#chars += line.text.length;
    if (own?.text === "Finished.") this.#end(own.jobId, seq);
    if (this.#pending.length > MAX_PENDING.lines || this.#chars > MAX_PENDING.chars) this.#drop();
  }

  /**
   * The lines whose job is known, in order, and the mark of the last line that this decides; null for none. A
   * line of an unknown job that may be written after `settledAt` waits with all lines after it: the job's start
   * may not have been read yet.
   */
  take(
    spans: readonly JobSpan[],
    settledAt: number,
  ): { lines: LabelledLine[]; mark: string | null } {
    const isOpen = ({ jobId, from, at }: PendingLine) =>
      jobId === null && from < at && at > settledAt;
    const firstOpen = this.#pending.findIndex(isOpen);
    const count = firstOpen < 0 ? this.#pending.length : firstOpen;
    const decided = this.#pending.splice(0, count);
    const lines = decided.flatMap((line) => {
      this.#chars -= line.text.length;
      const jobId = line.jobId ?? this.#onlyJob(line, spans);
      return jobId ? [{ jobId, at: line.at, text: line.text, level: line.level }] : [];
    });
    if (decided.some(({ jobId }) => jobId === null)) this.#forgetLost(spans);
    return { lines, mark: decided.at(-1)?.mark ?? null };
  }

  #onlyJob({ from, at, seq }: PendingLine, spans: readonly JobSpan[]): string | null {
    const possible = spans.filter(
      (span) =>
        span.from <= at &&
        (span.to === null || span.to >= from) &&
        (this.#started.at(span.jobId) ?? seq) <= seq &&
        (this.#ended.at(span.jobId) ?? seq) >= seq,
    );
    return possible.length === 1 ? possible[0]!.jobId : null;
  }

  /** A job that left the worker without a last line, such as a cancelled one, is not open any more. */
  #forgetLost(spans: readonly JobSpan[]): void {
    const running = new Set(spans.filter(({ to }) => to === null).map(({ jobId }) => jobId));
    for (const jobId of this.#open) if (!running.has(jobId)) this.#open.delete(jobId);
  }

  #begin(jobId: string, seq: number): void {
    this.#open.add(jobId);
    this.#started.set(jobId, seq);
  }

  #end(jobId: string, seq: number): void {
    this.#open.delete(jobId);
    this.#ended.set(jobId, seq);
  }

  /** Drops half, so that a fast log is not copied for each of its lines. */
  #drop(): void {
    const dropped = this.#pending.splice(0, Math.ceil(this.#pending.length / 2));
    this.#chars -= dropped.reduce((sum, { text }) => sum + text.length, 0);
  }
}

/** A line for each of the last thousand jobs. */
class Marks {
  readonly #seqs = new Map<string, number>();

  at(jobId: string): number | undefined {
    return this.#seqs.get(jobId);
  }

  set(jobId: string, seq: number): void {
    this.#seqs.delete(jobId);
    this.#seqs.set(jobId, seq);
    if (this.#seqs.size > MAX_MARKS) this.#seqs.delete(this.#seqs.keys().next().value!);
  }
}

/** The newest lines of one job that are stored together. */
export interface JobLogPiece {
  jobId: string;
  /** How many lines before them are left out. */
  omitted: number;
  lines: JobLine[];
  chars: number;
}

/** The lines of each job, within the limits. */
export function piecesOf(lines: readonly LabelledLine[]): JobLogPiece[] {
  const pieces = new Map<string, JobLogPiece>();
  for (const { jobId, ...line } of lines) {
    const piece = pieces.get(jobId) ?? { jobId, omitted: 0, lines: [], chars: 0 };
    pieces.set(jobId, piece);
    piece.lines.push(line);
    piece.chars += line.text.length;
  }
  return [...pieces.values()].map(newestOf);
}

function newestOf(piece: JobLogPiece): JobLogPiece {
  let { chars } = piece;
  let first = Math.max(0, piece.lines.length - MAX_JOB_LOG.lines);
  for (const line of piece.lines.slice(0, first)) chars -= line.text.length;
  while (chars > MAX_JOB_LOG.chars && first < piece.lines.length - 1) {
    chars -= piece.lines[first++]!.text.length;
  }
  return { ...piece, omitted: first, lines: piece.lines.slice(first), chars };
}

const LIBRARY_MEMBERS = new Set(["requestId", "message", "level"]);
const MAX_ID_CHARS = 100;

/** The line of a worker library; one with further members keeps its text. Null for any other. */
function libraryLine(text: string): Omit<LabelledLine, "at"> | null {
  if (!text.startsWith("{") || !text.includes('"requestId"')) return null;
  let line: Record<string, unknown>;
  try {
    line = JSON.parse(text);
  } catch {
    return null;
  }
  const { requestId: jobId, message, level } = line;
  if (jobId === null && typeof message === "string") return { jobId: "", text: "", level: null };
  if (typeof jobId !== "string" || jobId === "" || jobId.length > MAX_ID_CHARS) return null;
  const isPlain =
    typeof message === "string" && Object.keys(line).every((name) => LIBRARY_MEMBERS.has(name));
  const shown = typeof level === "string" ? level.slice(0, 20) : null;
  return { jobId, text: isPlain ? message : text, level: shown };
}

/** Whether a line was written in a job's time and does not name another job. */
export function mayBeOfJob(
  { at, text }: { at: number; text: string },
  { jobId, from, to }: JobSpan,
): boolean {
  const named = libraryLine(text)?.jobId ?? jobId;
  return named === jobId && at >= from && (to === null || at <= to);
}

/** The text form of stored lines. */
export const joinLines = (lines: readonly JobLine[]): string =>
  JSON.stringify(
    lines.map(({ at, text, level }) => (level === null ? [at, text] : [at, text, level])),
  );

export function parseLines(stored: string): JobLine[] {
  const lines = JSON.parse(stored) as [number, string, string?][];
  return lines.map(([at, text, level = null]) => ({ at, text, level }));
}
