// The progress of a pull, from the engine's JSON lines. Pure.

interface Report {
  id?: string;
  status?: string;
  error?: string;
  progressDetail?: { current?: number; total?: number };
}

export class PullProgress {
  /** The error of a failed pull, which the engine reports after its successful status. */
  error: string | null = null;
  /** Grows with each line: a pull whose count stands still makes no progress. */
  lineCount = 0;
  #rest = "";
  readonly #layers = new Map<string, { current: number; total: number; done: boolean }>();

  add(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop()!;
    this.lineCount += lines.length;
    for (const line of lines) if (line.trim() !== "") this.#apply(JSON.parse(line) as Report);
  }

  line(): string {
    const layers = [...this.#layers.values()];
    const done = layers.filter((layer) => layer.done).length;
    const current = layers.reduce((sum, layer) => sum + layer.current, 0);
    const total = layers.reduce((sum, layer) => sum + layer.total, 0);
    return `pulling: ${done} of ${layers.length} layers, ${megabytes(current)} of ${megabytes(total)} MB`;
  }

  #apply({ id, status = "", error, progressDetail }: Report): void {
    if (error !== undefined) this.error = error;
    if (id === undefined || /^Pulling from/.test(status)) return;
    const layer = this.#layers.get(id) ?? { current: 0, total: 0, done: false };
    if (status === "Downloading") {
      layer.current = progressDetail?.current ?? layer.current;
      layer.total = progressDetail?.total ?? layer.total;
    }
    if (/^(?:Download complete|Pull complete|Already exists)/.test(status)) {
      layer.current = layer.total;
      layer.done = status !== "Download complete";
    }
    this.#layers.set(id, layer);
  }
}

const megabytes = (bytes: number) => Math.round(bytes / 1e6);
