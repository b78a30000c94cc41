// The files of a simulated Pod for SFTP: a command that reads requests and prints replies, each a line of JSON.
// Paths and names are strings of bytes ("latin1"), content is base64.

import path from "node:path/posix";
import type { FsStat, IFileSystem } from "just-bash/browser";
import { yieldToEventLoop } from "../../../../base/clock.ts";
import type { OutputWindow } from "./output-window.ts";
import { MAX_FILE_BYTES } from "./volume-files.ts";

/** Its name as a command. */
export const FILE_SERVER = "freehold-files";

interface FileRequest {
  operation: string;
  path: string;
  /** The second path of a rename or a link. */
  to?: string;
  flag?: boolean;
  offset?: number;
  length?: number;
  data?: string;
  changes?: { size?: number; mode?: number; times?: { accessedAt: number; modifiedAt: number } };
  open?: { creates: boolean; truncates: boolean; isExclusive: boolean; mode: number | null };
}

const TYPE = { file: 0o100000, folder: 0o040000, link: 0o120000 };
const MAX_LINE_CHARS = 1_048_576;

export class FileServer {
  readonly ended: Promise<void>;
  readonly #end: () => void;
  readonly #files: Promise<IFileSystem>;
  readonly #output: OutputWindow;
  /** What was read last, until something else is asked. */
  #content: { path: string; bytes: Uint8Array } | null = null;
  #rest = "";
  #last: Promise<void> = Promise.resolve();
  #hasEnded = false;

