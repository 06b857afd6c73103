// Fields of the CSV that the facade and the tools write.

/** A field of CSV. An apostrophe keeps spreadsheets from running a text that begins like a formula. */
export function csvField(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
