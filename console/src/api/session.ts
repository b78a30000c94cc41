// The session of the browser, and its permissions.

import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { api, type Schema } from "./client.ts";
import { notifySessionBegun } from "./session-expiry.ts";
import { useWrite } from "./use-write.ts";

export const sessionOptions = () =>
  api.queryOptions("get", "/v1/session", undefined, { staleTime: Infinity });

export type Self = Schema["Self"];

export function useSession(): Self {
  return useSuspenseQuery(sessionOptions()).data;
}

/** Whether the session may change resources, or submit jobs. */
export function useCanWrite(of: "rest" | "queue" = "rest"): boolean {
  const { key, role } = useSession();
  return key.permissions[of] === "write" && (of === "queue" || role !== "basic");
}

/** Whether the session may change what every role may change: its keys, logins of terminals and its calendar feed. */
export function useCanWriteOwn(): boolean {
  return useSession().key.permissions.rest === "write";
}

/** The areas that some roles cannot view. */
export type Area = "resources" | "flash" | "billing" | "account";

const viewableAreas: Record<string, Area[]> = {
  basic: ["resources", "flash"],
  billing: ["billing"],
  member: ["resources"],
  dev: ["resources", "flash"],
  admin: ["resources", "flash", "billing", "account"],
};

/** Whether the role of the member shows an area; a key without a member has no role and sees all areas. */
export function canView({ role }: Self, area: Area): boolean {
  return role === undefined || (viewableAreas[role]?.includes(area) ?? false);
}

/** Whether the role sees only what belongs to the member. */
export const seesOwnOnly = ({ role }: Self): boolean => role === "member";

export function useCanView(area: Area): boolean {
  return canView(useSession(), area);
}

/** What a session is exchanged for: a key, or an e-mail address and a password. */
export type Credentials = Schema["SignIn"];

export function useSignIn() {
  const begin = useBeginSession();
  const write = useWrite("post", "/v1/session");
  const signIn = async (body: Credentials) => begin(await write.run({ body }));
  return { ...write, signIn };
}

/** Sets a new password with the token of a reset link, and signs in. */
export function usePasswordReset() {
  const begin = useBeginSession();
  const { run } = useWrite("post", "/v1/password-reset");
  return async (body: Schema["PasswordResetUse"]) => begin(await run({ body }));
}

/** Nothing of an earlier session stays. */
function useBeginSession() {
  const client = useQueryClient();
  return (session: Self) => {
    client.clear();
    client.setQueryData(sessionOptions().queryKey, session);
    notifySessionBegun();
  };
}

/** Goes on with the page that is open, in a new session. */
export function useResume() {
  const client = useQueryClient();
  const before = useSession();
  const { run } = useWrite("post", "/v1/session");
  const resume = useCallback(
    (session: Self) => {
      // Another person's page begins anew.
      if (!isSamePerson(before, session)) return window.location.assign("/");
      client.setQueryData(sessionOptions().queryKey, session);
      notifySessionBegun();
      void client.invalidateQueries();
    },
    [client, before],
  );
  const signIn = async (credentials: Credentials) => resume(await run({ body: credentials }));
  return { resume, signIn };
}

const isSamePerson = (a: Self, b: Self) =>
  a.account.id === b.account.id && a.memberId === b.memberId;

export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  const write = useWrite("delete", "/v1/session");
  return async () => {
    await write.run({}).catch(() => {});
    client.clear();
    window.location.assign("/sign-in"); // a new page keeps nothing in memory
  };
}
