// Turns the calls of one session into calls of a cassette: keys are scrubbed, and ids and times become placeholders.

import { type BodyChange, changeBody, isObject, isRawNumber } from "../format/body.ts";
import type { RecordedBody, RecordedCall } from "../format/cassette.ts";
import { escapeLiterals } from "./placeholders.ts";
import { changeQuery } from "./query.ts";
import {
  isSecretName,
  isWebhookName,
  SECRET,
  scrubDocument,
  scrubEntry,
  scrubText,
  scrubWebhook,
} from "./secrets.ts";
import { SessionIds } from "./session-ids.ts";
import { timeInNumber, timesInText } from "./times.ts";

export interface Exchange {
  method: string;
  /** The path with its query. */
  path: string;
  headers: Record<string, string>;
  body: RecordedBody | undefined;
  answer: { status: number; headers: Record<string, string>; body: RecordedBody | undefined };
}

/** Members with what a machine measured. */
const MEASURED =
  /^(?:delayTime|executionTime|uptime\w*|clientBalance|currentSpendPerHr|\w*Percent|\w*Util(?:ization)?)$/;

const REQUEST_HEADERS = ["accept", "authorization", "content-type", "idempotency-key"];
const ANSWER_HEADERS = ["content-type", "location", "retry-after"];

type Side = "request" | "answer";

export class Normalizer {
  readonly #ids: SessionIds;
  readonly #keys = new Set<string>();
  readonly #origins: string[];
  readonly #now: () => number;

  /** `origins` are the addresses of the service that is recorded. */
  constructor(origins: string[], now: () => number, ids: SessionIds = new SessionIds()) {
    this.#origins = origins;
    this.#now = now;
    this.#ids = ids;
  }

  /** Calls must come in the order in which they were answered. */
  call({ answer, ...request }: Exchange): RecordedCall {
    const change = this.#side("answer", isVault(request));
    return {
      ...this.request(request),
      answer: {
        status: answer.status,
        headers: this.#headers(answer.headers, ANSWER_HEADERS, "answer"),
        ...(answer.body && { body: changeBody(answer.body, change) }),
      },
    };
  }

  request(request: Omit<Exchange, "answer">): Omit<RecordedCall, "answer"> {
    const { method, path, headers, body } = request;
    this.#learnKey(headers.authorization);
    return {
      method,
      path: this.#path(path),
      headers: this.#headers(headers, REQUEST_HEADERS, "request"),
      ...(body && { body: changeBody(body, this.#side("request", isVault(request))) }),
    };
  }

  /** The key of a request, which is a secret wherever else it appears. */
  #learnKey(authorization = ""): void {
    const key = authorization.replace(/^\w+ +/, "");
    if (key.length >= 8) this.#keys.add(key);
  }

  #path(path: string): string {
    const [place = "", ...query] = path.split("?");
    const change = (name: string, value: string) =>
      isSecretName(name) || name === "key" ? SECRET : this.#text(value, "request");
    const changed = query.length > 0 ? `?${changeQuery(query.join("?"), change)}` : "";
    return this.#text(place, "request") + changed;
  }

  #headers(all: Record<string, string>, names: string[], side: Side): Record<string, string> {
    const headers: Record<string, string> = {};
    for (const name of names) {
      const value = all[name];
      if (value === undefined) continue;
      headers[name] =
        name === "authorization"
          ? value.replace(/^(\w+ +)?.*$/s, "$1{{key}}")
          : this.#text(value, side);
    }
    return headers;
  }

  #side(side: Side, isVaultCall: boolean): BodyChange {
    const change: BodyChange = (value, member) => {
      if (typeof value === "number") return this.#number(value, member, side);
      if (typeof value === "string") {
        if (isSecretName(member) || (isVaultCall && member === "value")) return value && SECRET;
        if (isWebhookName(member)) return scrubWebhook(this.#text(value, side));
        if (side === "answer" && ID_MEMBER.test(member)) this.#ids.offer(value);
        const text = this.#text(value, side);
        return member === "query" ? scrubDocument(text, isVaultCall) : text;
      }
      if (!isObject(value) || Array.isArray(value)) return isRawNumber(value) ? value : undefined;
      return this.#entry(value, change);
    };
    return change;
  }

  /** An entry of a list of variables, if it holds a secret. */
  #entry(value: Record<string, unknown>, change: BodyChange): unknown {
    const scrubbed = scrubEntry(value);
    if (!scrubbed) return undefined;
    return Object.fromEntries(
      Object.entries(scrubbed).map(([name, each]) => [
        name,
        each === SECRET ? SECRET : (change(each, name) ?? each),
      ]),
    );
  }

  #number(value: number, member: string, side: Side): unknown {
    if (side === "answer" && MEASURED.test(member)) return "{{number}}";
    return timeInNumber(value, member, this.#now(), side === "request") ?? value;
  }

  #text(text: string, side: Side): string {
    let normal = escapeLiterals(text);
    for (const key of this.#keys) normal = normal.replaceAll(key, "{{key}}");
    for (const origin of this.#origins) normal = normal.replaceAll(origin, "{{origin}}");
    normal = timesInText(scrubText(normal), this.#now(), side === "request");
    return this.#ids.replace(normal, side === "request");
  }
}

const ID_MEMBER = /^(?:id|ids|[a-z]\w*(?:Id|Ids|_id|_ids))$/;

/** Whether the call creates or changes secrets. */
function isVault({ path, body }: Pick<Exchange, "path" | "body">): boolean {
  if (/secret/i.test(path)) return true;
  if (!body || !("json" in body) || !isObject(body.json)) return false;
  const { query } = body.json;
  return typeof query === "string" && /\bmutation\b.*secret/is.test(query);
}
