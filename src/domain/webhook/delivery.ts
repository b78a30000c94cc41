// A webhook delivery: one message about a subject, and every try to send it.

/** The end of a job or of a batch, or a notification of an account. */
export type DeliverySubject = "job" | "batch" | "notification";

export interface Delivery {
  subject: DeliverySubject;
  /** The number of the job, the batch or the notification. */
  subjectSeq: number;
  /** Its number among the subject's deliveries. */
  n: number;
  /** What shares a receiver: the endpoint of the job or the batch, or the notification's rule. */
  laneId: string;
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
