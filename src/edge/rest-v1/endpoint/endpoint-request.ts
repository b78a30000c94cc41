// Conversion of an endpoint's request body to the domain's EndpointRequest.

import type {
  EndpointCreate,
  EndpointUpdate,
} from "../../../contract/rest-v1/endpoint/endpoint-write.ts";
import type { EndpointRequest } from "../../../domain/endpoint/endpoint-request.ts";

type Body = EndpointUpdate & Omit<EndpointCreate, keyof EndpointUpdate>;

/** For no network volume, clients send null or an empty string. */
export function endpointRequest({ networkVolumeId, ...body }: Body): EndpointRequest {
  ({}) as Omit<typeof body, keyof EndpointRequest> satisfies Record<string, never>;
  if (networkVolumeId === undefined) return body;
  const first = networkVolumeId ? [networkVolumeId] : [];
  return { ...body, networkVolumeIds: [...first, ...(body.networkVolumeIds ?? [])] };
}
