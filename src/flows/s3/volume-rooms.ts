// The room in volumes. The size of a volume is the limit for S3, like the disk's free space: a
// declared length is checked before its first byte, and every chunk when it arrives.

import type { Clock } from "../../base/clock.ts";
import type { NetworkVolume } from "../../domain/network-volume/network-volume.ts";
import { S3Error } from "../../domain/s3/s3-error.ts";
import type { VolumeFiles } from "../../drivers/volume-files.ts";

const GB = 2 ** 30;
/** Pods write to the volume too, so it is measured again. */
const MEASURED_MS = 60_000;

interface Room {
  /** Bytes when it was measured last. */
  measured: number;
  measuredAt: number;
  /** Net bytes that S3 placed since. */
  placed: number;
  /** Bytes of files and parts that are not placed. */
  staged: number;
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
    if (usedOf(room) + bytes > volume.size * GB) throw full(volume);
  }

  /** Counts bytes that arrived. Throws QuotaExceeded if the volume is full. */
  take(volume: NetworkVolume, bytes: number): void {
    const room = this.#roomOf(volume.id);
    room.staged += bytes;
    if (usedOf(room) > volume.size * GB) throw full(volume);
  }

  /** Staged bytes that were deleted. */
  release({ id }: NetworkVolume, bytes: number): void {
    const room = this.#roomOf(id);
    room.staged = Math.max(0, room.staged - bytes);
  }

  /** Staged bytes that became a file in place of one of `replaced` bytes. */
  place(volume: NetworkVolume, bytes: number, replaced: number): void {
    this.release(volume, bytes);
    this.#roomOf(volume.id).placed += bytes - replaced;
  }

  #roomOf(id: string): Room {
    const empty = { measured: 0, measuredAt: -Infinity, placed: 0, staged: 0, measuring: null };
    const room = this.#rooms.get(id) ?? empty;
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
    const before = room.placed;
    room.measured = await files.usedBytes();
    room.placed -= before;
    room.measuredAt = this.#clock.ticks();
  }
}

const usedOf = ({ measured, placed, staged }: Room) => measured + placed + staged;

export const full = ({ id }: NetworkVolume) => new S3Error("QuotaExceeded", { bucket: id });
