// The line of each member and element of a text that is known to be JSON, by paths such as `images[0].pull`.

interface Container {
  path: string;
  /** Null in an object. */
  index: number | null;
  key: string;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|\n|[^\s"{}[\],:]+/g;

export function jsonLines(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  const containers: Container[] = [];
  let line = 1;
  let isKeyNext = false;
  for (const [token] of text.matchAll(TOKEN)) {
    const container = containers.at(-1);
    if (token === "\n") line++;
    else if (token === "}" || token === "]") containers.pop();
    else if (token === ",") {
      if (container && container.index !== null) container.index++;
      isKeyNext = container?.index === null;
    } else if (token === ":") isKeyNext = false;
    else if (isKeyNext && container) {
      container.key = JSON.parse(token);
      lines.set(pathIn(container), line);
    } else {
      const path = container ? pathIn(container) : "";
      if (container?.index !== null) lines.set(path, line);
      if (token === "{" || token === "[") {
        containers.push({ path, index: token === "[" ? 0 : null, key: "" });
      }
      isKeyNext = token === "{";
    }
  }
  return lines;
}

function pathIn({ path, index, key }: Container): string {
  if (index !== null) return `${path}[${index}]`;
  return path === "" ? key : `${path}.${key}`;
}
