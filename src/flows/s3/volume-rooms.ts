// The room in volumes. The size of a volume is the limit for S3, like the disk's free space: a
// declared length is checked before its first byte, and every chunk when it arrives.

import type { Clock } from "../../base/clock.ts";
import { GIB } from "../../base/units.ts";
import type { NetworkVolume } from "../../domain/network-volume/network-volume.ts";
import { S3Error } from "../../domain/s3/s3-error.ts";
import type { VolumeFiles } from "../../drivers/volume-files.ts";

/** Pods write to the volume too, so it is measured again. */
const MEASURED_MS = 60_000;

interface Room {
  /** Bytes when it was measured last, with those of staged files. */
  measured: number;
  measuredAt: number;
  /** Net bytes that S3 placed since. */
  placed: number;
  /** Net bytes that were staged since: those that arrived, without those that were placed or deleted. */
  staged: number;
  /** The names of staged files whose bytes count by those that they are copies of. */
  copies: Set<string>;
  measuring: Promise<void> | null;
}

export class VolumeRooms {
  readonly #clock: Clock;
  readonly #rooms = new Map<string, Room>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws QuotaExceeded unless this many more bytes fit. */
  async require(volume: NetworkVolume, files: VolumeFiles, bytes: number): Promise<void> {
    const room = await this.#measured(volume, files);
    if (bytes > (await files.freeBytes())) throw full(volume);
    if (usedOf(room) + bytes > volume.size * GIB) throw full(volume);
  }

  /** Counts bytes that arrived. Throws QuotaExceeded if the volume is full. */
  take(volume: NetworkVolume, bytes: number): void {
    const room = this.#roomOf(volume.id);
    room.staged += bytes;
    if (usedOf(room) > volume.size * GIB) throw full(volume);
  }

  /** A staged file that is to replace the staged ones which it is a copy of. */
  addCopy({ id }: NetworkVolume, name: string): void {
    this.#roomOf(id).copies.add(name);
  }

  /** Staged bytes that were deleted. */
  release({ id }: NetworkVolume, bytes: number): void {
    this.#roomOf(id).staged -= bytes;
  }

  /** Staged bytes that became a file in place of one of `replaced` bytes. */
  place(volume: NetworkVolume, bytes: number, replaced: number): void {
    this.release(volume, bytes);
    this.#roomOf(volume.id).placed += bytes - replaced;
  }

  #roomOf(id: string): Room {
    const room = this.#rooms.get(id) ?? emptyRoom();
    this.#rooms.set(id, room);
    return room;
  }

  /** The first measurement is waited for; later ones run beside the requests. */
  async #measured({ id }: NetworkVolume, files: VolumeFiles): Promise<Room> {
    const room = this.#roomOf(id);
    if (this.#clock.ticks() - room.measuredAt >= MEASURED_MS) {
      room.measuring ??= this.#measure(room, files).finally(() => {
        room.measuring = null;
      });
    }
    if (room.measuredAt === -Infinity) await room.measuring;
    else room.measuring?.catch(() => {});
    return room;
  }

  async #measure(room: Room, files: VolumeFiles): Promise<void> {
    const { placed, staged, copies } = { ...room, copies: [...room.copies] };
    const used = await files.usedBytes();
    const all = await files.staged();
    const sizes = new Map(all.map(({ name, size }) => [name, size]));
    for (const name of copies) if (!sizes.has(name)) room.copies.delete(name);
    for (const name of room.copies) sizes.delete(name);
    room.measured = [...sizes.values()].reduce((sum, size) => sum + size, used);
    room.placed -= placed;
    room.staged -= staged;
    room.measuredAt = this.#clock.ticks();
  }
}

const emptyRoom = (): Room => {
  const nothing = { measured: 0, placed: 0, staged: 0 };
  return { ...nothing, measuredAt: -Infinity, copies: new Set(), measuring: null };
};

const usedOf = ({ measured, placed, staged }: Room) => measured + placed + staged;

export const full = ({ id }: NetworkVolume) => new S3Error("QuotaExceeded", { bucket: id });
