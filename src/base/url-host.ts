// A host as URLs hold it. Pure.

/** An IPv6 address in brackets, any other host as it is. */
export const urlHost = (host: string) => (host.includes(":") ? `[${host}]` : host);
