// Checks that a body is the requested file: publishers may answer with a page and status 200 instead. The content decides, not its label, because
// some send CSV as text/html.
import type { Request } from '../sources/feeds/feed.ts';
import { membersOf } from '../sources/readers/zip.ts';
import { excerpt } from '../sources/readers/text.ts';
import { TransferError } from './transfer-error.ts';

type Look = (start: string, body: Uint8Array) => boolean;

/** The first bytes by extension of the key. */
const LOOKS: Readonly<Record<string, readonly [what: string, looks: Look]>> = {
  csv: ['comma-separated text', isPlain],
  htm: ['a page', isPage],
  html: ['a page', isPage],
  ics: ['a calendar', (start) => start.startsWith('BEGIN:VCALENDAR')],
  idx: ['an index', isPlain],
  json: ['JSON', (start) => /^[[{]/.test(start)],
  txt: ['plain text', isPlain],
  xml: ['XML', (start) => start.startsWith('<') && !/^<(?:!doctype )?html/i.test(start)],
  zip: ['a zip file', (_start, body) => body[0] === 0x50 && body[1] === 0x4b],
};

function isPlain(start: string): boolean {
  return start !== '' && !start.startsWith('<');
}

function isPage(start: string): boolean {
  return start.startsWith('<');
}

/** Data labelled as a page: no tag in it, and a table has more than one column. JSON and zip identify themselves. */
function isDataInPage(extension: string, start: string): boolean {
  if (extension === 'csv') return !TAG.test(start) && /^[^\n]*[,;\t]/.test(start);
  return extension === 'txt' || extension === 'idx' ? !TAG.test(start) : extension !== '';
}

const TAG = /<\/?(?:!doctype|html|head|body|title|div|span|p|br|h\d|a|b|center|script|table|meta)\b/i;
const PAGE_TYPES = /^(?:text\/html|application\/xhtml\+xml)\b/i;

/** Throws a TransferError that describes the content. */
export async function checkBody(
  { key, mostMembers }: Pick<Request, 'key' | 'mostMembers'>,
  body: Uint8Array,
  mediaType: string,
  inflatedBytes: number,
): Promise<void> {
  const extension = /\.([a-z]+)$/i.exec(key)?.[1]?.toLowerCase() ?? '';
  const [what, looks] = LOOKS[extension] ?? ['a file', () => true];
  if (body.length === 0) throw new TransferError(`expected ${what}, found an empty answer`);
  const start = new TextDecoder('utf-8').decode(body.subarray(0, 2000)).trimStart();
  const isForeignPage = PAGE_TYPES.test(mediaType) && !extension.startsWith('htm') && !isDataInPage(extension, start);
  if (isForeignPage || !looks(start, body)) {
    throw new TransferError(`expected ${what}, found ${mediaType === '' ? '' : `${mediaType.split(';')[0]}: `}${firstWords(start)}`);
  }
  if (extension === 'zip') await checkZip(key, body, inflatedBytes, mostMembers);
}

async function checkZip(key: string, body: Uint8Array, inflatedBytes: number, mostMembers?: number): Promise<void> {
  const members = await membersOf('zip', body, inflatedBytes, mostMembers).catch((cause: unknown) => {
    throw new TransferError(cause instanceof Error ? cause.message.replace(/^zip: /, '') : String(cause), { cause });
  });
  if (!members.some(({ bytes }) => bytes > 0)) throw new TransferError(`${key} is a zip file without a file`);
}

/** The first text that a reader of the page would see. */
function firstWords(start: string): string {
  const seen = start.replace(/<(script|style|head)\b.*?<\/\1>/gis, ' ').replace(/<[^>]*>/g, ' ');
  return excerpt(seen.trim() === '' ? start : seen, 100);
}

/** Throws if an answer has less than half the size of the previous one, because publishers' files grow. */
export function checkSize(bytes: number, bytesBefore: number | null): void {
  if (bytesBefore === null || 2 * bytes >= bytesBefore) return;
  throw new TransferError(
    `the answer has ${bytes} bytes, the previous one ${bytesBefore}: it may be cut off. If it is complete, put the file into a folder and collect it with --mirror`,
  );
}
