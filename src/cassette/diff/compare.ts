// What differs between a recorded answer and another one: the status, members, types and states. Pure.

import type { RecordedAnswer, RecordedBody } from "../format/cassette.ts";
import { type Shape, shapeOf } from "./shape.ts";

export interface Difference {
  kind: "status" | "missing" | "added" | "type";
  /** The place in the body, such as `machine.gpuTypes[]`; "" for the whole answer. */
  at: string;
  sentence: string;
}

export function compareAnswers(
  recorded: RecordedAnswer,
  actual: Pick<RecordedAnswer, "status" | "body">,
): Difference[] {
  if (recorded.status !== actual.status) {
    const sentence = `status ${actual.status} instead of ${recorded.status}`;
    return [{ kind: "status", at: "", sentence }];
  }
  const [before, after] = [recorded.body, actual.body].map(formOf) as [string, string];
  if (before !== after)
    return [{ kind: "type", at: "", sentence: `${after} instead of ${before}` }];
  if (!recorded.body || !actual.body || !("json" in recorded.body) || !("json" in actual.body))
    return [];
  return compareShapes(shapeOf([recorded.body.json]), shapeOf([actual.body.json]), "");
}

function formOf(body: RecordedBody | undefined): string {
  if (!body) return "no body";
  if ("json" in body) return "JSON";
  return "text" in body ? "text" : "bytes";
}

function compareShapes(recorded: Shape, actual: Shape, at: string): Difference[] {
  const types = compareTypes(recorded, actual, at);
  if (types.length > 0) return types;
  const found = [...compareMembers(recorded, actual, at)];
  if (recorded.items && actual.items)
    found.push(...compareShapes(recorded.items, actual.items, `${at}[]`));
  return found;
}

/** Nothing is known of a place that was null whenever it was recorded. */
function compareTypes({ types }: Shape, actual: Shape, at: string): Difference[] {
  if ([...types].every((type) => type === "null")) return [];
  const others = [...actual.types].filter((type) => !types.has(type));
  if (others.length === 0) return [];
  const sentence = `${at || "the body"} is ${others.join(" or ")} instead of ${[...types].join(" or ")}`;
  return [{ kind: "type", at, sentence }];
}

function compareMembers(recorded: Shape, actual: Shape, at: string): Difference[] {
  // A recorded null may become an object, and an object without members has no shape to compare.
  if (!recorded.types.has("object") || !actual.types.has("object")) return [];
  const place = (name: string) => (at ? `${at}.${name}` : name);
  const lost = [...recorded.members].flatMap(([name, member]): Difference[] => {
    const other = actual.members.get(name);
    if (other) {
      const rest = compareShapes(member.shape, other.shape, place(name));
      if (!member.isRequired || other.isRequired) return rest;
      return [...rest, missing(place(name), "is missing in some items")];
    }
    return member.isRequired ? [missing(place(name), "is missing")] : [];
  });
  const added = [...actual.members.keys()].filter((name) => !recorded.members.has(name));
  return [
    ...lost,
    ...added.map((name): Difference => {
      return { kind: "added", at: place(name), sentence: `${place(name)} is new` };
    }),
  ];
}

const missing = (at: string, what: string): Difference => ({
  kind: "missing",
  at,
  sentence: `${at} ${what}`,
});
