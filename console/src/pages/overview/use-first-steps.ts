// Which first steps of an account are done, from its keys, machines, jobs and members.

import { api } from "../../api/client.ts";
import { useEndpointLoads } from "./use-endpoint-loads.ts";

/** The service creates it for `freehold` on its own machine. */
const COMMAND_LINE_KEY = "this machine's command line";

export interface FirstStepFacts {
  hasOwnKey: boolean;
  hasMachine: boolean;
  /** Whether a job of an endpoint completed. */
  hasJob: boolean;
  hasPeople: boolean;
  /** An endpoint that can run a job; null if there is none. */
  endpointId: string | null;
}

/** Undefined while it loads. */
export function useFirstSteps(): FirstStepFacts | undefined {
  const { data: keys } = api.useQuery("get", "/v1/keys");
  const { data: machines } = api.useQuery("get", "/v1/machines");
  const { data: members } = api.useQuery("get", "/v1/members");
  const { data: invitations } = api.useQuery("get", "/v1/invitations");
  const { loads, isLoading } = useEndpointLoads();
  if (!keys || !machines || !members || !invitations || isLoading) return undefined;
  return {
    hasOwnKey: keys.some(({ name, disabled }) => name !== COMMAND_LINE_KEY && !disabled),
    hasMachine: machines.some(
      ({ online, draining, trouble, drivers }) =>
        online && !draining && trouble === undefined && drivers.length > 0,
    ),
    hasJob: loads.some(({ completed }) => completed > 0),
    hasPeople: members.length + invitations.length > 0,
    endpointId: loads[0]?.id ?? null,
  };
}
