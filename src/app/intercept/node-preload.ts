// A module that Node loads before a script, for versions that do not read proxy variables themselves (before 22.21
// and 24.5). It leads TLS connections for hosted names to the proxy's TLS port.

import { writeFileSync } from "node:fs";
import path from "node:path";
import { hostedDomains } from "./hosts.ts";

const SOURCE = `"use strict";
const tls = require("tls");
const [major, minor] = process.versions.node.split(".").map(Number);
const readsProxyVariables = major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
const [host, port] = (process.env.FREEHOLD_INTERCEPT || "").split(":");
const hosted = ${JSON.stringify(hostedDomains)};
const isHosted = (name) => hosted.some((domain) => name === domain || name.endsWith("." + domain));
if (port && !readsProxyVariables) {
  const { connect } = tls;
  tls.connect = function (...args) {
    const [options] = args;
    if (options && typeof options === "object" && !options.socket && isHosted(String(options.host).toLowerCase().replace(/\\.+$/, ""))) {
      args[0] = { ...options, host, port: Number(port), servername: options.servername || options.host };
    }
    return connect.apply(this, args);
  };
}
`;

/** Writes the module to `folder` and returns its path. */
export function writeNodePreload(folder: string): string {
  const file = path.join(folder, "node-preload.cjs");
  writeFileSync(file, SOURCE);
  return file;
}
