// The files of a container by its own shell and programs, those of BusyBox or of a distribution. Paths and names
// are strings of bytes ("latin1"). One operation at a time.

import type { ExecRequest, Execution } from "../../pod/exec.ts";
import {
  type AttributeChanges,
  attributesFrom,
  type DirectoryEntry,
  entryFrom,
  type FileAttributes,
  STAT_FORMAT,
} from "./attributes.ts";
import { ContainerShell } from "./container-shell.ts";
import { FileReader } from "./file-reader.ts";
import { FileWriter } from "./file-writer.ts";
import { quote } from "./shell-text.ts";

export interface OpenRequest {
  reads: boolean;
  writes: boolean;
  appends: boolean;
  creates: boolean;
  truncates: boolean;
  /** Fails if the file exists. */
  isExclusive: boolean;
  /** The permissions of a new file. */
  mode: number | null;
}

export type RunInContainer = (request: ExecRequest) => Promise<Execution>;

const functions = (separator: string) => `
fail() { echo "$1" >&2; exit 1; }
exists() { [ -e "$1" ] || [ -L "$1" ]; }
masked() { printf %o $(( 0$1 & ~0$(umask) )); }
usable() {
  [ -d "$1" ] && fail 'Is a directory'
  [ -f "$1" ] || [ -c "$1" ] || fail 'Not a regular file'
}
folder() {
  stat -L "$1" >/dev/null || exit 1
  [ -d "$1" ] || fail 'Not a directory'
  [ -r "$1" ] && [ -x "$1" ] || fail 'Permission denied'
}
list() {
  folder "$1"
  cd "$1" || exit 1
  set -- ./. ./..
  for name in .* *; do
    case $name in .|..) continue;; esac
    set -- "$@" "./$name"
    [ $# -lt 100 ] || { entries "$@"; set --; }
  done
  [ $# -eq 0 ] || entries "$@"
}
entries() { stat -c '${separator}${STAT_FORMAT} %n' "$@" 2>/dev/null || :; }
`;

export class ContainerFiles {
  /** Where relative paths begin. */
  readonly folder: string;
  readonly home: string;
  readonly #run: RunInContainer;
  readonly #shell: ContainerShell;
  readonly #reader: FileReader;

  /** Rejects with FileError if the image lacks a program that everything needs. */
  static async open(run: RunInContainer): Promise<ContainerFiles> {
    const shell = new ContainerShell(await run({ command: ["sh"], tty: null }));
    try {
      await shell.define(functions(shell.separator));
      const missing = 'fail "The image has no $name, which SFTP needs. Use ssh or scp -O."';
      await shell.run(`for name in stat dd cat; do command -v $name >&2 || ${missing}; done`);
      const printed = await shell.run(`printf '%s${shell.separator}%s' "$PWD" "$HOME"`);
      const [folder = "/", home = "/"] = printed.toString("latin1").split(shell.separator);
      return new ContainerFiles(run, shell, folder, home || folder);
    } catch (error) {
      await shell.end();
      throw error;
    }
  }

  private constructor(run: RunInContainer, shell: ContainerShell, folder: string, home: string) {
    this.#run = run;
    this.#shell = shell;
    this.#reader = new FileReader(shell);
    this.folder = folder;
    this.home = home;
  }

