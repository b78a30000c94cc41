// SFTP in a session: answers a client's requests one after the other, in their order. The channel is read no faster, so
// that a client that sends more than the container takes is held back.

import type { OpenRequest } from "../../../flows/ssh/files/container-files.ts";
import { FileError } from "../../../flows/ssh/files/file-error.ts";
import type { PodFiles } from "../../../flows/ssh/files/pod-files.ts";
import { MAX_HANDLES, OpenHandles } from "./open-handles.ts";
import { PacketFields, packetsOf } from "./packet-reader.ts";
import {
  attributesPacket,
  dataPacket,
  entriesPacket,
  handlePacket,
  limitsPacket,
  pathPacket,
  statusPacket,
  versionPacket,
} from "./packet-writer.ts";
import { MAX_DATA_BYTES, OPEN, REQUEST, STATUS } from "./wire.ts";

type Answer = (id: number, fields: PacketFields) => Promise<Buffer | undefined>;

const ENTRIES_AT_ONCE = 64;
const STATUS_OF = {
  missing: STATUS.noSuchFile,
  denied: STATUS.permissionDenied,
  failed: STATUS.failure,
} as const;

export class SftpSession {
  readonly #files: PodFiles;
  readonly #handles = new OpenHandles();

  constructor(files: PodFiles) {
    this.#files = files;
  }

