// Who is signed in, and what that permits.

import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { api, type Schema, service } from "./client.ts";

export const selfOptions = () =>
  api.queryOptions("get", "/v1/session", undefined, { staleTime: Infinity });

export type Self = Schema["Self"];

export function useSelf(): Self {
  return useSuspenseQuery(selfOptions()).data;
}

/** False where the key may only look. */
export function useMayWrite(of: "rest" | "queue" = "rest"): boolean {
  return useSelf().key.permissions[of] === "write";
}

/** What is not for everybody to look at: what runs, what it costs, who is in the account. */
export type Area = "resources" | "billing" | "account";

const mayLook: Record<string, Area[]> = {
  basic: ["resources"],
  billing: ["billing"],
  dev: ["resources"],
  admin: ["resources", "billing", "account"],
};

/** False where a member's role shows nothing of it; who is no member sees what the key opens. */
export function showsTo({ role }: Self, area: Area): boolean {
  return role === undefined || (mayLook[role]?.includes(area) ?? false);
}

export function useMayLook(area: Area): boolean {
  return showsTo(useSelf(), area);
}

/** Signs in; rejects with the service's refusal. */
export async function signIn(key: string): Promise<Self> {
  const { data, error } = await service.POST("/v1/session", { body: { key } });
  if (error) throw error;
  return data;
}

export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await service.DELETE("/v1/session");
    client.clear();
    // Nothing of what was shown stays in memory.
    window.location.assign("/sign-in");
  };
}