  async attributes(path: string, followsLinks: boolean): Promise<FileAttributes> {
    const follow = followsLinks ? "-L " : "";
    return attributesFrom(await this.#text(`stat ${follow}-c '${STAT_FORMAT}' ${quote(path)}`));
  }

  async list(path: string): Promise<DirectoryEntry[]> {
    const printed = await this.#text(`list ${quote(path)}`);
    return printed.split(this.#shell.separator).slice(1).map(entryFrom);
  }

  /** Fails unless it is a folder. */
  async openFolder(path: string): Promise<void> {
    await this.#text(`folder ${quote(path)}`);
  }

  /** The path without links; its last part need not exist. */
  async resolve(path: string): Promise<string> {
    const file = quote(path);
    return withoutNewline(await this.#text(`readlink -f ${file} || { stat ${file}; exit 1; }`));
  }

  async readLink(path: string): Promise<string> {
    return withoutNewline(
      await this.#text(`stat ${quote(path)} >/dev/null && readlink ${quote(path)}`),
    );
  }

  async change(path: string, changes: AttributeChanges): Promise<void> {
    const file = quote(path);
    const { size, mode, owner, times } = changes;
    const steps = [
      size !== undefined && `usable ${file}; ${resize(file, size)}`,
      owner && `chown ${owner.uid}:${owner.gid} ${file}`,
      mode !== undefined && `chmod ${(mode & 0o7777).toString(8)} ${file}`,
      times && setTimes(file, times),
    ].filter(Boolean);
    if (steps.length > 0) await this.#text(steps.map((each) => `{ ${each}; }`).join(" && "));
  }

  async makeFolder(path: string, mode: number | null): Promise<void> {
    const option = mode === null ? "" : `-m $(masked ${(mode & 0o7777).toString(8)}) `;
    await this.#text(`mkdir ${option}${quote(path)}`);
  }

  async removeFolder(path: string): Promise<void> {
    await this.#text(`rmdir ${quote(path)}`);
  }

  async removeFile(path: string): Promise<void> {
    await this.#text(`rm ${quote(path)}`);
  }

  /** Fails if something has the new name, unless it replaces it. */
  async rename(from: string, to: string, replaces: boolean): Promise<void> {
    const [source, target] = [quote(from), quote(to)];
    const make = replaces ? replace(source, target) : `exists ${target} && fail 'File exists'`;
    await this.#text(`stat ${source} >/dev/null || exit 1\n${make}\nmv -f ${source} ${target}`);
  }

  async link(path: string, target: string, isSymbolic: boolean): Promise<void> {
    const [link, from] = [quote(path), quote(target)];
    // A target that begins with "-" is no option.
    const ln = isSymbolic ? "ln -s --" : "ln --";
    await this.#text(`exists ${link} && fail 'File exists'\n${ln} ${from} ${link}`);
  }

  async openFile(path: string, request: OpenRequest): Promise<void> {
    await this.#text(openScript(quote(path), request));
  }

  /** Until what was written would outlive a crash of the machine. */
  async sync(path: string): Promise<void> {
    await this.#text(`dd if=/dev/null of=${quote(path)} conv=notrunc,fsync`);
  }

  writer(path: string, isAppending: boolean): FileWriter {
    return new FileWriter({ shell: this.#shell, run: this.#run }, path, isAppending);
  }

  read(path: string, offset: number, length: number): Promise<Buffer> {
    return this.#reader.read(path, offset, length);
  }

  async end(): Promise<void> {
    await this.#shell.end();
  }

  /** What a script prints, which may change what the reader holds. */
  async #text(script: string): Promise<string> {
    this.#reader.forget();
    return (await this.#shell.run(script)).toString("latin1");
  }
}

function openScript(file: string, request: OpenRequest): string {
  const { reads, writes, creates, truncates, isExclusive, mode } = request;
  const permissions =
    mode === null ? "" : ` && chmod $(masked ${(mode & 0o777).toString(8)}) ${file}`;
  const create = creates
    ? `${isExclusive ? "set -C; " : ""}: > ${file}${permissions}`
    : `: < ${file}; fail 'No such file'`;
  const steps = [
    `usable ${file}`,
    isExclusive && creates && "fail 'File exists'",
    reads && `: < ${file}`,
    writes && (truncates ? `: > ${file}` : `: >> ${file}`),
  ].filter(Boolean);
  return `if [ -e ${file} ]; then\n${steps.join("\n")}\nelse ${create}; fi`;
}

/** Renames as rename(2) does: `mv` would move into a folder of the name. */
const replace = (source: string, target: string) => `
if [ -L ${target} ]; then [ ! -d ${target} ] || rm ${target} || exit 1
elif [ -d ${target} ]; then
  [ -d ${source} ] || fail 'Is a directory'
  rmdir ${target} || exit 1
fi`;

const resize = (file: string, size: number) =>
  size === 0 ? `: > ${file}` : `dd of=${file} bs=1 seek=${size} count=0`;

/** Old versions of BusyBox set both times, to the last one. */
function setTimes(
  file: string,
  { accessedAt, modifiedAt }: { accessedAt: number; modifiedAt: number },
) {
  const touch = (option: string, time: number) =>
    `TZ=UTC0 touch -c ${option} -t ${stamp(time)} ${file}`;
  const modified = `${touch("-m", modifiedAt)} 2>/dev/null || ${touch("", modifiedAt)}`;
  return `${touch("-a", accessedAt)} 2>/dev/null; ${modified}`;
}

/** `YYYYMMDDhhmm.ss`, in UTC. */
const stamp = (seconds: number) =>
  new Date(seconds * 1_000)
    .toISOString()
    .replace(/\D/g, "")
    .replace(/^(\d{12})(\d\d).*/, "$1.$2");

const withoutNewline = (text: string) => text.replace(/\n$/, "");
