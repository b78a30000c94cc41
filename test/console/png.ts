// A screenshot with a palette of 256 colors, a third of the size: pages have few colors.

import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = 8;
const MOST_COLOURS = 256;

/** Accepts Chromium's format: 8-bit RGB, not interlaced. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, pixels } = decoded(png);
  const palette = paletteOf(pixels);
  const known = new Map(palette.map((colour, n) => [colour, n]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let n = 0; n < pixels.length; n++) {
    const colour = pixels[n]!;
    let index = known.get(colour);
    if (index === undefined) {
      index = nearest(palette, colour);
      known.set(colour, index);
    }
    rows[n + Math.floor(n / width) + 1] = index;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    png.subarray(0, SIGNATURE),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flatMap(channels))),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function decoded(png: Buffer): { width: number; height: number; pixels: Uint32Array } {
  const parts: Buffer[] = [];
  for (let at = SIGNATURE; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const data = png.subarray(at + 8, at + 8 + length);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(data);
    at += length + 12;
  }
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const size = png[25] === 6 ? 4 : 3;
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * size;
  let above = new Uint8Array(stride);
  const pixels = new Uint32Array(width * height);
  for (let y = 0; y < height; y++) {
    const from = y * (stride + 1);
    const row = unfiltered(raw[from]!, raw.subarray(from + 1, from + 1 + stride), above, size);
    for (let x = 0; x < width; x++) {
      const at = x * size;
      pixels[y * width + x] = (row[at]! << 16) | (row[at + 1]! << 8) | row[at + 2]!;
    }
    above = row;
  }
  return { width, height, pixels };
}

function unfiltered(filter: number, line: Uint8Array, above: Uint8Array, size: number) {
  const row = new Uint8Array(line.length);
  for (let n = 0; n < line.length; n++) {
    const left = n < size ? 0 : row[n - size]!;
    const corner = n < size ? 0 : above[n - size]!;
    const up = above[n]!;
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]!;
    row[n] = line[n]! + guess;
  }
  return row;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((each) => Math.abs(guess - each)) as [
    number,
    number,
    number,
  ];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** The colors of the most pixels. */
function paletteOf(pixels: Uint32Array): number[] {
  const counts = new Map<number, number>();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const byUse = [...counts].sort(([, a], [, b]) => b - a);
  return byUse.slice(0, MOST_COLOURS).map(([colour]) => colour);
}

const channels = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255] as const;

function nearest(palette: number[], colour: number): number {
  const [r, g, b] = channels(colour);
  const distance = (each: number) => {
    const [red, green, blue] = channels(each);
    return (red - r) ** 2 + (green - g) ** 2 + (blue - b) ** 2;
  };
  let best = 0;
  for (let n = 1; n < palette.length; n++) {
    if (distance(palette[n]!) < distance(palette[best]!)) best = n;
  }
  return best;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
