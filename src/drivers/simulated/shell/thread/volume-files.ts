// The files of a volume, as a file system of the simulated shell: real files below one folder.

import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path/posix";
import type { FsStat, IFileSystem } from "just-bash/browser";
import { MIB } from "../../../../base/units.ts";
import { failure, VolumePaths } from "./volume-paths.ts";
import type { VolumeSpace } from "./volume-space.ts";

/** A longer text cannot be held by the shell. */
export const MAX_FILE_BYTES = 64 * MIB;
const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY, O_CREAT, O_APPEND } = constants;

type Content = string | Uint8Array;
type Encoding = { encoding?: BufferEncoding | null } | BufferEncoding;

export interface Volume {
  folder: string;
  mountPath: string;
  /** Null if it has no size. */
  space: VolumeSpace | null;
}

/** The files of a volume. Their errors do not tell where its folder is. */
export function openVolumeFiles(volume: Volume): IFileSystem {
  return new Proxy<IFileSystem>(new VolumeFileSystem(volume), {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        const answer: unknown = member.apply(target, args);
        return answer instanceof Promise ? answer.catch(throwWithoutPath) : answer;
      };
    },
  });
}

function throwWithoutPath(error: NodeJS.ErrnoException): never {
  const { code = "EIO", message } = error;
  throw failure(code, message.replace(/^E[A-Z]+: /, "").replace(/, \w+ '.*$/s, ""));
}

class VolumeFileSystem implements IFileSystem {
  readonly #folder: string;
  readonly #paths: VolumePaths;
  readonly #space: VolumeSpace | null;

  constructor({ folder, mountPath, space }: Volume) {
    this.#folder = folder;
    this.#paths = new VolumePaths(folder, mountPath);
    this.#space = space;
  }

  async readFile(file: string, options?: Encoding): Promise<string> {
    return Buffer.from(await this.readFileBuffer(file)).toString(encodingOf(options));
  }

  async readFileBytes(file: string) {
    const bytes = Buffer.from(await this.readFileBuffer(file)).toString("latin1");
    return bytes as unknown as Awaited<ReturnType<NonNullable<IFileSystem["readFileBytes"]>>>;
  }

  async readFileBuffer(file: string): Promise<Uint8Array> {
    return this.#withFile(file, O_RDONLY, (fd) => {
      if (fstatSync(fd).size > MAX_FILE_BYTES) throw failure("EFBIG", "File too large");
      return readFileSync(fd);
    });
  }

  /** Keeps what the file has if there is no space for its new content. */
  async writeFile(file: string, content: Content, options?: Encoding): Promise<void> {
    const bytes = bytesOf(content, options);
    this.#withFile(file, O_WRONLY | O_CREAT, (fd) => {
      this.#reserve(bytes.length - fstatSync(fd).size);
      ftruncateSync(fd);
      writeFileSync(fd, bytes);
    });
  }

  async appendFile(file: string, content: Content, options?: Encoding): Promise<void> {
    const bytes = bytesOf(content, options);
    this.#withFile(file, O_WRONLY | O_CREAT | O_APPEND, (fd) => {
      this.#reserve(bytes.length);
      writeFileSync(fd, bytes);
    });
  }

  async exists(file: string): Promise<boolean> {
    try {
      // A link that leads nowhere exists, and can be removed.
      return lstatSync(this.#paths.ownPath(file), { throwIfNoEntry: false }) !== undefined;
    } catch {
      return false;
    }
  }

  /** A link that leads nowhere has its own: `rm` asks for it. */
  async stat(file: string): Promise<FsStat> {
    try {
      return statOf(lstatSync(this.#paths.realPath(file)));
    } catch (error) {
      const own = lstatSync(this.#paths.ownPath(file));
      if (own.isSymbolicLink()) return statOf(own);
      throw error;
    }
  }

  async lstat(file: string): Promise<FsStat> {
    return statOf(lstatSync(this.#paths.ownPath(file)));
  }

  async mkdir(file: string, { recursive = false } = {}): Promise<void> {
    if (recursive) {
      const parent = path.dirname(path.resolve("/", file));
      if (parent !== "/" && !(await this.exists(parent))) await this.mkdir(parent, { recursive });
      if (await this.exists(file)) return;
    }
    mkdirSync(this.#paths.ownPath(file));
  }

  async readdir(file: string): Promise<string[]> {
    return readdirSync(this.#paths.realPath(file)).sort();
  }

  async rm(file: string, { recursive = false, force = false } = {}): Promise<void> {
    const real = this.#paths.ownPath(file);
    const stat = lstatSync(real, { throwIfNoEntry: false });
    if (!stat) {
      if (force) return;
      throw failure("ENOENT", "No such file or directory");
    }
    if (!stat.isDirectory()) {
      unlinkSync(real);
      return this.#release(stat);
    }
    if (real === this.#folder) throw failure("EBUSY", "Device or resource busy");
    if (recursive)
      for (const name of readdirSync(real)) await this.rm(path.join(file, name), { recursive });
    rmdirSync(real);
  }

  async cp(from: string, to: string, { recursive = false } = {}): Promise<void> {
    const stat = await this.stat(from);
    if (!stat.isDirectory) return this.writeFile(to, await this.readFileBuffer(from));
    if (!recursive) throw failure("EISDIR", "Is a directory");
    if (`${path.resolve("/", to)}/`.startsWith(`${path.resolve("/", from)}/`)) {
      throw failure("EINVAL", "Invalid argument");
    }
    await this.mkdir(to, { recursive });
    for (const name of await this.readdir(from)) {
      await this.cp(path.join(from, name), path.join(to, name), { recursive });
    }
  }

  async mv(from: string, to: string): Promise<void> {
    const [source, target] = [this.#paths.ownPath(from), this.#paths.ownPath(to)];
    const replaced = lstatSync(target, { throwIfNoEntry: false });
    renameSync(source, target);
    if (replaced && source !== target) this.#release(replaced);
  }

  resolvePath(base: string, file: string): string {
    return path.resolve("/", base, file);
  }

  /** Globs read the folders instead. */
  getAllPaths(): string[] {
    return [];
  }

  /** The service keeps its own access, so that it can remove what the Pod leaves. */
  async chmod(file: string, mode: number): Promise<void> {
    const real = this.#paths.realPath(file);
    const own = lstatSync(real).isDirectory() ? 0o700 : 0o600;
    chmodSync(real, (mode & 0o777) | own);
  }

  async symlink(target: string, link: string): Promise<void> {
    symlinkSync(target, this.#paths.ownPath(link));
  }

  async link(existing: string, link: string): Promise<void> {
    linkSync(this.#paths.realPath(existing), this.#paths.ownPath(link));
  }

  async readlink(file: string): Promise<string> {
    return readlinkSync(this.#paths.ownPath(file));
  }

  async realpath(file: string): Promise<string> {
    const real = this.#paths.realPath(file);
    lstatSync(real);
    return `/${path.relative(this.#folder, real)}`;
  }

  async utimes(file: string, accessed: Date, modified: Date): Promise<void> {
    utimesSync(this.#paths.realPath(file), accessed, modified);
  }

  #reserve(bytes: number): void {
    if (this.#space && !this.#space.reserve(bytes)) {
      throw failure("ENOSPC", "No space left on device");
    }
  }

  /** The space of a file that was removed, unless it has another name. */
  #release(stat: Stats): void {
    if (stat.isFile() && stat.nlink === 1) this.#reserve(-stat.size);
  }

  #withFile<T>(file: string, flags: number, use: (fd: number) => T): T {
    const fd = openSync(this.#paths.realPath(file), flags | O_NOFOLLOW | O_NONBLOCK, 0o666);
    try {
      const stat = fstatSync(fd);
      if (stat.isDirectory()) throw failure("EISDIR", "Is a directory");
      if (!stat.isFile()) throw failure("EINVAL", "Invalid argument");
      return use(fd);
    } finally {
      closeSync(fd);
    }
  }
}

const encodingOf = (options?: Encoding): BufferEncoding =>
  (typeof options === "string" ? options : options?.encoding) ?? "utf8";

const bytesOf = (content: Content, options?: Encoding) =>
  typeof content === "string" ? Buffer.from(content, encodingOf(options)) : content;

function statOf(stat: Stats): FsStat {
  return {
    isFile: stat.isFile(),
    isDirectory: stat.isDirectory(),
    isSymbolicLink: stat.isSymbolicLink(),
    mode: stat.mode & 0o7777,
    size: stat.size,
    mtime: stat.mtime,
    dev: stat.dev,
    ino: stat.ino,
  };
}