  constructor(files: Promise<IFileSystem>, output: OutputWindow) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#end = resolve;
    this.#files = files;
    this.#output = output;
  }

  /** Resolves once there is room for more input. */
  async write(bytes: Uint8Array): Promise<void> {
    const lines = (this.#rest + Buffer.from(bytes).toString("latin1")).split("\n");
    this.#rest = lines.pop()!.slice(0, MAX_LINE_CHARS);
    for (const line of lines) this.#last = this.#last.then(() => this.#serve(line));
    await this.#last;
  }

  endInput(): void {
    void this.#last.then(this.#end);
  }

  end(): void {
    this.#hasEnded = true;
    this.#end();
  }

  async #serve(line: string): Promise<void> {
    let reply: object;
    await this.#output.room();
    if (this.#hasEnded) return;
    try {
      const request = JSON.parse(line) as FileRequest;
      if (request.operation !== "read") this.#content = null;
      reply = { result: (await this.#answer(await this.#files, request)) ?? null };
    } catch (error) {
      reply = { error: reasonOf(error as Error) };
    }
    this.#output.send("stdout", Buffer.from(`${JSON.stringify(reply)}\n`, "latin1"));
    // Other shells share the thread.
    await yieldToEventLoop();
  }

  async #answer(files: IFileSystem, request: FileRequest): Promise<unknown> {
    const file = nameFrom(request.path);
    const { to = "", flag = false } = request;
    switch (request.operation) {
      case "attributes":
        return attributesOf(flag ? await files.stat(file) : await files.lstat(file));
      case "list":
        return this.#list(files, file);
      case "openFolder":
        if (!(await files.stat(file)).isDirectory) throw new Error("Not a directory");
        return null;
      case "resolve":
        return bytesOf(await this.#resolve(files, file));
      case "readLink":
        return bytesOf(await files.readlink(file));
      case "change":
        return this.#change(files, file, request.changes ?? {});
      case "makeFolder":
        return files.mkdir(file);
      case "removeFolder":
        return this.#remove(files, file, true);
      case "removeFile":
        return this.#remove(files, file, false);
      case "rename":
        if (!flag && (await files.exists(nameFrom(to)))) throw new Error("File exists");
        return files.mv(file, nameFrom(to));
      case "link":
        if (flag) return files.symlink(nameFrom(to), file);
        return files.link(nameFrom(to), file);
      case "openFile":
        return this.#open(files, file, request.open!);
      case "read":
        return this.#read(files, file, request.offset ?? 0, request.length ?? 0);
      case "write":
        return this.#write(files, file, flag ? null : (request.offset ?? 0), request.data ?? "");
      default:
        throw new Error("Not supported");
    }
  }

  async #list(files: IFileSystem, folder: string) {
    const names = [".", "..", ...(await files.readdir(folder))];
    const entries = await Promise.all(
      names.map(async (name) => ({
        name: bytesOf(name),
        attributes: attributesOf(await files.lstat(path.join(folder, name))),
      })),
    );
    return entries;
  }

  /** The last part need not exist. */
  async #resolve(files: IFileSystem, file: string): Promise<string> {
    if (await files.exists(file)) return files.realpath(file);
    const parent = await files.realpath(path.dirname(file));
    return path.join(parent, path.basename(file));
  }

  async #change(
    files: IFileSystem,
    file: string,
    { size, mode, times }: NonNullable<FileRequest["changes"]>,
  ) {
    if (size !== undefined) {
      const old = await files.readFileBuffer(file);
      const content = newContent(size);
      content.set(old.subarray(0, size));
      await files.writeFile(file, content);
    }
    if (mode !== undefined) await files.chmod(file, mode & 0o7777);
    if (!times) return;
    const [accessed, modified] = [times.accessedAt, times.modifiedAt].map(
      (at) => new Date(at * 1_000),
    );
    await files.utimes(file, accessed!, modified!);
  }

  async #remove(files: IFileSystem, file: string, isFolder: boolean) {
    const { isDirectory } = await files.lstat(file);
    if (isDirectory !== isFolder) throw new Error(isFolder ? "Not a directory" : "Is a directory");
    if (isFolder && (await files.readdir(file)).length > 0) throw new Error("Directory not empty");
    await files.rm(file);
  }

  async #open(
    files: IFileSystem,
    file: string,
    { creates, truncates, isExclusive, mode }: NonNullable<FileRequest["open"]>,
  ) {
    const exists = await files.exists(file);
    if (exists && isExclusive && creates) throw new Error("File exists");
    if (!exists && !creates) throw new Error("No such file or directory");
    if (exists && (await files.stat(file)).isDirectory) throw new Error("Is a directory");
    if (!exists || truncates) await files.writeFile(file, new Uint8Array());
    if (!exists && mode !== null) await files.chmod(file, mode & 0o777);
  }

  async #read(files: IFileSystem, file: string, offset: number, length: number): Promise<string> {
    if (this.#content?.path !== file) {
      this.#content = { path: file, bytes: await files.readFileBuffer(file) };
    }
    return Buffer.from(this.#content.bytes.subarray(offset, offset + length)).toString("base64");
  }

  /** At the end without an offset. */
  async #write(
    files: IFileSystem,
    file: string,
    offset: number | null,
    data: string,
  ): Promise<void> {
    const bytes = Buffer.from(data, "base64");
    const { size } = await files.stat(file);
    if (offset === null || offset === size) return files.appendFile(file, bytes);
    const old = await files.readFileBuffer(file);
    const content = newContent(Math.max(old.length, offset + bytes.length));
    content.set(old);
    content.set(bytes, offset);
    await files.writeFile(file, content);
  }
}

/** A client names any size in a few bytes. */
function newContent(size: number): Uint8Array {
  if (size > MAX_FILE_BYTES) throw new Error("File too large");
  return new Uint8Array(size);
}

function attributesOf({ isDirectory, isSymbolicLink, mode, size, mtime }: FsStat) {
  const type = isDirectory ? TYPE.folder : isSymbolicLink ? TYPE.link : TYPE.file;
  const at = Math.floor(mtime.getTime() / 1_000);
  const times = { accessedAt: at, modifiedAt: at };
  return {
    mode: type | (mode & 0o7777),
    uid: 0,
    gid: 0,
    size,
    ...times,
    links: 1,
    user: "root",
    group: "root",
  };
}

/** File systems of just-bash have names of text. */
function nameFrom(bytes: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      Buffer.from(bytes, "latin1"),
    );
  } catch {
    throw new Error("A name in a simulated Pod must be UTF-8");
  }
}

const bytesOf = (name: string) => Buffer.from(name).toString("latin1");

/** "ENOENT: no such file or directory, open '/x'" without its frame. */
const reasonOf = ({ message }: Error) =>
  message.replace(/^E[A-Z]+: /, "").replace(/, \w+ '.*$/s, "");
