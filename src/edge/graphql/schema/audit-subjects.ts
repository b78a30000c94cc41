// The resource of a mutation for the audit log, by the mutation's name and arguments.

const types: [root: RegExp, type: string][] = [
  [/apiKey/, "key"],
  [/secret/i, "secret"],
  [/registryAuth/i, "containerRegistryAuth"],
  [/flashApp/i, "flashApp"],
  [/flashEnvironment|BuildToEnvironment/i, "flashEnvironment"],
  [/flashBuild|flashArtifact/i, "flashBuild"],
  [/networkVolume/i, "networkVolume"],
  [/userSettings/i, "sshKey"],
  [/cluster/i, "cluster"],
  [/endpoint/i, "endpoint"],
  [/template/i, "template"],
  [/pod/i, "pod"],
];

/** The resource type as REST names it. */
export function resourceTypeOf(root: string): string {
  return types.find(([pattern]) => pattern.test(root))?.[1] ?? "";
}

const ID_ARGUMENTS = [
  "podId",
  "endpointId",
  "id",
  "registryAuthId",
  "templateName",
  "flashEnvironmentId",
  "flashBuildId",
  "flashAppId",
];

/** The id in the arguments; empty if they have none. */
export function resourceIdOf(args: { input?: object | null }): string {
  const values = { ...args, ...args.input } as Record<string, unknown>;
  const id = ID_ARGUMENTS.map((name) => values[name]).find((value) => typeof value === "string");
  return (id as string | undefined)?.slice(0, 191) ?? "";
}
