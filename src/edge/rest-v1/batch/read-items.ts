// The body of a new batch. The inputs of its items are kept as the client wrote them; the rest is validated as in any
// other body, with an empty object in the place of each input.

import type { FastifyInstance, FastifyRequest } from "fastify";
import { elementSlices } from "../../../base/json/elements.ts";
import { KeyTable } from "../../../base/json/keys.ts";
import type { JsonValue, Scanned } from "../../../base/json/outline.ts";
import { scan } from "../../../base/json/scanner.ts";
import type { Policy } from "../../../contract/queue/submit.ts";
import { MAX_ITEMS } from "../../../domain/batch/batch.ts";
import { Fault } from "../../../domain/fault.ts";
import { decideStart } from "../../../domain/job/schedule/start-time.ts";
import { limits } from "../../../domain/protocol.ts";
import { ItemsText } from "../../../flows/batch/items-text.ts";
import { addRawBodyParser, rawBody } from "../../http/body/raw-body.ts";
import type { BodyRooms } from "../../http/body/receive.ts";
import { jobPolicyOf } from "../../management/job/job-policy.ts";
import { otherNames, requireShort } from "../../management/job/submission.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The JSON text of each item's input; null without such a body. */
    itemInputs: Buffer[] | null;
  }
}

const BODY_KEYS = new KeyTable(["items"]);
const ITEM_KEYS = new KeyTable(["input", "policy"]);

/** Applies to the routes of the scope. */
export function keepItems(app: FastifyInstance, rooms: BodyRooms): void {
  app.decorateRequest("itemInputs", null);
  addRawBodyParser(app, { keys: BODY_KEYS, lenient: false, rooms });
  app.addHook("onRoute", (route) => {
    route.config = { ...route.config, bodyBytes: limits.batchBytes };
  });
  app.addHook("preValidation", async (request: FastifyRequest) => {
    const { scanned } = rawBody(request);
    const found = scanned.members.get("items");
    requireShortRest(scanned, found);
    if (found?.kind !== "array") {
      request.body = JSON.parse(scanned.body.cut(scanned).toString("utf8"));
      return;
    }
    const { items, inputs } = await readItems(scanned.body.cut(found));
    request.itemInputs = inputs;
    request.body = { ...withoutItems(scanned, found), items };
  });
}

/** What is not in the items is parsed at once, as other bodies are. */
function requireShortRest({ start, end }: Scanned, items: JsonValue | undefined): void {
  const itemBytes = items?.kind === "array" ? items.end - items.start : 0;
  if (end - start - itemBytes <= limits.bodyBytes) return;
  const detail = `The body is longer than ${limits.bodyBytes} bytes beside an array "items".`;
  throw new Fault("invalid_body", { detail });
}

/** The body with an empty array in the place of the items. */
function withoutItems({ start, end, body }: Scanned, items: JsonValue): object {
  const before = body.cut({ start, end: items.start });
  const after = body.cut({ start: items.end, end });
  return JSON.parse(`${before.toString("utf8")}[]${after.toString("utf8")}`) as object;
}

async function readItems(text: Buffer): Promise<{ items: unknown[]; inputs: Buffer[] }> {
  const items: unknown[] = [];
  const inputs: Buffer[] = [];
  for await (const slice of elementSlices(text)) {
    for (const { start, end } of slice) {
      if (items.length < MAX_ITEMS) {
        const item = scan(text.subarray(start, end), { keys: ITEM_KEYS, maxDepth: limits.depth });
        items.push(skeletonOf(item, items.length));
        inputs.push(inputOf(item));
      } else items.push(null); // counted, and not read
    }
  }
  if (items.length > MAX_ITEMS) {
    const detail = `"items" has ${items.length} items; a batch has at most ${MAX_ITEMS}. Submit the others in a second batch.`;
    throw new Fault("invalid_body", { detail });
  }
  inputs.forEach(requireShortInput);
  return { items, inputs };
}

function requireShortInput({ length }: Buffer, n: number): void {
  if (length <= limits.runBytes) return;
  const detail = `"items[${n}].input" has ${length} bytes; an input has at most ${limits.runBytes}.`;
  throw new Fault("invalid_body", { detail });
}

/** The item as its schema describes it, with placeholders for what is long. */
function skeletonOf(item: Scanned, n: number): unknown {
  const { kind, members, body } = item;
  if (kind !== "object") return placeholders[kind];
  const skeleton: { input?: unknown; policy?: unknown; [other: string]: unknown } = {};
  const input = members.get("input");
  const policy = requireShort(`"items[${n}].policy"`, members.get("policy") ?? null);
  if (input) skeleton.input = placeholders[input.kind];
  if (policy) skeleton.policy = JSON.parse(body.cut(policy).toString("utf8"));
  for (const name of otherNames(item)) skeleton[name] = null;
  return skeleton;
}

const placeholders = {
  object: {},
  array: [],
  string: "",
  number: 0,
  true: true,
  false: false,
  null: null,
} satisfies Record<JsonValue["kind"], unknown>;

function inputOf({ members, body }: Scanned): Buffer {
  const input = members.get("input");
  return input ? body.cut(input) : Buffer.alloc(0);
}

/** The validated items with their inputs. Throws for a start that is out of bounds. */
export function itemsTextOf(
  items: readonly { policy?: Policy }[],
  inputs: readonly Buffer[],
  now: number,
): ItemsText {
  const text = new ItemsText();
  for (const [n, { policy: wire = {} }] of items.entries()) {
    const policy = jobPolicyOf(wire);
    requireStart(n, () => decideStart(policy, now));
    text.add({ policy, input: inputs[n]! });
  }
  return text;
}

function requireStart(n: number, decide: () => unknown): void {
  try {
    decide();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault("invalid_body", { detail: `"items[${n}]": ${error.message}` });
  }
}
