// The logo.

export function Logo({ large }: { large?: boolean }) {
  return (
    <span className="inline-flex items-center gap-2.5 font-semibold tracking-tight">
      <svg viewBox="0 0 32 32" className={large ? "size-9" : "size-6"} aria-hidden>
        <rect width="32" height="32" rx="7" fill="#1d6b51" />
        <path
          d="M7 24V9.5h13.5M7 16.5h9.5"
          fill="none"
          stroke="#fff"
          strokeWidth="3"
          strokeLinecap="square"
        />
        <path d="M25 24v-7.5M18 24v-2" stroke="#9fdcc3" strokeWidth="3" strokeLinecap="square" />
      </svg>
      <span className={large ? "text-2xl" : "text-lg"}>Freehold</span>
    </span>
  );
}
