// The OpenAPI document of REST v1 and the queue. A new noun adds its operations to `operations`.

import Type from "typebox";
import examples from "./examples.json" with { type: "json" };
import type { CatalogNames } from "./fields.ts";
import { type OpenapiDocument, openapiDocument } from "./openapi-document.ts";
import type { Operations } from "./operation.ts";
import { queueOperations } from "./queue/operations.ts";
import { accountOperations } from "./rest-v1/account/account.ts";
import { accountsOperations } from "./rest-v1/account/accounts.ts";
import { auditOperations } from "./rest-v1/account/audit.ts";
import { deviceLoginOperations } from "./rest-v1/account/device-login.ts";
import { exemptionOperations } from "./rest-v1/account/exemption.ts";
import { installationOperations } from "./rest-v1/account/installation.ts";
import { keyOperations } from "./rest-v1/account/key.ts";
import { memberOperations } from "./rest-v1/account/member.ts";
import { projectOperations } from "./rest-v1/account/project.ts";
import { quotaOperations } from "./rest-v1/account/quota.ts";
import { reservationOperations } from "./rest-v1/account/reservation.ts";
import { reservationFeedOperations } from "./rest-v1/account/reservation-feed.ts";
import { sessionOperations } from "./rest-v1/account/session.ts";
import { signInOperations } from "./rest-v1/account/sign-in.ts";
import { batchItemOperations, batchOperations } from "./rest-v1/batch/batch.ts";
import { billingOperations } from "./rest-v1/billing/billing.ts";
import { budgetOperations } from "./rest-v1/billing/budget.ts";
import { priceBookOperations } from "./rest-v1/billing/price-book.ts";
import { savingsPlanOperations } from "./rest-v1/billing/savings-plan.ts";
import { statementOperations } from "./rest-v1/billing/statement.ts";
import { endpointOperations } from "./rest-v1/endpoint/endpoint.ts";
import { endpointCallOperations } from "./rest-v1/endpoint/endpoint-call.ts";
import { workerOperations } from "./rest-v1/endpoint/worker.ts";
import { jobOperations } from "./rest-v1/job/job.ts";
import { jobDeliveryOperations } from "./rest-v1/job/job-deliveries.ts";
import { jobLogOperations } from "./rest-v1/job/job-logs.ts";
import { bulkOperations } from "./rest-v1/job/job-operations.ts";
import { catalogOperations } from "./rest-v1/machine/catalog.ts";
import { machineOperations } from "./rest-v1/machine/machine.ts";
import { notificationOperations } from "./rest-v1/notification/notification.ts";
import { notificationRuleOperations } from "./rest-v1/notification/notification-rule.ts";
import { eventOperations } from "./rest-v1/observe/event.ts";
import { referenceOperations } from "./rest-v1/observe/reference.ts";
import { whyOperations } from "./rest-v1/observe/why.ts";
import { passwordOperations } from "./rest-v1/password/password.ts";
import { totpOperations } from "./rest-v1/password/totp.ts";
import { podOperations } from "./rest-v1/pod/pod-operations.ts";
import { quoteOperations } from "./rest-v1/quote/quote.ts";
import { scheduleInputOperations, scheduleOperations } from "./rest-v1/schedule/schedule.ts";
import { registryAuthOperations } from "./rest-v1/secret/registry-auth.ts";
import { secretOperations } from "./rest-v1/secret/secret.ts";
import { sshKeyOperations } from "./rest-v1/secret/ssh-key.ts";
import { networkVolumeOperations } from "./rest-v1/storage/network-volume.ts";
import { s3KeyOperations } from "./rest-v1/storage/s3-key.ts";
import { templateOperations } from "./rest-v1/template/template.ts";
import { clockOperations } from "./rest-v1/testing/clock.ts";
import { faultOperations } from "./rest-v1/testing/fault.ts";
import { tags } from "./tags.ts";

/** Every operation that clients may use, by its name. */
export const operations: Operations = {
  ...podOperations,
  ...templateOperations,
  ...endpointOperations,
  ...endpointCallOperations,
  ...networkVolumeOperations,
  ...s3KeyOperations,
  ...registryAuthOperations,
  ...secretOperations,
  ...sshKeyOperations,
  ...queueOperations,
  ...jobOperations,
  ...jobDeliveryOperations,
  ...bulkOperations,
  ...batchItemOperations,
  ...batchOperations,
  ...jobLogOperations,
  ...scheduleInputOperations,
  ...scheduleOperations,
  ...whyOperations,
  ...workerOperations,
  ...catalogOperations,
  ...machineOperations,
  ...keyOperations,
  ...sessionOperations,
  ...signInOperations,
  ...passwordOperations,
  ...totpOperations,
  ...deviceLoginOperations,
  ...accountOperations,
  ...accountsOperations,
  ...installationOperations,
  ...memberOperations,
  ...projectOperations,
  ...quotaOperations,
  ...reservationOperations,
  ...reservationFeedOperations,
  ...exemptionOperations,
  ...auditOperations,
  ...billingOperations,
  ...budgetOperations,
  ...statementOperations,
  ...savingsPlanOperations,
  ...notificationRuleOperations,
  ...notificationOperations,
  ...priceBookOperations,
  ...clockOperations,
  ...faultOperations,
  ...eventOperations,
  ...quoteOperations,
  ...referenceOperations,
};

const errorSchema = Type.Object(
  {
    error: Type.String({ description: "What is wrong, which field, and what would be valid." }),
    message: Type.String({ description: "The same as error." }),
    status: Type.Integer({ description: "The HTTP status." }),
    code: Type.String({
      description: "The error code, for programs; docs/errors.md lists all codes.",
    }),
  },
  { title: "Fault" },
);

/** With the names of a catalog, the fields that take them have enums, as generators of clients read them. */
export function openapi(catalogNames?: CatalogNames): OpenapiDocument {
  return openapiDocument({
    catalogNames,
    info: {
      title: "Freehold",
      version: "0.1.0",
      description: "The management API and the queues of endpoints.",
    },
    operations,
    tags,
    examples,
    error: { name: "Fault", schema: errorSchema, mediaType: "application/json" },
    invalidStatus: 400,
    explodesLists: true,
    security: {
      bearer: { type: "http", scheme: "bearer", description: "Authorization: Bearer <key>" },
      bare: {
        type: "apiKey",
        in: "header",
        name: "Authorization",
        description: "The key without a scheme, as queue clients send it.",
      },
    },
  });
}
