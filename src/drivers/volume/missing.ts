// Which errors of the file system mean that there is nothing at a path.

/** A link in the path counts as missing, like a file where a folder is needed. */
export function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP" || code === "ENAMETOOLONG";
}
