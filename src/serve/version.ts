// The library's version, for servers and error reports; a test compares it with package.json.

export const version = "0.1.0";
