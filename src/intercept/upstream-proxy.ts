// The proxy that the user's own variables name for a host, as curl reads them. Pure.

/** Returns a function from host name to proxy, or null for a direct connection. */
export function upstreamProxy(environment: NodeJS.ProcessEnv): (host: string) => URL | null {
  const read = (name: string) => environment[name.toLowerCase()] || environment[name] || "";
  const address = read("HTTPS_PROXY") || read("ALL_PROXY");
  const proxy = address ? URL.parse(address.includes("://") ? address : `http://${address}`) : null;
  const exceptions = read("NO_PROXY")
    .split(",")
    .map((entry) =>
      entry
        .trim()
        .toLowerCase()
        .replace(/^\*?\./, ""),
    )
    .filter(Boolean);
  return (host) => {
    const name = host.toLowerCase();
    const direct = exceptions.some(
      (entry) => entry === "*" || name === entry || name.endsWith(`.${entry}`),
    );
    return direct || proxy?.protocol !== "http:" ? null : proxy;
  };
}
