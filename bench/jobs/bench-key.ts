// The one key and the one endpoint that the load uses against every party.
import { hash } from "node:crypto";

export const benchKey = "fh_benchbenchbenchbenchbenchbenchbenchbench";
export const benchEndpoint = "bench0endpoint";

export const benchKeys = new Map([[hash("sha256", benchKey, "hex"), benchEndpoint]]);
