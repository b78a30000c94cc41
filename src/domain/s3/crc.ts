// CRC-32C and CRC-64/NVME, which Node does not have. Both are table-driven and reflected.

const TABLE_SIZE = 256;

const crc32cTable = (() => {
  const table = new Uint32Array(TABLE_SIZE);
  for (let n = 0; n < TABLE_SIZE; n++) {
    let value = n;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0x82f63b78 : 0);
    table[n] = value;
  }
  return table;
})();

export class Crc32c {
  #value = 0xffffffff;

  update(bytes: Uint8Array): void {
    let value = this.#value;
    for (let at = 0; at < bytes.length; at++) {
      value = (value >>> 8) ^ crc32cTable[(value ^ bytes[at]!) & 0xff]!;
    }
    this.#value = value;
  }

  digest(): Buffer {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE((this.#value ^ 0xffffffff) >>> 0);
    return bytes;
  }
}

/** Two halves of 32 bits each: a BigInt per byte would be a hundred times slower. */
const crc64Table = (() => {
  const high = new Uint32Array(TABLE_SIZE);
  const low = new Uint32Array(TABLE_SIZE);
  for (let n = 0; n < TABLE_SIZE; n++) {
    let [h, l] = [0, n];
    for (let bit = 0; bit < 8; bit++) {
      const odd = l & 1;
      l = (l >>> 1) | (h << 31);
      h >>>= 1;
      if (odd) {
        h ^= 0x9a6c9329;
        l ^= 0xac4bc9b5;
      }
    }
    high[n] = h;
    low[n] = l;
  }
  return { high, low };
})();

export class Crc64Nvme {
  #high = 0xffffffff;
  #low = 0xffffffff;

  update(bytes: Uint8Array): void {
    let [high, low] = [this.#high, this.#low];
    const table = crc64Table;
    for (let at = 0; at < bytes.length; at++) {
      const index = (low ^ bytes[at]!) & 0xff;
      low = ((low >>> 8) | (high << 24)) ^ table.low[index]!;
      high = (high >>> 8) ^ table.high[index]!;
    }
    this.#high = high;
    this.#low = low;
  }

  digest(): Buffer {
    const bytes = Buffer.alloc(8);
    bytes.writeUInt32BE((this.#high ^ 0xffffffff) >>> 0, 0);
    bytes.writeUInt32BE((this.#low ^ 0xffffffff) >>> 0, 4);
    return bytes;
  }
}
