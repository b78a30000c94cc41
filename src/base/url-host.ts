// A host as URLs hold it, and by itself. Pure.

/** An IPv6 address in brackets, any other host as it is. */
export const urlHost = (host: string) => (host.includes(":") ? `[${host}]` : host);

/** The host of a URL without the brackets of an IPv6 address. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[|\]$/g, "");
