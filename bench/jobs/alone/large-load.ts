// A process that submits 10 MB inputs, each client one after another, until SIGTERM. Apart from the
// process that times the small requests, whose clock it would disturb.
import { Connection, requestText } from "../connection.ts";

export interface LargePlan {
  port: number;
  key: string;
  endpointId: string;
  clients: number;
  inputBytes: number;
}

const plan: LargePlan = JSON.parse(process.argv[2] ?? "{}");
const body = `{"input":{"text":"${"x".repeat(plan.inputBytes - 11)}"}}`;
const text = requestText("POST", `/v2/${plan.endpointId}/run`, plan.key, body);

let stopping = false;
process.on("SIGTERM", () => {
  stopping = true;
});

async function client(): Promise<void> {
  const connection = await Connection.open(plan.port);
  while (!stopping) {
    const { status, body } = await connection.send(text);
    if (status !== 200) throw new Error(`run: ${status} ${body}`);
    process.stdout.write("submitted\n");
  }
  connection.close();
}

await Promise.all(Array.from({ length: plan.clients }, client));
