// The files of a simulated Pod, which has no programs for SFTP: its shell answers requests of JSON, a line each.

import type { Execution } from "../../pod/exec.ts";
import type { AttributeChanges, DirectoryEntry, FileAttributes } from "./attributes.ts";
import type { OpenRequest, RunInContainer } from "./container-files.ts";
import { ShellEnded } from "./container-shell.ts";
import { FileError } from "./file-error.ts";
import type { PodFiles, PodFileWriter } from "./pod-files.ts";

/** The command that its shell knows. */
const COMMAND = "freehold-files";
const FOLDERS = { folder: "/root", home: "/root" };
/** The size of content in one request. */
const MAX_WRITE_BYTES = 262_144;

export class SimulatedFiles implements PodFiles {
  readonly folder = FOLDERS.folder;
  readonly home = FOLDERS.home;
  readonly #execution: Execution;
  readonly #lines: AsyncGenerator<string, void>;

  static async open(run: RunInContainer): Promise<SimulatedFiles> {
    return new SimulatedFiles(await run({ command: [COMMAND], tty: null }));
  }

  private constructor(execution: Execution) {
    this.#execution = execution;
    this.#lines = linesOf(execution);
  }

  async attributes(path: string, followsLinks: boolean): Promise<FileAttributes> {
    return (await this.#ask("attributes", path, { flag: followsLinks })) as FileAttributes;
  }

  async list(path: string): Promise<DirectoryEntry[]> {
    return (await this.#ask("list", path)) as DirectoryEntry[];
  }

  async openFolder(path: string): Promise<void> {
    await this.#ask("openFolder", path);
  }

  async resolve(path: string): Promise<string> {
    return (await this.#ask("resolve", path)) as string;
  }

  async readLink(path: string): Promise<string> {
    return (await this.#ask("readLink", path)) as string;
  }

  async change(path: string, { size, mode, owner, times }: AttributeChanges): Promise<void> {
    if (owner && (owner.uid !== 0 || owner.gid !== 0)) {
      throw new FileError("Operation not permitted");
    }
    await this.#ask("change", path, { changes: { size, mode, times } });
  }

  async makeFolder(path: string, mode: number | null): Promise<void> {
    await this.#ask("makeFolder", path);
    if (mode !== null) await this.change(path, { mode: mode & ~0o022 });
  }

  async removeFolder(path: string): Promise<void> {
    await this.#ask("removeFolder", path);
  }

  async removeFile(path: string): Promise<void> {
    await this.#ask("removeFile", path);
  }

  async rename(from: string, to: string, replaces: boolean): Promise<void> {
    await this.#ask("rename", from, { to, flag: replaces });
  }

  async link(path: string, target: string, isSymbolic: boolean): Promise<void> {
    await this.#ask("link", path, { to: target, flag: isSymbolic });
  }

  async openFile(
    path: string,
    { creates, truncates, isExclusive, mode }: OpenRequest,
  ): Promise<void> {
    const own = mode === null ? null : mode & ~0o022;
    await this.#ask("openFile", path, { open: { creates, truncates, isExclusive, mode: own } });
  }

  /** Files of a volume are written when the reply comes; nothing else outlives the service. */
  async sync(path: string): Promise<void> {
    await this.#ask("attributes", path, { flag: true });
  }

  async read(path: string, offset: number, length: number): Promise<Buffer> {
    return Buffer.from((await this.#ask("read", path, { offset, length })) as string, "base64");
  }

  writer(path: string, isAppending: boolean): PodFileWriter {
    let pieces: Buffer[] = [];
    let [start, end] = [0, 0];
    const flush = async () => {
      const content = Buffer.concat(pieces);
      pieces = [];
      for (let at = 0; at < content.length; at += MAX_WRITE_BYTES) {
        const data = content.subarray(at, at + MAX_WRITE_BYTES).toString("base64");
        await this.#ask("write", path, { offset: start + at, data, flag: isAppending });
      }
    };
    return {
      flush,
      async write(offset, bytes) {
        if (offset !== end) await flush();
        if (pieces.length === 0) start = offset;
        pieces.push(Buffer.from(bytes));
        end = offset + bytes.length;
        if (end - start >= MAX_WRITE_BYTES) await flush();
      },
      async abandon() {
        pieces = [];
      },
    };
  }

  async end(): Promise<void> {
    await this.#execution.end();
  }

  /** One at a time. Rejects with FileError if it fails. */
  async #ask(operation: string, path: string, more: object = {}): Promise<unknown> {
    await this.#execution.write(
      Buffer.from(`${JSON.stringify({ operation, path, ...more })}\n`, "latin1"),
    );
    const { value } = await this.#lines.next();
    if (!value) throw new ShellEnded("The Pod's shell ended.");
    const { result, error } = JSON.parse(value) as { result?: unknown; error?: string };
    if (error !== undefined) throw new FileError(error);
    return result;
  }
}

async function* linesOf(execution: Execution): AsyncGenerator<string, void> {
  let pieces: string[] = [];
  for await (const { output, bytes } of execution.output) {
    if (output !== "stdout") continue;
    const lines = bytes.toString("latin1").split("\n");
    for (const line of lines.slice(0, -1)) {
      yield pieces.join("") + line;
      pieces = [];
    }
    pieces.push(lines.at(-1)!);
  }
}
