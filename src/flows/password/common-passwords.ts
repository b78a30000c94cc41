// The passwords that are tried first.

/** Loaded with the first new password: the list takes megabytes, and most starts set none. */
let common: Promise<ReadonlySet<string>> | null = null;

export async function isCommon(password: string): Promise<boolean> {
  common ??= readList();
  return (await common).has(password.toLowerCase());
}

async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"]);
}
