// The query of a path. Values that do not change keep their spelling.

import { splitPlaceholders } from "./placeholders.ts";

export function changeQuery(
  query: string,
  change: (name: string, value: string) => string,
): string {
  const pairs = query.split("&").map((pair) => {
    const [name = "", ...rest] = pair.split("=");
    if (rest.length === 0) return pair;
    const value = decoded(rest.join("="));
    const changed = change(decoded(name), value);
    return changed === value ? pair : `${name}=${encodedAround(changed)}`;
  });
  return pairs.join("&");
}

/** Encodes what lies between the placeholders. */
function encodedAround(text: string): string {
  const { texts } = splitPlaceholders(text);
  const placeholders = text.match(/\{\{[^\\{}][^{}]*\}\}/g) ?? [];
  return texts.map((each, n) => encodeURIComponent(each) + (placeholders[n] ?? "")).join("");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
