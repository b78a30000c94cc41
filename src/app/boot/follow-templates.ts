// Keeps the official templates equal to what the operator's URL serves. An answer with an error changes nothing.

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Logger } from "../../base/log.ts";
import { MIB, MINUTE_MS } from "../../base/units.ts";
import { parseTemplates } from "../../config/templates/parse.ts";
import { type TemplateSource, withGallery } from "../../config/templates/read.ts";
import type { PortLimits } from "../../domain/container/ports.ts";
import type { Loop } from "../../loops/engine/loop.ts";

interface FollowDeps extends TemplateSource {
  portLimits: PortLimits;
  dataFolder: string;
  log: Logger;
}

const PERIOD_MS = 15 * MINUTE_MS;
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 4 * MIB;

/** Uses the copy of an earlier start; without one it waits for the first answer. */
export async function followTemplates(deps: FollowDeps): Promise<Loop[]> {
  const { templatesUrl: url, dataFolder } = deps;
  if (url === null) return [];
  const follower = new TemplateFollower(deps, url, readCopy(dataFolder, url));
  if (!follower.hasCopy) await follower.refresh();
  const run = async () => {
    await follower.refresh();
    return null;
  };
  const times = { periodMs: PERIOD_MS, restMs: PERIOD_MS };
  return [{ name: "official-templates", shared: false, ...times, topics: [], run }];
}

class TemplateFollower {
  readonly #deps: FollowDeps;
  readonly #url: string;
  #copy: KeptCopy | null;

  constructor(deps: FollowDeps, url: string, copy: KeptCopy | null) {
    this.#deps = deps;
    this.#url = url;
    // What this version refuses is asked for again.
    this.#copy = copy && this.#use(copy.text).length === 0 ? copy : null;
  }

  get hasCopy(): boolean {
    return this.#copy !== null;
  }

  /** Reports what is wrong in the log; the templates then stay as they are. */
  async refresh(): Promise<void> {
    for (const error of await this.#fetch()) {
      this.#deps.log.error({ url: this.#url }, `FREEHOLD_TEMPLATES: ${error}`);
    }
  }

  async #fetch(): Promise<string[]> {
    const { etag = null } = this.#copy ?? {};
    const headers = etag === null ? undefined : { "if-none-match": etag };
    try {
      const response = await fetch(this.#url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (response.status === 304) return [];
      if (!response.ok) return [`the server answers ${response.status}`];
      const text = await textOf(response);
      if (text === null) return [`the answer is larger than ${MAX_BYTES} bytes`];
      const errors = this.#use(text);
      if (errors.length === 0)
        this.#keep({ url: this.#url, etag: response.headers.get("etag"), text });
      return errors;
    } catch (error) {
      const { message, cause } = error as Error;
      return [`it cannot be read: ${(cause as Error | undefined)?.message ?? message}`];
    }
  }

  /** Changes nothing if there are errors. */
  #use(text: string): string[] {
    const { portLimits, officialTemplates } = this.#deps;
    const errors: string[] = [];
    const all = withGallery(parseTemplates(text, portLimits, errors), portLimits, errors);
    if (errors.length === 0) officialTemplates.replace(all);
    return errors;
  }

  #keep(copy: KeptCopy): void {
    this.#copy = copy;
    writeCopy(this.#deps.dataFolder, copy);
  }
}

/** Null if it is too large. */
async function textOf(response: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The last good answer of the URL, in the data folder: a start without the network uses it. */
interface KeptCopy {
  url: string;
  etag: string | null;
  text: string;
}

const fileIn = (dataFolder: string) => path.join(dataFolder, "official-templates.json");

/** Null if there is none of this URL. */
function readCopy(dataFolder: string, url: string): KeptCopy | null {
  try {
    const copy = JSON.parse(readFileSync(fileIn(dataFolder), "utf8")) as KeptCopy;
    return copy.url === url && typeof copy.text === "string" ? copy : null;
  } catch {
    return null; // there is none, or a kill left a part of it
  }
}

function writeCopy(dataFolder: string, copy: KeptCopy): void {
  const file = fileIn(dataFolder);
  writeFileSync(`${file}.new`, JSON.stringify(copy), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
