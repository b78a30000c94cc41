// Sends a job to the endpoint, and shows what a program would write instead.

import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { Schema } from "../../../api/client.ts";
import { useMayWrite } from "../../../api/self.ts";
import { Button } from "../../../parts/button.tsx";
import { Card } from "../../../parts/card.tsx";
import { Choice } from "../../../parts/choice.tsx";
import { Code } from "../../../parts/copy.tsx";
import { Field, TextArea } from "../../../parts/field.tsx";
import { Answer } from "./answer.tsx";
import { readBody } from "./read-body.ts";
import { useSendJob } from "./send-job.ts";
import { type Language, snippet, type Way } from "./snippets.ts";

const route = getRouteApi("/inside/serverless/$endpointId");

const FIRST = `{
  "input": {
    "name": "world"
  }
}`;

const ways: Record<Way, string> = { run: "Run", runsync: "Run and wait", stream: "Stream" };
const languages: Record<Language, string> = {
  curl: "curl",
  Python: "Python",
  JavaScript: "JavaScript",
};

export function EndpointRequest() {
  const { endpointId } = route.useParams();
  const [text, setText] = useState(FIRST);
  const [way, setWay] = useState<Way>("runsync");
  const [language, setLanguage] = useState<Language>("curl");
  const mayWrite = useMayWrite("queue");
  const { sent, send } = useSendJob(endpointId);
  const { body, wrong } = readBody(text);
  const busy = sent !== null && sent.state !== "answered";
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <div className="min-w-0 space-y-4">
        <Card
          title="Request"
          aside={<Choice label="How" value={way} onChange={setWay} options={ways} />}
        >
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (body) void send(way, body as Schema["Submission"]);
            }}
          >
            <Field label="Body" hint="A JSON object with an input." error={wrong}>
              {(tied) => (
                <TextArea
                  {...tied}
                  value={text}
                  onChange={({ target }) => setText(target.value)}
                  className="min-h-56 font-mono text-sm"
                />
              )}
            </Field>
            <div className="mt-4 flex flex-wrap gap-2">
              <Button
                type="submit"
                look="primary"
                busy={busy}
                disabled={body === null || !mayWrite}
              >
                {busy ? "Waiting" : "Send"}
              </Button>
              <Button
                disabled={body === null}
                onClick={() => setText(JSON.stringify(body, null, 2))}
              >
                Format
              </Button>
            </div>
            {!mayWrite && <p className="mt-2 text-sm text-muted">This key may not send jobs.</p>}
          </form>
        </Card>
        <Card
          title="From a program"
          aside={
            <Choice label="Language" value={language} onChange={setLanguage} options={languages} />
          }
        >
          <Code text={snippet(language, { endpointId, way, body: body ?? { input: {} } })} />
        </Card>
      </div>
      <div className="min-w-0">
        <Answer sent={sent} />
      </div>
    </div>
  );
}
