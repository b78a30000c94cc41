// Paths of routes, and the methods that a path has, for the Allow header of a refusal. Pure.

interface Route {
  method: string;
  /** The path with its parameters as ":name"; "*" at its end matches any rest but an empty one. */
  path: string;
}

/** The route of an operation's path, which names parameters as "{name}". */
export function routePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

/** The methods of the routes that match this path. The router ignores a slash at its end, too. */
export function methodsAt(routes: readonly Route[], path: string): string[] {
  const parts = path.replace(/(?<=.)\/$/, "").split("/");
  const matches = (route: Route) => {
    const pattern = route.path.split("/");
    const isPrefix = pattern.at(-1) === "*";
    if (isPrefix) pattern.pop();
    if (isPrefix ? !parts[pattern.length] : pattern.length !== parts.length) return false;
    return pattern.every((part, i) => matchesPart(part, parts[i]));
  };
  return [...new Set(routes.filter(matches).map(({ method }) => method))];
}

function matchesPart(pattern: string, part: string | undefined): boolean {
  return pattern.startsWith(":") ? part !== "" : pattern === part;
}
