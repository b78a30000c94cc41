// The first path segments below /v2 that are never the id of an endpoint.

/** Nouns of REST v2. */
const restV2Words = [
  "pods",
  "clusters",
  "sandboxes",
  "serverless",
  "templates",
  "network-volumes",
  "registries",
  "catalog",
  "billing",
  "account",
  "openapi.json",
  "docs",
] as const;

/** Nouns that REST v2 does not offer, and words that are free for later versions. */
export const unofferedWords: ReadonlySet<string> = new Set([
  "tags",
  "flash",
  "status",
  "volumes",
  "keys",
  "machines",
  "events",
  "jobs",
  "models",
  "hub",
  "apps",
  "batches",
  "users",
  "teams",
]);

export const reservedWords: ReadonlySet<string> = new Set([...restV2Words, ...unofferedWords]);

/** Stands for an endpoint that headers name, in calls of Flash functions. */
export const FLASH_WORD = "flash";

const flashCall = /^\/v2\/flash\/(?:run|runsync|(?:status|stream|cancel|retry)\/[^/?]+)(?:\?|$)/;

/** Whether a path calls a Flash function or names such a call's job, so that it belongs to the queue. */
export const isFlashCallPath = (path: string) => flashCall.test(path);

const hostedBatch = /^\/v2\/[^/?]+\/batch(?:es)?(?:[/?]|$)/;

/** Whether a path is one of the hosted service's routes for batches of an endpoint. */
export const isHostedBatchPath = (path: string) => hostedBatch.test(path);

const firstWord = /^\/v2\/([^/?]*)/;

/** Whether a path belongs to REST v2 and not to the queue of an endpoint. */
export function isRestV2Path(path: string): boolean {
  const word = firstWord.exec(path)?.[1];
  return word !== undefined && reservedWords.has(word) && !isFlashCallPath(path);
}
