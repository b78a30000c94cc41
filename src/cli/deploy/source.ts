// The source that `freehold deploy` releases: an image, a folder with a Dockerfile, or a handler.

import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { exitCodes, Refusal, UsageError } from "../../base/refusal.ts";
import { handlerDockerfile } from "./handler-dockerfile.ts";

export type DeploySource =
  | { image: string }
  | {
      /** The build context. */
      folder: string;
      /** The text of a Dockerfile; null for the one in the folder. */
      dockerfile: string | null;
      /** Whether the image gets freehold-worker, which a generated Dockerfile does not install. */
      bringsLibrary: boolean;
    };

/** The handlers that a folder without a Dockerfile is searched for. */
const USUAL_HANDLERS = ["handler", "worker"].flatMap((name) =>
  ["py", "ts", "mjs", "js"].map((extension) => `${name}.${extension}`),
);

export function readSource(word: string, cwd: string): { source: DeploySource; name: string } {
  const place = path.resolve(cwd, word);
  const found = statSync(place, { throwIfNoEntry: false });
  if (found?.isFile()) return { source: fromHandler(place), name: nameOf(path.parse(place).name) };
  if (found?.isDirectory())
    return { source: fromFolder(place), name: nameOf(path.basename(place)) };
  const isPath = /^[./~]|\.(?:py|[cm]?[jt]s)$/.test(word);
  if (isPath) throw new Refusal(`there is no file or folder ${place}`, exitCodes.notFound);
  if (!/^[a-z0-9][\w.:/@-]*$/.test(word)) {
    throw new UsageError(`"${word}" is neither a file, nor a folder, nor the name of an image`);
  }
  const [, repository = word] = /([^/:@]+)(?::[^/]*)?(?:@.*)?$/.exec(word) ?? [];
  return { source: { image: word }, name: nameOf(repository) };
}

function fromFolder(folder: string): DeploySource {
  if (existsSync(path.join(folder, "Dockerfile")))
    return { folder, dockerfile: null, bringsLibrary: false };
  const handler = USUAL_HANDLERS.find((each) => existsSync(path.join(folder, each)));
  if (handler) return fromHandler(path.join(folder, handler));
  throw new Refusal(`${folder} has no Dockerfile and no ${USUAL_HANDLERS.join(", ")}`);
}

function fromHandler(file: string): DeploySource {
  const folder = path.dirname(file);
  const read = (name: string) => {
    const full = path.join(folder, name);
    return existsSync(full) ? readFileSync(full, "utf8") : null;
  };
  const files = { requirements: read("requirements.txt"), package: read("package.json") };
  const dockerfile = handlerDockerfile(path.basename(file), files);
  return { folder, dockerfile, bringsLibrary: !file.endsWith(".py") };
}

/** An endpoint's name needs at least three letters, digits, dots or dashes. */
function nameOf(text: string): string {
  const name = text.replace(/[^A-Za-z0-9_.-]+/g, "-");
  return name.length >= 3 ? name : `app-${name}`;
}
