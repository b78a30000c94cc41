// The load of 10 MB inputs, which clients submit one after another until SIGTERM. It is a process of its own: it would
// disturb the clock of the one that times small requests.
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
