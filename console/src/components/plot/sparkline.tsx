// A sparkline: a row of bars in the height of a line of text, each with a part that failed.

interface Props {
  /** For screen readers. */
  label: string;
  bars: readonly { ok: number; failed: number }[];
}

const HEIGHT = 20;
/** Per bar, in px. The gap is part of it. */
const WIDTH = 4;
const GAP = 1;

export function Sparkline({ label, bars }: Props) {
  const maximum = Math.max(1, ...bars.map(({ ok, failed }) => ok + failed));
  // One job is visible beside thousands.
  const heightOf = (n: number) => (n === 0 ? 0 : Math.max(1.5, (HEIGHT * n) / maximum));
  return (
    <svg role="img" aria-label={label} width={bars.length * WIDTH} height={HEIGHT}>
      <title>{label}</title>
      <rect y={HEIGHT - 1} width={bars.length * WIDTH - GAP} height={1} className="fill-line" />
      {bars.map(({ ok, failed }, n) => {
        const bad = heightOf(failed);
        const all = Math.max(heightOf(ok + failed), bad);
        const box = { x: n * WIDTH, width: WIDTH - GAP };
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its position
          <g key={n}>
            <rect {...box} y={HEIGHT - all} height={all} className="fill-series-1" />
            <rect {...box} y={HEIGHT - all} height={bad} className="fill-bad" />
          </g>
        );
      })}
    </svg>
  );
}
