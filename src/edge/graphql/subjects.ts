// What a mutation is about, to the audit log: by its name and its arguments.

const types: [root: RegExp, type: string][] = [
  [/apiKey/, "key"],
  [/secret/i, "secret"],
  [/registryAuth/i, "containerRegistryAuth"],
  [/networkVolume/i, "networkVolume"],
  [/userSettings/i, "sshKey"],
  [/endpoint/i, "endpoint"],
  [/template/i, "template"],
  [/pod/i, "pod"],
];

/** In the words of the management interface. */
export function subjectOf(root: string): string {
  return types.find(([pattern]) => pattern.test(root))?.[1] ?? "";
}

const names = ["podId", "endpointId", "id", "registryAuthId", "templateName"];

/** The id that its arguments name; empty where they name none. */
export function namedIn(args: { input?: object | null }): string {
  const given = { ...args, ...args.input } as Record<string, unknown>;
  const found = names.map((name) => given[name]).find((value) => typeof value === "string");
  return (found as string | undefined)?.slice(0, 191) ?? "";
}
