// A module that Node loads before a script. Node before 22.21 and 24.5 reads no proxy variables, and later versions do
// not with an agent of the script's own: it leads TLS connections for hosted names to the proxy's TLS port, and keeps
// everything else from looking such names up.

import { writeFileSync } from "node:fs";
import path from "node:path";
import { hostedDomains } from "./hosts.ts";

const SOURCE = `"use strict";
const dns = require("dns");
const tls = require("tls");
const [host, port] = (process.env.FREEHOLD_INTERCEPT || "").split(":");
const hosted = ${JSON.stringify(hostedDomains)};
const isHosted = (host) => {
  const name = String(host).toLowerCase().replace(/\\.+$/, "");
  return hosted.some((domain) => name === domain || name.endsWith("." + domain));
};
if (port) {
  const { connect } = tls;
  tls.connect = function (...args) {
    const [options] = args;
    if (options && typeof options === "object" && !options.socket && isHosted(options.host)) {
      args[0] = { ...options, host, port: Number(port), servername: options.servername || options.host };
    }
    return connect.apply(this, args);
  };
  const { lookup } = dns;
  dns.lookup = function (name, ...args) {
    if (!isHosted(name)) return lookup.call(this, name, ...args);
    const detail = name + " is a hosted address, and this program ignores the proxy of freehold intercept";
    const error = Object.assign(new Error(detail), { code: "ENOTFOUND", hostname: name });
    process.nextTick(args.at(-1), error);
  };
  // util.promisify and ES modules see the same functions.
  for (const key of Object.getOwnPropertySymbols(lookup)) dns.lookup[key] = lookup[key];
  require("module").syncBuiltinESMExports();
}
`;

/** Writes the module to `folder` and returns its path. */
export function writeNodePreload(folder: string): string {
  const file = path.join(folder, "node-preload.cjs");
  writeFileSync(file, SOURCE);
  return file;
}
