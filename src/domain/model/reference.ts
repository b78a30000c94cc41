// A reference to a model of the Hugging Face Hub, as a client names it and in its canonical form. Pure.

/** A repository of models: owner/name. */
export interface ModelName {
  owner: string;
  name: string;
}

export interface ModelReference extends ModelName {
  /** A branch, a tag or a commit. */
  revision: string;
}

/** The most references that one endpoint has. */
const MAX_MODELS = 8;

const HUB = "https://huggingface.co";
const MAIN = "main";

const PART = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,94}[A-Za-z0-9])?$/;
const REVISION = /^[A-Za-z0-9](?:[A-Za-z0-9._/-]{0,198}[A-Za-z0-9])?$/;

/** The reference that a text names; null if it names none. */
export function parseModelReference(text: string): ModelReference | null {
  const path = withoutHub(text.trim());
  if (path === null) return null;
  const [owner = "", rest = "", ...more] = path.split("/");
  const [name = "", ...tags] = rest.split(":");
  const revision = revisionOf(tags, more);
  if (revision === null || !isPart(owner) || !isPart(name)) return null;
  return { owner, name, revision };
}

/** What follows the name: ":revision", or a page of the hub such as "tree/revision". */
function revisionOf(tags: readonly string[], pages: readonly string[]): string | null {
  if (tags.length > 1) return null;
  const [tag] = tags;
  if (tag !== undefined) return checked([tag, ...pages].join("/"));
  const [page, ...rest] = pages;
  if (page === undefined || (page === "" && rest.length === 0)) return MAIN;
  return page === "tree" ? checked(rest.join("/").replace(/\/$/, "")) : null;
}

/** Null for the address of another server. */
function withoutHub(text: string): string | null {
  const [, path] = /^(?:https?:\/\/)?(?:www\.)?(?:huggingface\.co|hf\.co)\/(.*)$/i.exec(text) ?? [];
  if (path !== undefined) return path;
  return text.includes("://") ? null : text;
}

const isPart = (part: string) => PART.test(part) && !/\.\.|--/.test(part);

function checked(revision: string): string | null {
  return REVISION.test(revision) && !/\.\.|\/\//.test(revision) ? revision : null;
}

/** The address that clients read and write back, in the form that they use. */
function referenceUrl({ owner, name, revision }: ModelReference): string {
  return `${HUB}/${owner}/${name}:${revision}`;
}

/** owner/name, with a revision other than main after a colon. */
export function shortReference({ owner, name, revision }: ModelReference): string {
  return `${owner}/${name}${revision === MAIN ? "" : `:${revision}`}`;
}

/** The reference in a stored address. */
export function storedReference(url: string): ModelReference {
  const reference = parseModelReference(url);
  if (reference) return reference;
  throw new Error(`${JSON.stringify(url)} is not a model reference`);
}

/** Each reference as its address, without repetitions; texts that are none stay as they are. */
export function canonicalReferences(texts: readonly string[]): string[] {
  const all = texts.map((text) => {
    const reference = parseModelReference(text);
    return reference ? referenceUrl(reference) : text;
  });
  return [...new Set(all)];
}

/** A sentence for each error in the references of an endpoint. */
export function referenceErrors(texts: readonly string[]): string[] {
  const errors = texts
    .filter((text) => parseModelReference(text) === null)
    .map(
      (text) =>
        `"modelReferences" has ${JSON.stringify(text.slice(0, 200))}, which is not a model of the Hugging Face Hub; ` +
        'write "owner/name", "owner/name:revision" or the address of its page.',
    );
  if (texts.length > MAX_MODELS) {
    errors.push(
      `"modelReferences" has ${texts.length} models; an endpoint has at most ${MAX_MODELS}.`,
    );
  }
  const repositories = texts.flatMap((text) => {
    const reference = parseModelReference(text);
    return reference ? [nameText(reference)] : [];
  });
  const repeated = repositories.find((each, n) => repositories.indexOf(each) !== n);
  if (repeated !== undefined) {
    errors.push(`"modelReferences" names two revisions of ${repeated}; a worker sees one.`);
  }
  return errors;
}

/** owner/name */
export function nameText({ owner, name }: ModelName): string {
  return `${owner}/${name}`;
}

/** The folder of a repository in a Hugging Face cache. */
export function repositoryFolder({ owner, name }: ModelName): string {
  return `models--${owner}--${name}`;
}
