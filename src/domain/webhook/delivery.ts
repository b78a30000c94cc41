// A webhook delivery: one message about the end of a job, and every try to send it.

export interface Delivery {
  jobSeq: number;
  /** Its number among the job's deliveries. */
  n: number;
  endpointId: string;
  /** The message id; a redelivery repeats it. */
  message: string;
  url: string;
  state: "waiting" | "delivered" | "failed";
  tries: number;
  /** When the next try is due; null once the delivery is settled. */
  dueAt: number | null;
  createdAt: number;
}

export interface DeliveryTry {
  /** Its number among the delivery's tries. */
  try: number;
  at: number;
  status: number | null;
  error: string | null;
  tookMs: number;
}

export type DeliveryLog = Delivery & { log: DeliveryTry[] };
