// A request of any method and path to a load-balancing endpoint, and its response as it comes.

import { type ResolverResult, useForm } from "react-hook-form";
import type { Schema } from "../../../api/client.ts";
import { useCanWrite } from "../../../api/session.ts";
import { Button } from "../../../components/control/button.tsx";
import { SelectField, TextAreaField, TextField } from "../../../components/form/form-fields.tsx";
import { Card } from "../../../components/layout/card.tsx";
import { CallResponse } from "./call-response.tsx";
import { useEndpointCall } from "./use-endpoint-call.ts";

type Call = Schema["EndpointCallInput"];
type Method = NonNullable<Call["method"]>;

const METHODS: Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

interface Values {
  method: Method;
  path: string;
  headers: string;
  body: string;
}

export function TryEndpoint({ endpointId }: { endpointId: string }) {
  const { call, send, stop } = useEndpointCall(endpointId);
  const mayWrite = useCanWrite("queue");
  const form = useForm<Values>({
    mode: "onTouched",
    defaultValues: { method: "GET", path: "/", headers: "", body: "" },
    resolver,
  });
  const isOpen = call?.state === "waiting" || call?.state === "streaming";
  const takesBody = !["GET", "HEAD", "OPTIONS"].includes(form.watch("method"));
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Card title="Try it">
        <form
          noValidate
          className="space-y-4"
          onSubmit={form.handleSubmit((values) => send(callOf(values, takesBody)))}
        >
          <div className="grid grid-cols-[7rem_1fr] gap-3">
            <SelectField
              form={form}
              name="method"
              label="Method"
              options={METHODS.map((method) => [method, method])}
            />
            <TextField form={form} name="path" label="Path" mono placeholder="/v1/models" />
          </div>
          <TextAreaField
            form={form}
            name="headers"
            label="Headers"
            hint="One per line, such as Accept: text/event-stream."
            rows={2}
            mono
          />
          {takesBody && <TextAreaField form={form} name="body" label="Body" rows={8} mono />}
          <div className="flex gap-2">
            <Button type="submit" variant="primary" disabled={!mayWrite || isOpen} busy={isOpen}>
              {isOpen ? "Waiting" : "Send"}
            </Button>
            {isOpen && <Button onClick={stop}>Stop</Button>}
          </div>
          {!mayWrite && <p className="text-sm text-muted">Your API key cannot call endpoints.</p>}
        </form>
      </Card>
      <CallResponse call={call} />
    </div>
  );
}

const HEADER = /^\s*([\w!#$%&'*+.^`|~-]+)\s*:\s*(.*?)\s*$/;

const linesOf = (text: string) => text.split("\n").filter((line) => line.trim() !== "");

/** JSON is sent as JSON unless a header says otherwise. */
function callOf({ method, path, headers: text, body }: Values, takesBody: boolean): Call {
  const pairs = linesOf(text).map((line) => HEADER.exec(line)!.slice(1) as [string, string]);
  const headers = Object.fromEntries(pairs);
  const hasType = pairs.some(([name]) => name.toLowerCase() === "content-type");
  if (takesBody && body !== "" && !hasType && isJson(body))
    headers["content-type"] = "application/json";
  return { method, path: escaped(path), headers, ...(takesBody && { body }) };
}

/** Escapes what no path may hold, and nothing that is escaped already. */
const escaped = (path: string) =>
  path.replace(/[^!-~]+/gu, (letters) => encodeURIComponent(letters.toWellFormed()));

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function resolver(values: Values): ResolverResult<Values> {
  const wrong = linesOf(values.headers).find((line) => !HEADER.test(line));
  const errors = {
    ...(!values.path.startsWith("/") && {
      path: { type: "path", message: "Start the path with /." },
    }),
    ...(wrong !== undefined && {
      headers: {
        type: "header",
        message: `"${wrong.slice(0, 60)}" is not a name, a colon and a value.`,
      },
    }),
  };
  return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
}
