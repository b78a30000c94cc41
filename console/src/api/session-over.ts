// A session that has ended is noticed by whatever asks first, and told to the one who shows it.

let tell = () => {};

export function onSessionOver(listener: () => void): void {
  tell = listener;
}

export function sessionOver(): void {
  tell();
}
