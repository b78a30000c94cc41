// The identifiers of a source text: what is left without comments, strings, templates' texts and
// regular expressions.

/** A slash after one of these begins a regular expression, not a division. */
const BEFORE_PATTERN = /(?:^|[(,=:[!&|?{};<>+]|=>|\breturn|\btypeof|\bcase)\s*$/;

/** Takes code without comments, as `Source.code` is. */
export function identifiersOf(code: string): Set<string> {
  return new Set(withoutTexts(code).match(/(?<![\w$])[A-Za-z_$][\w$]*/g) ?? []);
}

function withoutTexts(code: string): string {
  let rest = "";
  /** One for each template that is open: how many braces are open inside its expression. */
  const templates: number[] = [];
  for (let at = 0; at < code.length; ) {
    const char = code[at]!;
    if (char === '"' || char === "'") at = endOfString(code, at, char);
    else if (char === "`") at = endOfTemplate(code, at + 1, templates);
    else if (char === "/" && BEFORE_PATTERN.test(rest.slice(-12))) at = endOfPattern(code, at);
    else if (char === "}" && templates.at(-1) === 0) {
      templates.pop();
      at = endOfTemplate(code, at + 1, templates);
    } else {
      if (templates.length > 0 && char === "{") templates[templates.length - 1]!++;
      if (templates.length > 0 && char === "}") templates[templates.length - 1]!--;
      rest += char;
      at++;
      continue;
    }
    rest += " ";
  }
  return rest;
}

function endOfString(code: string, start: number, quote: string): number {
  for (let at = start + 1; at < code.length; at++) {
    if (code[at] === "\\") at++;
    else if (code[at] === quote || code[at] === "\n") return at + 1;
  }
  return code.length;
}

/** To the end of a template's text: its closing quote, or an expression that begins. */
function endOfTemplate(code: string, start: number, templates: number[]): number {
  for (let at = start; at < code.length; at++) {
    if (code[at] === "\\") at++;
    else if (code[at] === "`") return at + 1;
    else if (code[at] === "$" && code[at + 1] === "{") {
      templates.push(0);
      return at + 2;
    }
  }
  return code.length;
}

function endOfPattern(code: string, start: number): number {
  let inClass = false;
  for (let at = start + 1; at < code.length; at++) {
    if (code[at] === "\\") at++;
    else if (code[at] === "[") inClass = true;
    else if (code[at] === "]") inClass = false;
    else if (code[at] === "\n") return start + 1;
    else if (code[at] === "/" && !inClass) return at + 1;
  }
  return code.length;
}
