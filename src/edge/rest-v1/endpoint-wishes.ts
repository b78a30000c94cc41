// The body of a new or changed endpoint, as the flows are asked.

import type { EndpointUpdate } from "../../contract/rest-v1/endpoint.ts";
import type { EndpointWishes } from "../../domain/endpoint/wishes.ts";

/** Clients that want no network volume send null or an empty string. */
export function endpointWishes<Body extends EndpointUpdate>({
  networkVolumeId,
  ...body
}: Body): Omit<Body, "networkVolumeId"> & EndpointWishes {
  if (networkVolumeId === undefined) return body;
  const first = networkVolumeId ? [networkVolumeId] : [];
  return { ...body, networkVolumeIds: [...first, ...(body.networkVolumeIds ?? [])] };
}
