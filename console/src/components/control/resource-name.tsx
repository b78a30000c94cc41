// The name of a resource by its id, or the id if it has no name.

import { api } from "../../api/client.ts";

interface NamedResource {
  id: string;
  name?: string | undefined;
}

const findName = (resources: NamedResource[] | undefined, id: string) =>
  resources?.find((each) => each.id === id)?.name || id;

interface Props {
  id: string;
}

export function EndpointName({ id }: Props) {
  const { data } = api.useQuery("get", "/v1/endpoints");
  return <>{findName(data, id)}</>;
}

export function PodName({ id }: Props) {
  const { data } = api.useQuery("get", "/v1/pods");
  return <>{findName(data, id)}</>;
}

export function TemplateName({ id }: Props) {
  const { data } = api.useQuery("get", "/v1/templates", {
    params: {
      query: {
        includeEndpointBoundTemplates: true,
        includePublicTemplates: true,
        includeRunpodTemplates: true,
      },
    },
  });
  return <>{findName(data, id)}</>;
}

export function VolumeName({ id }: Props) {
  const { data } = api.useQuery("get", "/v1/networkvolumes");
  return <>{findName(data, id)}</>;
}

export function VolumeNames({ ids }: { ids: string[] }) {
  const { data } = api.useQuery("get", "/v1/networkvolumes");
  return <>{ids.map((id) => findName(data, id)).join(", ")}</>;
}

export function MachineName({ id }: Props) {
  const { data } = api.useQuery("get", "/v1/machines");
  return <>{findName(data, id)}</>;
}

export function KeyName({ id }: Props) {
  const { data } = api.useQuery("get", "/v1/keys");
  return <>{findName(data, id)}</>;
}