  /** Ends with the input. Rejects with MalformedPacket, or ShellEnded if the container ended. */
  async serve(input: AsyncIterable<Buffer>, send: (packet: Buffer) => Promise<void>) {
    for await (const packet of packetsOf(input)) await send(await this.#answer(packet));
  }

  /** Files that are still open may be incomplete. */
  async end(): Promise<void> {
    const writers = this.#handles.files().map(({ writer }) => writer?.abandon());
    await Promise.allSettled([...writers, this.#files.end()]);
  }

  async #answer(packet: Buffer): Promise<Buffer> {
    const fields = new PacketFields(packet);
    const type = fields.byte();
    if (type === REQUEST.init) return versionPacket();
    const id = fields.uint32();
    const answer = this.#answers[type];
    if (!answer) return unsupported(id);
    try {
      return (await answer(id, fields)) ?? statusPacket(id, STATUS.ok, "");
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      return statusPacket(id, STATUS_OF[error.kind], error.message);
    }
  }

  readonly #answers: Record<number, Answer> = {
    [REQUEST.open]: async (id, fields) => {
      const path = this.#path(fields);
      const request = openRequestFrom(fields);
      this.#handles.check();
      await this.#files.openFile(path, request);
      const writer = request.writes ? this.#files.writer(path, request.appends) : null;
      return handlePacket(id, this.#handles.addFile({ path, writer }));
    },
    [REQUEST.close]: async (_id, fields) => {
      await this.#handles.remove(fields.string())?.writer?.flush();
      return undefined;
    },
    [REQUEST.read]: async (id, fields) => {
      const file = this.#handles.file(fields.string());
      const [offset, length] = [fields.uint64(), fields.uint32()];
      await file.writer?.flush();
      const size = Math.min(length, MAX_DATA_BYTES);
      const bytes = await this.#files.read(file.path, offset, size);
      return bytes.length > 0 ? dataPacket(id, bytes) : endOfFile(id);
    },
    [REQUEST.write]: async (_id, fields) => {
      const { writer } = this.#handles.file(fields.string());
      if (!writer) throw new FileError("The file is not open for writing");
      await writer.write(fields.uint64(), fields.bytes());
      return undefined;
    },
    [REQUEST.stat]: async (id, fields) =>
      attributesPacket(id, await this.#files.attributes(this.#path(fields), true)),
    [REQUEST.lstat]: async (id, fields) =>
      attributesPacket(id, await this.#files.attributes(this.#path(fields), false)),
    [REQUEST.fstat]: async (id, fields) => {
      const path = await this.#written(fields.string());
      return attributesPacket(id, await this.#files.attributes(path, true));
    },
    [REQUEST.setstat]: async (_id, fields) => {
      await this.#files.change(this.#path(fields), fields.attributes());
      return undefined;
    },
    [REQUEST.fsetstat]: async (_id, fields) => {
      await this.#files.change(await this.#written(fields.string()), fields.attributes());
      return undefined;
    },
    [REQUEST.opendir]: async (id, fields) => {
      const path = this.#path(fields);
      this.#handles.check();
      await this.#files.openFolder(path);
      return handlePacket(id, this.#handles.addFolder({ path, entries: null }));
    },
    [REQUEST.readdir]: async (id, fields) => {
      const folder = this.#handles.folder(fields.string());
      folder.entries ??= await this.#files.list(folder.path);
      const entries = folder.entries.splice(0, ENTRIES_AT_ONCE);
      return entries.length > 0 ? entriesPacket(id, entries) : endOfFile(id);
    },
    [REQUEST.remove]: async (_id, fields) => {
      await this.#files.removeFile(this.#path(fields));
      return undefined;
    },
    [REQUEST.mkdir]: async (_id, fields) => {
      await this.#files.makeFolder(this.#path(fields), fields.attributes().mode ?? null);
      return undefined;
    },
    [REQUEST.rmdir]: async (_id, fields) => {
      await this.#files.removeFolder(this.#path(fields));
      return undefined;
    },
    [REQUEST.realpath]: async (id, fields) =>
      pathPacket(id, await this.#files.resolve(this.#path(fields))),
    [REQUEST.rename]: async (_id, fields) => {
      await this.#files.rename(this.#path(fields), this.#path(fields), false);
      return undefined;
    },
    [REQUEST.readlink]: async (id, fields) =>
      pathPacket(id, await this.#files.readLink(this.#path(fields))),
    [REQUEST.symlink]: async (_id, fields) => {
      // The target comes first in OpenSSH, and so in every client; the specification has the link first.
      const target = noNul(fields.string());
      await this.#files.link(this.#path(fields), target, true);
      return undefined;
    },
    [REQUEST.extended]: (id, fields) => {
      const extension = this.#extensions[fields.string()];
      return extension ? extension(id, fields) : Promise.resolve(unsupported(id));
    },
  };

  readonly #extensions: Record<string, Answer> = {
    "posix-rename@openssh.com": async (_id, fields) => {
      await this.#files.rename(this.#path(fields), this.#path(fields), true);
      return undefined;
    },
    "hardlink@openssh.com": async (_id, fields) => {
      const target = this.#path(fields);
      await this.#files.link(this.#path(fields), target, false);
      return undefined;
    },
    "fsync@openssh.com": async (_id, fields) => {
      await this.#files.sync(await this.#written(fields.string()));
      return undefined;
    },
    "limits@openssh.com": async (id) => limitsPacket(id, MAX_HANDLES),
    "expand-path@openssh.com": async (id, fields) => {
      const path = noNul(fields.string()).replace(/^~(?=\/|$)/, this.#files.home);
      return pathPacket(id, await this.#files.resolve(this.#absolute(path)));
    },
  };

  /** The path of a handle, once what was written to it is in the file. */
  async #written(handle: string): Promise<string> {
    const path = this.#handles.path(handle);
    for (const file of this.#handles.files()) if (file.path === path) await file.writer?.flush();
    return path;
  }

  #path(fields: PacketFields): string {
    return this.#absolute(noNul(fields.string()));
  }

  #absolute(path: string): string {
    return path.startsWith("/") ? path : `${this.#files.folder}/${path}`;
  }
}

const endOfFile = (id: number) => statusPacket(id, STATUS.eof, "End of file");
const unsupported = (id: number) => statusPacket(id, STATUS.unsupported, "Not supported");

function noNul(path: string): string {
  if (path.includes("\0")) throw new FileError("A path has no NUL");
  return path;
}

function openRequestFrom(fields: PacketFields): OpenRequest {
  const flags = fields.uint32();
  const has = (flag: number) => (flags & flag) !== 0;
  return {
    reads: has(OPEN.read),
    writes: has(OPEN.write),
    appends: has(OPEN.append),
    creates: has(OPEN.create),
    truncates: has(OPEN.truncate),
    isExclusive: has(OPEN.exclusive),
    mode: fields.attributes().mode ?? null,
  };
}
