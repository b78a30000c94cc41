// The account's Flash apps, which GraphQL serves.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { askGraphql } from "../../api/graphql.ts";
import type { WriteState } from "../../api/use-write.ts";
import { showToast } from "../../toast.tsx";

export interface FlashEnvironment {
  id: string;
  name: string;
  activeBuildId: string | null;
  createdAt: string;
  endpoints: { id: string; name: string }[];
}

export interface FlashBuild {
  id: string;
  createdAt: string;
}

export interface FlashApp {
  id: string;
  name: string;
  flashEnvironments: FlashEnvironment[];
  flashBuilds: FlashBuild[];
}

const LIST = `query flashApps { myself { flashApps { id name
  flashEnvironments { id name activeBuildId createdAt endpoints { id name } }
  flashBuilds { id createdAt } } } }`;

/** Listed in api/invalidation.ts. */
const KEY = ["graphql", "flashApps"] as const;

export function useFlashApps<Result = FlashApp[]>(select?: (apps: FlashApp[]) => Result) {
  return useQuery({
    queryKey: KEY,
    queryFn: async () => {
      const { myself } = await askGraphql<{ myself: { flashApps: FlashApp[] } }>(LIST);
      return myself.flashApps;
    },
    ...(select && { select }),
  });
}

/** A write of Flash apps; `run` rejects with the error that it also holds. */
export function useFlashWrite<Variables extends Record<string, string>>(
  mutation: string,
  success: string,
): WriteState & { run: (variables: Variables) => Promise<unknown> } {
  const client = useQueryClient();
  const write = useMutation({
    mutationFn: (variables: Variables) => askGraphql(mutation, variables),
    onSuccess: async () => {
      showToast(success);
      await client.invalidateQueries({ queryKey: KEY });
    },
  });
  const { isPending, error, reset, mutateAsync: run } = write;
  return { isPending, error, reset, run };
}
