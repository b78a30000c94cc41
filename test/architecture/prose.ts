// The prose of a source text: its comments and the names of its tests, and that of a page of the
// documentation without its code.

export interface Sentence {
  line: number;
  text: string;
}

const COMMENT = /^\s*(?:\/\/|\/\*\*?|\*(?!\/))\s?(.*?)(?:\*\/)?$|\S\s+\/\/ (.*)$/;
const TEST_NAME = /\b(?:test|rule|testWithSdk)\([^"`\n]*\n?\s*(?:"([^"\n]*)"|`([^`\n]*)`)/g;

/** A comment that spans lines is joined, so that a phrase is found across a line break. */
export function proseOf(text: string): Sentence[] {
  const found: Sentence[] = [];
  let open = false;
  text.split("\n").forEach((line, index) => {
    const comment = COMMENT.exec(line);
    const words = comment && (comment[1] ?? comment[2] ?? "");
    if (words === null) open = false;
    else if (open) found.at(-1)!.text += ` ${words}`;
    else found.push({ line: index + 1, text: words });
    open = words !== null;
  });
  for (const match of text.matchAll(TEST_NAME)) {
    const line = text.slice(0, match.index).split("\n").length;
    found.push({ line, text: match[1] ?? match[2] ?? "" });
  }
  return found;
}

/** By paragraph; blocks and spans of code are left out. */
export function proseOfPage(markdown: string): Sentence[] {
  const blank = (code: string) => code.replace(/[^\n]/g, " ");
  const text = markdown.replace(/```[\s\S]*?```/g, blank).replace(/`[^`\n]*`/g, blank);
  const found: Sentence[] = [];
  let open = false;
  text.split("\n").forEach((line, index) => {
    if (open && line.trim() !== "") found.at(-1)!.text += ` ${line.trim()}`;
    else if (line.trim() !== "") found.push({ line: index + 1, text: line.trim() });
    open = line.trim() !== "";
  });
  return found;
}
