// Session expiry: requests report it, and the shell shows the sign-in page.

let onExpired = () => {};

export function onSessionExpired(listener: () => void): void {
  onExpired = listener;
}

export function notifySessionExpired(): void {
  onExpired();
}
