// The operations of the API as the command line calls them: "GET /v1/pods/{podId}". Their types come
// from the schemas that the OpenAPI document is made of, and cost nothing at run time.

import type { Static, TSchema } from "typebox";
import { UsageError } from "../../base/refusal.ts";
import type { Operation, ParamsOf } from "../../contract/operation.ts";
import type { queueOperations } from "../../contract/queue/operations.ts";
import type { accountOperations } from "../../contract/rest-v1/account/account.ts";
import type { accountsOperations } from "../../contract/rest-v1/account/accounts.ts";
import type { auditOperations } from "../../contract/rest-v1/account/audit.ts";
import type { exemptionOperations } from "../../contract/rest-v1/account/exemption.ts";
import type { keyOperations } from "../../contract/rest-v1/account/key.ts";
import type { memberOperations } from "../../contract/rest-v1/account/member.ts";
import type { projectOperations } from "../../contract/rest-v1/account/project.ts";
import type { quotaOperations } from "../../contract/rest-v1/account/quota.ts";
import type { reservationOperations } from "../../contract/rest-v1/account/reservation.ts";
import type { reservationFeedOperations } from "../../contract/rest-v1/account/reservation-feed.ts";
import type { batchItemOperations, batchOperations } from "../../contract/rest-v1/batch/batch.ts";
import type { billingOperations } from "../../contract/rest-v1/billing/billing.ts";
import type { budgetOperations } from "../../contract/rest-v1/billing/budget.ts";
import type { priceBookOperations } from "../../contract/rest-v1/billing/price-book.ts";
import type { endpointOperations } from "../../contract/rest-v1/endpoint/endpoint.ts";
import type { workerOperations } from "../../contract/rest-v1/endpoint/worker.ts";
import type { jobOperations } from "../../contract/rest-v1/job/job.ts";
import type { jobLogOperations } from "../../contract/rest-v1/job/job-logs.ts";
import type { bulkOperations } from "../../contract/rest-v1/job/job-operations.ts";
import type { catalogOperations } from "../../contract/rest-v1/machine/catalog.ts";
import type { machineOperations } from "../../contract/rest-v1/machine/machine.ts";
import type { notificationRuleOperations } from "../../contract/rest-v1/notification/notification-rule.ts";
import type { whyOperations } from "../../contract/rest-v1/observe/why.ts";
import type { passwordOperations } from "../../contract/rest-v1/password/password.ts";
import type { podOperations } from "../../contract/rest-v1/pod/pod-operations.ts";
import type {
  scheduleInputOperations,
  scheduleOperations,
} from "../../contract/rest-v1/schedule/schedule.ts";
import type { registryAuthOperations } from "../../contract/rest-v1/secret/registry-auth.ts";
import type { secretOperations } from "../../contract/rest-v1/secret/secret.ts";
import type { sshKeyOperations } from "../../contract/rest-v1/secret/ssh-key.ts";
import type { networkVolumeOperations } from "../../contract/rest-v1/storage/network-volume.ts";
import type { s3KeyOperations } from "../../contract/rest-v1/storage/s3-key.ts";
import type { templateOperations } from "../../contract/rest-v1/template/template.ts";
import type { clockOperations } from "../../contract/rest-v1/testing/clock.ts";
import type { faultOperations } from "../../contract/rest-v1/testing/fault.ts";
import type { clusterOperations } from "../../contract/rest-v2/cluster/cluster-operations.ts";
import type { sandboxOperations } from "../../contract/rest-v2/sandbox/sandbox-operations.ts";
import type { RunningService } from "./running-service.ts";
import { ask } from "./service-request.ts";

