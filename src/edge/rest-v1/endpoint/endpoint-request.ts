// Conversion of an endpoint's request body to the domain's EndpointRequest.

import type {
  EndpointCreate,
  EndpointUpdate,
} from "../../../contract/rest-v1/endpoint/endpoint-write.ts";
import type { EndpointRequest } from "../../../domain/endpoint/endpoint-request.ts";
import type { Whole } from "../../management/serve/take-fields.ts";

type Body = EndpointUpdate & Omit<EndpointCreate, keyof EndpointUpdate>;

/** For no network volume, clients send null or an empty string. */
export function endpointRequest({ networkVolumeId, ...body }: Body): EndpointRequest {
  body satisfies Whole<typeof body, EndpointRequest>;
  if (networkVolumeId === undefined) return body;
  const first = networkVolumeId ? [networkVolumeId] : [];
  return { ...body, networkVolumeIds: [...first, ...(body.networkVolumeIds ?? [])] };
}
