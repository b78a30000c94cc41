// A network that Podman keeps apart from others. Podman does so only where it is asked, and only its own interface shows
// whether it does. Its rules are not enough alone; see firewall.ts.

import type { NetworkCreateOptions } from "dockerode";
import { StartRefused } from "../../driver.ts";
import { type Engine, unlessMissing } from "../engine.ts";
import { BRIDGE_NAME } from "./engine-networks.ts";
import { libpodGet, libpodPost } from "./libpod.ts";

/** Rejects with StartRefused, and leaves no network, if Podman dropped the isolation. */
export async function createIsolated(engine: Engine, options: NetworkCreateOptions): Promise<void> {
  const name = options.Name;
  await engine.callWithin(libpodPost("/networks/create", libpodNetwork(options)));
  const held = (await engine.callWithin(libpodGet(`/networks/${name}/json`))) as Network;
  if (held.options?.isolate === "true") return;
  await engine.callWithin((docker) => unlessMissing(docker.getNetwork(name).remove()));
  throw new StartRefused("this machine's Podman does not isolate networks from each other");
}

interface Network {
  options?: Record<string, string> | null;
}

function libpodNetwork({ Name, Driver, Internal, IPAM, Options, Labels }: NetworkCreateOptions) {
  return {
    name: Name,
    driver: Driver,
    network_interface: Options?.[BRIDGE_NAME],
    internal: Internal === true,
    dns_enabled: true,
    labels: Labels,
    options: { isolate: "true" },
    ...(IPAM?.Config && { subnets: IPAM.Config.map(({ Subnet }) => ({ subnet: Subnet })) }),
  };
}
