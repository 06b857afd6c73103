// CSV by RFC 4180: reads and writes.

/** Rows of texts, including the header. */
export function parseCsv(text) {
  if (!text.includes('"')) {
    const lines = text.split(/\r?\n/);
    if (lines.at(-1) === '') lines.pop();
    return lines.map((line) => line.split(','));
  }
  const rows = [];
  let row = [];
  let field = '';
  let isQuoted = false;
  const endField = () => {
    row.push(field);
    field = '';
  };
  const endRow = () => {
    endField();
    rows.push(row);
    row = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (isQuoted) {
      if (sign !== '"') field += sign;
      else if (text[at + 1] === '"') {
        field += '"';
        at += 1;
      } else isQuoted = false;
    } else if (sign === '"') isQuoted = true;
    else if (sign === ',') endField();
    else if (sign === '\n') endRow();
    else if (sign !== '\r') field += sign;
  }
  if (field !== '' || row.length > 0) endRow();
  return rows;
}

/** `columns`: [{ label, value(row) }]. An unknown value is an empty field. */
export function toCsv(columns, rows) {
  const lines = [columns.map(({ label }) => label), ...rows.map((row) => columns.map(({ value }) => value(row)))];
  return lines.map((line) => line.map(fieldOf).join(',')).join('\r\n') + '\r\n';
}

/** Rows of texts, as `parseCsv` has them, unchanged. */
export function writtenCsv(rows) {
  return rows.map((row) => row.map(quoted).join(',')).join('\r\n') + '\r\n';
}

function fieldOf(value) {
  return quoted(value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : textOf(value));
}

const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** An apostrophe keeps spreadsheets from running a text that begins like a formula. */
function textOf(value) {
  return typeof value === 'string' && /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : String(value);
}