type Operations = typeof queueOperations &
  typeof accountOperations &
  typeof accountsOperations &
  typeof machineOperations &
  typeof s3KeyOperations &
  typeof whyOperations &
  typeof auditOperations &
  typeof keyOperations &
  typeof memberOperations &
  typeof passwordOperations &
  typeof projectOperations &
  typeof quotaOperations &
  typeof reservationOperations &
  typeof reservationFeedOperations &
  typeof exemptionOperations &
  typeof priceBookOperations &
  typeof billingOperations &
  typeof budgetOperations &
  typeof endpointOperations &
  typeof workerOperations &
  typeof jobOperations &
  typeof jobLogOperations &
  typeof bulkOperations &
  typeof batchItemOperations &
  typeof batchOperations &
  typeof catalogOperations &
  typeof notificationRuleOperations &
  typeof podOperations &
  typeof registryAuthOperations &
  typeof scheduleInputOperations &
  typeof scheduleOperations &
  typeof secretOperations &
  typeof sshKeyOperations &
  typeof networkVolumeOperations &
  typeof templateOperations &
  typeof clockOperations &
  typeof clusterOperations &
  typeof sandboxOperations &
  typeof faultOperations;

type Routes = {
  [Name in keyof Operations as RouteOf<Operations[Name]>]: Operations[Name];
};
type RouteOf<Each> = Each extends {
  method: infer Method extends string;
  path: infer Path extends string;
}
  ? `${Method} ${Path}`
  : never;

export type ApiRoute = keyof Routes;

export type AnswerOf<R extends ApiRoute> = Routes[R] extends {
  answer: { schema: infer Schema extends TSchema };
}
  ? Static<Schema>
  : undefined;

/** An item of the list that the route answers. REST v2 answers an object whose one member is the list. */
export type ItemOf<R extends ApiRoute> =
  AnswerOf<R> extends readonly (infer Item)[]
    ? Item
    : AnswerOf<R> extends Record<string, readonly (infer Item)[]>
      ? Item
      : never;

type BodyOf<R extends ApiRoute> = Routes[R] extends { body: infer Schema extends TSchema }
  ? { body: Static<Schema> }
  : unknown;

export type QueryOf<R extends ApiRoute> = Routes[R] extends { query: infer Schema extends TSchema }
  ? Partial<Static<Schema>>
  : Record<never, never>;

type Input<R extends ApiRoute> = (Routes[R] extends Operation
  ? { params?: ParamsOf<Routes[R]["path"]> }
  : unknown) &
  BodyOf<R> & { query?: QueryOf<R> };

/** Calls an operation whose input and answer the contract describes. */
export async function call<R extends ApiRoute>(
  service: RunningService,
  route: R,
  ...[input]: Record<never, never> extends Input<R> ? [input?: Input<R>] : [input: Input<R>]
): Promise<AnswerOf<R>> {
  const { params, query, body } = (input ?? {}) as Partial<Request>;
  return (await callRoute(service, route, { params, query, body })) as AnswerOf<R>;
}

interface Request {
  params: Record<string, string> | undefined;
  query: Record<string, unknown> | undefined;
  body: unknown;
}

/** Calls a route that is only known at run time. */
export async function callRoute(
  service: RunningService,
  route: ApiRoute,
  { params, query, body }: Partial<Request> = {},
): Promise<unknown> {
  const [method, template] = route.split(" ") as [string, string];
  return ask(service, method, pathOf(template, params ?? {}) + queryText(query ?? {}), body);
}

/** Calls a list, and returns its items. */
export async function callList(
  service: RunningService,
  route: ApiRoute,
  request: Partial<Request> = {},
): Promise<unknown[]> {
  const answer = (await callRoute(service, route, request)) as
    | unknown[]
    | Record<string, unknown[]>;
  return Array.isArray(answer) ? answer : Object.values(answer)[0]!;
}

function pathOf(template: string, params: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? "";
    // An empty segment would be the address of the list.
    if (value === "" || value === "." || value === "..")
      throw new UsageError(`"${value}" is no id`);
    return encodeURIComponent(value);
  });
}

function queryText(query: Record<string, unknown>): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => {
      const values = [value].flat();
      // The value of a label may have commas.
      const texts = name === "labels" ? values : [values.join(",")];
      return texts.map((each): [string, string] => [name, String(each)]);
    });
  const text = new URLSearchParams(pairs).toString();
  return text && `?${text}`;
}
