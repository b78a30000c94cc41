// The numbers of SFTP version 3 (draft-ietf-secsh-filexfer-02), and OpenSSH's extensions that are offered.

export const VERSION = 3;

export const REQUEST = {
  init: 1,
  open: 3,
  close: 4,
  read: 5,
  write: 6,
  lstat: 7,
  fstat: 8,
  setstat: 9,
  fsetstat: 10,
  opendir: 11,
  readdir: 12,
  remove: 13,
  mkdir: 14,
  rmdir: 15,
  realpath: 16,
  stat: 17,
  rename: 18,
  readlink: 19,
  symlink: 20,
  extended: 200,
} as const;

export const REPLY = {
  version: 2,
  status: 101,
  handle: 102,
  data: 103,
  name: 104,
  attrs: 105,
  extended: 201,
} as const;

export const STATUS = {
  ok: 0,
  eof: 1,
  noSuchFile: 2,
  permissionDenied: 3,
  failure: 4,
  badMessage: 5,
  unsupported: 8,
} as const;

export const OPEN = {
  read: 1,
  write: 2,
  append: 4,
  create: 8,
  truncate: 16,
  exclusive: 32,
} as const;

export const ATTRIBUTE = { size: 1, owner: 2, mode: 4, times: 8, extended: 0x8000_0000 } as const;

/** Each with its version. */
export const EXTENSIONS = {
  "posix-rename@openssh.com": "1",
  "hardlink@openssh.com": "1",
  "fsync@openssh.com": "1",
  "limits@openssh.com": "1",
  "expand-path@openssh.com": "1",
} as const;

/** The limit of OpenSSH's server, and the most that its client accepts. */
export const MAX_PACKET_BYTES = 256 * 1_024;
export const MAX_DATA_BYTES = MAX_PACKET_BYTES - 1_024;
