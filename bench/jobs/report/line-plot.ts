// A line plot as SVG: a line per series over categories, named at its right end.

export interface Series {
  name: string;
  /** One for each category, or for the first ones. */
  values: number[];
}

export interface LinePlot {
  title: string;
  categories: string[];
  /** The first series is drawn in the foreground. */
  series: Series[];
  scale: "linear" | "log";
}

const WIDTH = 760;
const HEIGHT = 400;
const PLOT = { left: 60, right: 600, top: 44, bottom: 350 };
const COLORS = ["#0b57d0", "#c2410c", "#a16207", "#15803d", "#7e22ce", "#be185d", "#475569"];
const LABEL_HEIGHT = 16;

export function linePlot({ title, categories, series, scale }: LinePlot): string {
  const all = series.flatMap(({ values }) => values);
  const ticks = scale === "log" ? logTicks(all) : linearTicks(Math.max(...all));
  const y = scaleOf(ticks, scale);
  const step = (PLOT.right - PLOT.left) / (categories.length - 1);
  const x = (n: number) => PLOT.left + n * step;
  const labels = apart(series.map(({ values }) => y(values.at(-1)!)));
  const parts = [
    text(PLOT.left, 24, title, 'font-weight="bold"'),
    ...ticks.flatMap((tick) => [
      `<line x1="${PLOT.left}" x2="${PLOT.right}" y1="${y(tick)}" y2="${y(tick)}" stroke="#e2e8f0"/>`,
      text(PLOT.left - 8, y(tick) + 4, tick.toLocaleString("en"), 'text-anchor="end"'),
    ]),
    ...categories.map((each, n) => text(x(n), PLOT.bottom + 20, each, 'text-anchor="middle"')),
    text((PLOT.left + PLOT.right) / 2, PLOT.bottom + 40, "clients", 'text-anchor="middle"'),
    ...series
      .map(({ name, values }, n) => {
        const color = COLORS[n % COLORS.length]!;
        const points = values.map((value, at) => `${round(x(at))},${y(value)}`).join(" ");
        return `<polyline points="${points}" fill="none" stroke="${color}" stroke-width="${n === 0 ? 3.5 : 1.5}"/>
${text(PLOT.right + 8, labels[n]! + 4, name, `fill="${color}"`)}`;
      })
      .reverse(),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="13">
<title>${title}</title>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
${parts.join("\n")}
</svg>
`;
}

function text(x: number, y: number, content: string, attributes: string): string {
  return `<text x="${round(x)}" y="${round(y)}" ${attributes}>${content}</text>`;
}

const round = (value: number) => Math.round(value * 10) / 10;

function scaleOf(ticks: number[], scale: LinePlot["scale"]): (value: number) => number {
  const at = scale === "log" ? Math.log : (value: number) => value;
  const [low, high] = [at(ticks[0]!), at(ticks.at(-1)!)];
  return (value) =>
    round(PLOT.bottom - ((at(value) - low) / (high - low)) * (PLOT.bottom - PLOT.top));
}

function linearTicks(max: number): number[] {
  const power = 10 ** Math.floor(Math.log10(max));
  const step = [0.2, 0.5, 1, 2].map((n) => n * power).find((each) => max / each <= 6)!;
  return Array.from({ length: Math.ceil(max / step) + 1 }, (_, n) => round(n * step));
}

/** Powers of two around all values. */
function logTicks(values: number[]): number[] {
  const first = Math.floor(Math.log2(Math.min(...values)));
  const last = Math.ceil(Math.log2(Math.max(...values)));
  return Array.from({ length: last - first + 1 }, (_, n) => 2 ** (first + n));
}

/** Moves labels that would overlap downwards. */
function apart(positions: number[]): number[] {
  const moved = [...positions];
  let least = Number.NEGATIVE_INFINITY;
  for (const n of positions.map((_, at) => at).sort((a, b) => positions[a]! - positions[b]!)) {
    moved[n] = Math.max(positions[n]!, least);
    least = moved[n]! + LABEL_HEIGHT;
  }
  return moved;
}
