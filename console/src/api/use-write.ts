// One write to the service: its pending state, its error, the toast on success, and the queries that it makes
// stale beyond those that change events name.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { FetchResponse, MaybeOptionalInit } from "openapi-fetch";
import type { PathsWithMethod } from "openapi-typescript-helpers";
import { showErrorToast, showToast } from "../toast.tsx";
import { type Paths, service } from "./client.ts";
import { describeError } from "./error-description.ts";

type WriteMethod = "post" | "put" | "patch" | "delete";
type Operation<Method extends WriteMethod, Path extends keyof Paths> = Extract<
  Paths[Path][Method],
  Record<string | number, unknown>
>;
type Init<
  Method extends WriteMethod,
  Path extends PathsWithMethod<Paths, Method>,
> = MaybeOptionalInit<Paths[Path], Method>;
type Data<Method extends WriteMethod, Path extends PathsWithMethod<Paths, Method>> = NonNullable<
  FetchResponse<Operation<Method, Path>, Init<Method, Path>, "application/json">["data"]
>;

interface Options<Result> {
  /** The toast on success. */
  success?: string | ((data: Result) => string);
  /** Queries to read again; change events already cover most. */
  invalidates?: PathsWithMethod<Paths, "get">[];
  /** Shows an error as a toast: for a control without a place for it. */
  toastError?: boolean;
}

export interface WriteState {
  isPending: boolean;
  error: unknown;
  reset: () => void;
}

export interface Write<Variables, Result> extends WriteState {
  /** Rejects with the service's error, which `error` has as well. */
  run: (variables: Variables) => Promise<Result>;
  /** Does what `run` does, without a promise, for an event handler. */
  start: (variables: Variables) => void;
}

export function useWrite<Method extends WriteMethod, Path extends PathsWithMethod<Paths, Method>>(
  method: Method,
  path: Path,
  { success, invalidates = [], toastError }: Options<Data<Method, Path>> = {},
): Write<Init<Method, Path>, Data<Method, Path>> {
  const client = useQueryClient();
  const mutation = useMutation<Data<Method, Path>, unknown, Init<Method, Path>>({
    mutationFn: async (init) => {
      const { data, error } = await service.request(method, path as never, init as never);
      if (error) throw error;
      return data as Data<Method, Path>;
    },
    onSuccess: (data) => {
      if (success) showToast(typeof success === "string" ? success : success(data));
      for (const stale of invalidates) void client.invalidateQueries({ queryKey: ["get", stale] });
    },
    onError: (error) => {
      if (toastError) showErrorToast(describeError(error).message);
    },
  });
  const { mutateAsync, mutate, isPending, error, reset } = mutation;
  return { run: mutateAsync, start: (init) => mutate(init), isPending, error, reset };
}
