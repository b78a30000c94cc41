// The text of Markdown, for titles, anchors and the search.

import type { Token, Tokens } from "marked";

function plainText(token: Token): string {
  if (token.type === "table") {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].flatMap((row) => row.map((cell) => textOf(cell.tokens))).join(" ");
  }
  if (token.type === "list")
    return (token as Tokens.List).items.map(({ tokens }) => textOf(tokens)).join(" ");
  if (token.type === "space" || token.type === "br") return " ";
  if ("tokens" in token && token.tokens) return textOf(token.tokens);
  return "text" in token ? `${token.text}` : "";
}

export const textOf = (tokens: readonly Token[]): string => tokens.map(plainText).join("");
