// The attributes of a file, as `stat` prints them.

export interface FileAttributes {
  /** Type and permissions. */
  mode: number;
  uid: number;
  gid: number;
  size: number;
  /** In seconds. */
  accessedAt: number;
  modifiedAt: number;
  links: number;
  user: string;
  group: string;
}

export interface DirectoryEntry {
  name: string;
  attributes: FileAttributes;
}

/** The changes that a client can ask for. */
export interface AttributeChanges {
  size?: number;
  mode?: number;
  owner?: { uid: number; gid: number };
  times?: { accessedAt: number; modifiedAt: number };
}

export const STAT_FORMAT = "%f %u %g %s %X %Y %h %U %G";
const FIELDS = STAT_FORMAT.split(" ").length;

export function attributesFrom(line: string): FileAttributes {
  const [mode = "", ...rest] = line.trim().split(" ");
  const [uid, gid, size, accessedAt, modifiedAt, links] = rest.map(Number);
  return {
    mode: Number.parseInt(mode, 16),
    uid: uid!,
    gid: gid!,
    size: size!,
    links: links!,
    accessedAt: accessedAt!,
    modifiedAt: modifiedAt!,
    user: rest.at(-2)!,
    group: rest.at(-1)!,
  };
}

/** The name follows the attributes, and is that of a path below ".". */
export function entryFrom(record: string): DirectoryEntry {
  const fields = record.split(" ", FIELDS).join(" ");
  const name = record.slice(fields.length + " ./".length, -"\n".length);
  return { name, attributes: attributesFrom(fields) };
}
