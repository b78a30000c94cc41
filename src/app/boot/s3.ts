// The S3 interface to network volumes, on a listener of its own.

import type { Server } from "node:http";
import { urlHost } from "../../base/url-host.ts";
import type { Vault } from "../../base/vault.ts";
import { overTls } from "../../config/certificate/tls-config.ts";
import type { Config } from "../../config/config.ts";
import { addressFor } from "../../config/reach/client-address.ts";
import type { Listeners } from "../../edge/http/listener.ts";
import { s3Server } from "../../edge/s3/s3-server.ts";
import type { ServeDeps } from "../../edge/s3/serve.ts";
import { KeyUse } from "../../flows/account/key-use.ts";
import type { ProcessMetrics } from "../../flows/metrics/process-metrics.ts";
import type { LocalDrivers } from "../../flows/replica/local-drivers.ts";
import { ObjectLocks } from "../../flows/s3/object-locks.ts";
import { VolumeRooms } from "../../flows/s3/volume-rooms.ts";
import type { Parts } from "../service-parts.ts";
import { skewedTime } from "../trouble/skew-clock.ts";

export interface S3Interface {
  server: Server;
  /** What its routes below the service's own address need. */
  deps: ServeDeps;
  /** When S3 keys were last used. */
  uses: KeyUse;
}

/** Where clients reach it; null if it is off. */
export function s3UrlOf(server: Server, config: Config): string | null {
  if (config.s3Url !== null) return config.s3Url;
  const address = addressFor(server, config.s3Listen, config);
  if (!address) return null;
  return overTls(config.tls, `http://${urlHost(address.host)}:${address.port}`);
}

export function openS3(
  { config, store, clock, ids, log, machine, troubles }: Parts,
  deps: { vault: Vault; localDrivers: LocalDrivers; metrics: ProcessMetrics; listeners: Listeners },
): S3Interface {
  const uses = new KeyUse(clock);
  const served = {
    store,
    clock,
    ids,
    log,
    machine,
    uses,
    s3Url: config.s3Url,
    maxSkewMs: config.s3ClockSkewMs,
    timeFor: skewedTime({ clock, troubles }),
    ...deps,
    locks: new ObjectLocks(),
    rooms: new VolumeRooms(clock),
  };
  return { server: s3Server(served), deps: served, uses };
}
