// Zip files, sound and otherwise: names and sizes as a test gives them.
import { crc32, deflateRawSync } from 'node:zlib';

export interface MemberFile {
  readonly name: string;
  readonly body: Uint8Array | string;
  /** What the directory says, where it is to say something else. */
  readonly statedBytes?: number;
  readonly statedCrc?: number;
  readonly mode?: number;
}

export function zipOf(...members: readonly MemberFile[]): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, body, statedBytes, statedCrc, mode } of members) {
    const bytes = Buffer.from(body);
    const packed = deflateRawSync(bytes);
    const [size, crc] = [statedBytes ?? bytes.length, statedCrc ?? crc32(bytes)];
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    writeCommon(local, 4, crc, packed.length, size, name);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE((3 << 8) | 20, 4);
    writeCommon(entry, 6, crc, packed.length, size, name);
    entry.writeUInt32LE(((mode ?? 0o100644) << 16) >>> 0, 38);
    entry.writeUInt32LE(offset, 42);
    parts.push(local, Buffer.from(name), packed);
    directory.push(entry, Buffer.from(name));
    offset += 30 + Buffer.byteLength(name) + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}

/** Version, flags, method, time, date, checksum, sizes and the length of the name. */
function writeCommon(header: Buffer, at: number, crc: number, packed: number, size: number, name: string): void {
  header.writeUInt16LE(20, at);
  header.writeUInt16LE(0x0800, at + 2);
  header.writeUInt16LE(8, at + 4);
  header.writeUInt16LE(0x21, at + 8);
  header.writeUInt32LE(crc, at + 10);
  header.writeUInt32LE(packed, at + 14);
  header.writeUInt32LE(size, at + 18);
  header.writeUInt16LE(Buffer.byteLength(name), at + 22);
}
