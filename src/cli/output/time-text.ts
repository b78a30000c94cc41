// Instants as people read them, in the time zone of the terminal. JSON keeps them in UTC.

const two = (part: number) => String(part).padStart(2, "0");

/** "2027-01-11 09:00" */
export function timeText(instant: string): string {
  const at = new Date(instant);
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** "2027-01-11 09:00:07" */
export const exactTimeText = (instant: string): string =>
  `${timeText(instant)}:${two(new Date(instant).getSeconds())}`;
