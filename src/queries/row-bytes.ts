// JSON of many rows as bytes: a text of all of them, to be made into bytes at the end, would cost several times as much.

/** Used again for each answer, which is made without a pause. */
let written: Buffer = Buffer.allocUnsafeSlow(256 * 1024);
/** More than the largest page takes; what is larger is not kept. */
const MOST_KEPT = 4 * 1024 * 1024;
/** Of a character of a text. */
const MOST_BYTES = 3;

/** The rows, each a text or bytes of JSON, as a JSON array. */
export function arrayBytes(rows: Iterable<string | Buffer>): Buffer {
  let end = written.write('[');
  for (const row of rows) {
    const most = typeof row === 'string' ? MOST_BYTES * row.length : row.length;
    if (end + most + 2 > written.length) written = grown(end, most);
    if (end > 1) end += written.write(',', end);
    end += typeof row === 'string' ? written.write(row, end) : row.copy(written, end);
  }
  end += written.write(']', end);
  const bytes = Buffer.from(written.subarray(0, end));
  if (written.length > MOST_KEPT) written = Buffer.allocUnsafeSlow(MOST_KEPT);
  return bytes;
}

function grown(end: number, most: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(2 * (end + most + 2));
  written.copy(larger, 0, 0, end);
  return larger;
}
