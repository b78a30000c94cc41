// An image as a template names it, made into the name that exactly one image has. Pure.

/** A name without tag or digest means its tag `latest`; an engine would pull every tag there is. */
export function fullImageName(name: string): string {
  const last = name.slice(name.lastIndexOf("/") + 1);
  return last.includes(":") || last.includes("@") ? name : `${name}:latest`;
}

/** An engine says the rest; but what could be read as more than a name does not reach it. */
export function isImageName(name: string): boolean {
  return /^[a-zA-Z0-9][\w.:/@-]*$/.test(name);
}

/** The registry that a name leads to: `ghcr.io`, `127.0.0.1:5000`, or Docker Hub's. */
export function registryOf(name: string): string {
  const [first, ...rest] = name.split("/");
  const named = rest.length > 0 && (/[.:]/.test(first!) || first === "localhost");
  return named ? first! : "https://index.docker.io/v1/";
}
