// Why an operation on a file of a container failed, told from what its programs print.

type FileErrorKind = "missing" | "denied" | "failed";

export class FileError extends Error {
  override readonly name = "FileError";
  readonly kind: FileErrorKind;

  constructor(message: string) {
    super(message);
    this.kind = kindOf(message);
  }
}

/** The reason is the last part of a message: "mkdir: can't create directory '/x': File exists". */
export function fileErrorFrom(output: string): FileError {
  const line = output.trimEnd().split("\n").at(-1) ?? "";
  return new FileError(line.split(": ").at(-1) || "The operation failed");
}

/** The shells of Debian and BusyBox have words of their own beside those of the C library. */
function kindOf(message: string): FileErrorKind {
  if (/no such file|nonexistent/i.test(message)) return "missing";
  if (/permission denied|not permitted|read-only file system/i.test(message)) return "denied";
  return "failed";
}
