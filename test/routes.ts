// Routes as the document of the interface writes them, and which of them a request is for.

/** /v1/pods/{podId} for /v1/pods/:podId */
export function documented(path: string): string {
  return path.replace(/:(\w+)/g, "{$1}").replace("*", "{path}");
}

export class RouteTable<Route extends { method: string; path: string }> {
  readonly #byMethod = new Map<string, { route: Route; pattern: RegExp }[]>();

  /** Of routes with documented paths. */
  constructor(routes: Route[]) {
    // A word of its own goes before a variable, as in the router.
    const variables = ({ path }: Route) => path.split("{").length;
    for (const route of routes.toSorted((a, b) => variables(a) - variables(b))) {
      const path = route.path.replace("{path}", ".+").replace(/\{\w+\}/g, "[^/]+");
      const all = this.#byMethod.get(route.method) ?? [];
      this.#byMethod.set(route.method, [...all, { route, pattern: new RegExp(`^${path}$`) }]);
    }
  }

  /** Null where there is none; a query and doubled slashes are no part of the path. */
  at(method: string, address: string): Route | null {
    const path = address.split("?")[0]!.replace(/\/{2,}/g, "/");
    return this.#byMethod.get(method)?.find(({ pattern }) => pattern.test(path))?.route ?? null;
  }
}
