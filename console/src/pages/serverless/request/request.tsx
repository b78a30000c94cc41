// The page that submits a job to an endpoint, with code examples for the same request.

import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { type ResolverResult, type UseFormReturn, useForm } from "react-hook-form";
import { api, type Schema } from "../../../api/client.ts";
import { useCanWrite } from "../../../api/session.ts";
import { Button } from "../../../components/control/button.tsx";
import { Code } from "../../../components/control/copy.tsx";
import { Choice } from "../../../components/control/segmented-control.tsx";
import { QueryResult } from "../../../components/data/query-result.tsx";
import { TextAreaField } from "../../../components/form/form-fields.tsx";
import { Card } from "../../../components/layout/card.tsx";
import { Skeleton } from "../../../components/layout/skeleton.tsx";
import { formatJson, parseExactly } from "../../../exact-json.ts";
import {
  type Language,
  type SnippetRequest,
  type SubmitMethod,
  snippet,
} from "../../jobs/snippets.ts";
import { AddressSnippets } from "../endpoint-address.tsx";
import { RequestHistory, useRecentJobs } from "./history.tsx";
import { PolicyFields } from "./policy-fields.tsx";
import { Response } from "./response.tsx";
import { TryEndpoint } from "./try-endpoint.tsx";
import { useSendJob } from "./use-send-job.ts";

const route = getRouteApi("/inside/serverless/$endpointId");
const requestRoute = getRouteApi("/inside/serverless/$endpointId/request");

const EXAMPLE_BODY = `{
  "input": {
    "name": "world"
  }
}`;

const methodLabels: Record<SubmitMethod, string> = {
  run: "Run",
  runsync: "Run sync",
  stream: "Stream",
};
const languages: Record<Language, string> = {
  curl: "curl",
  Python: "Python",
  JavaScript: "JavaScript",
};

export function EndpointRequest() {
  const { endpointId } = route.useParams();
  const { job } = requestRoute.useSearch();
  const { data: endpoint } = api.useQuery("get", "/v1/endpoints/{endpointId}", {
    params: { path: { endpointId } },
  });
  if (endpoint?.type === "LB") {
    return (
      <div className="space-y-4">
        <TryEndpoint endpointId={endpointId} />
        <AddressSnippets endpoint={endpoint} />
      </div>
    );
  }
  if (job === undefined) return <NewRequest key={endpointId} endpointId={endpointId} />;
  return <RequestOfJob endpointId={endpointId} jobId={job} />;
}

/** Starts with the input of the newest job, or with an example if no recent input is short. */
function NewRequest({ endpointId }: { endpointId: string }) {
  const query = useRecentJobs(endpointId);
  // Jobs that come later do not replace what is being edited.
  const [firstJobId, setFirstJobId] = useState<string | null>();
  if (firstJobId === undefined && query.data) {
    setFirstJobId(query.data.find(({ inputStart }) => inputStart !== undefined)?.id ?? null);
  }
  if (firstJobId) return <RequestOfJob endpointId={endpointId} jobId={firstJobId} />;
  if (firstJobId === undefined && !query.isError) return <Skeleton className="h-96" />;
  return <RequestForm endpointId={endpointId} initialBody={EXAMPLE_BODY} />;
}

/** Starts with the input of an earlier job. */
function RequestOfJob({ endpointId, jobId }: { endpointId: string; jobId: string }) {
  const query = api.useQuery("get", "/v1/jobs/{jobId}", { params: { path: { jobId } } });
  return (
    <QueryResult query={query} skeleton={<Skeleton className="h-96" />}>
      {({ input }) => (
        <RequestForm key={jobId} endpointId={endpointId} initialBody={formatJson({ input })} />
      )}
    </QueryResult>
  );
}

interface RequestProps {
  endpointId: string;
  initialBody: string;
}

function RequestForm({ endpointId, initialBody }: RequestProps) {
  const [method, setMethod] = useState<SubmitMethod>("runsync");
  const { sent, send } = useSendJob(endpointId);
  const form = useForm({
    mode: "onChange",
    defaultValues: { body: initialBody },
    resolver: resolveBody,
  });
  const { body } = parseBody(form.watch("body"));
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <div className="min-w-0 space-y-4">
        <Card
          title="Request"
          aside={
            <Choice label="Method" value={method} onChange={setMethod} options={methodLabels} />
          }
        >
          <BodyForm
            form={form}
            busy={sent !== null && sent.state !== "answered"}
            onSend={(submission) => void send(method, submission)}
          />
        </Card>
        <CodeExample request={{ endpointId, method, body: body ?? { input: {} } }} />
      </div>
      <div className="min-w-0">
        <Response sent={sent} />
        <RequestHistory endpointId={endpointId} />
      </div>
    </div>
  );
}

const resolveBody = (values: { body: string }): ResolverResult<{ body: string }> => {
  const { error } = parseBody(values.body);
  if (!error) return { values, errors: {} };
  return { values: {}, errors: { body: { type: "json", message: error } } };
};

interface BodyFormProps {
  form: UseFormReturn<{ body: string }>;
  busy: boolean;
  onSend: (body: Schema["Submission"]) => void;
}

function BodyForm({ form, busy, onSend }: BodyFormProps) {
  const mayWrite = useCanWrite("queue");
  const { body } = parseBody(form.watch("body"));
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (body) onSend(body as Schema["Submission"]);
      }}
    >
      <TextAreaField
        form={form}
        name="body"
        label="Body"
        hint="A JSON object with an input field."
        rows={10}
        mono
      />
      {body && (
        <PolicyFields
          body={body}
          onChange={(changed) =>
            form.setValue("body", formatJson(changed), { shouldValidate: true })
          }
        />
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={busy} disabled={body === null || !mayWrite}>
          {busy ? "Waiting" : "Send"}
        </Button>
        <Button disabled={body === null} onClick={() => form.setValue("body", formatJson(body))}>
          Format
        </Button>
      </div>
      {!mayWrite && <p className="mt-2 text-sm text-muted">Your API key cannot submit jobs.</p>}
    </form>
  );
}

function CodeExample({ request }: { request: SnippetRequest }) {
  const [language, setLanguage] = useState<Language>("curl");
  return (
    <Card
      title="Code example"
      aside={
        <Choice label="Language" value={language} onChange={setLanguage} options={languages} />
      }
    >
      <Code text={snippet(language, request)} />
    </Card>
  );
}

interface ParsedBody {
  body: Record<string, unknown> | null;
  error: string | null;
}

/** Parses a job body, with a message for invalid text. */
function parseBody(text: string): ParsedBody {
  let body: unknown;
  try {
    body = parseExactly(text);
  } catch (error) {
    return { body: null, error: `Invalid JSON: ${locateError((error as Error).message, text)}` };
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return { body: null, error: 'The body must be an object such as { "input": ... }.' };
  }
  if (!("input" in body)) return { body: null, error: 'The body must have an "input" field.' };
  return { body: body as Record<string, unknown>, error: null };
}

/** Adds the line and column of the position that browsers report. */
function locateError(message: string, text: string): string {
  const position = /position (\d+)/.exec(message)?.[1];
  if (position === undefined || message.includes("line ")) return message;
  const before = text.slice(0, Number(position)).split("\n");
  return `${message} (line ${before.length}, column ${before.at(-1)!.length + 1})`;
}
