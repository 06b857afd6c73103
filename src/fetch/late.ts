// Answers that a publisher prepares first: with status 200 it names the place where they will appear. We poll that place until they do.
import { excerpt } from '../sources/readers/text.ts';
import type { Publisher } from '../sources/publisher.ts';
import type { Received } from './transfer.ts';
import { TransferError } from './transfer-error.ts';

interface Promised {
  /** The state of the delivery; null if the place of the data must be polled itself. */
  readonly state: string | null;
  readonly data: string;
}

export const LOOK_EVERY_MS = 30_000;
export const MOST_LOOKS = 20;

/** Longer answers are data. */
const LONGEST_PROMISE = 20_000;
const KEY = /^[A-Za-z0-9-]{8,80}$/;

/**
 * The answer itself or the promised one, without the validators of another address. Throws a TransferError if it does not arrive.
 *
 * @param url of the answer
 * @param look requests one address once
 */
export async function delivered(
  answer: Received,
  url: string,
  publisher: Publisher,
  look: (url: string) => Promise<Received>,
  wait: (milliseconds: number) => Promise<void>,
): Promise<Received> {
  const promised = promiseOf(answer, url, publisher);
  if (promised === null) return answer;
  for (let looks = 1; looks <= MOST_LOOKS; looks += 1) {
    await wait(LOOK_EVERY_MS);
    const isReady = promised.state === null || (await isPrepared(promised.state, look));
    const data = isReady ? await ifThere(promised.data, look) : null;
    if (data !== null && promiseOf(data, url, publisher) === null) return { ...data, etag: null, lastModified: null };
  }
  const minutes = (MOST_LOOKS * LOOK_EVERY_MS) / 60_000;
  throw new TransferError(`it promised the answer for later, but after ${minutes} minutes it has not come`);
}

/** The promise in an answer; null for any other answer. */
function promiseOf({ body }: Received, url: string, { late, hosts }: Publisher): Promised | null {
  if (late === undefined || body === null || body.length > LONGEST_PROMISE) return null;
  const text = new TextDecoder().decode(body).trimStart();
  const byKey = (key: string): Promised => ({ state: late.state(key), data: late.data(key) });
  const [, queued] = /<(?:\w+:)?queued>.*?<(?:\w+:)?id>\s*([A-Za-z0-9-]{8,80})\s*</s.exec(text) ?? [];
  if (queued !== undefined) return byKey(queued);
  const [, place] = /<(?:\w+:)?Message\b[^>]*\bcode="413".*?\bhttps?:(\/\/[^\s<>"]+)/s.exec(text) ?? [];
  if (place !== undefined) return hosts.includes(hostOf(`https:${place}`)) ? { state: null, data: `https:${place}` } : null;
  const warning = warningOf(text);
  if (warning?.['status'] !== 413) return null;
  const key = warning['key'] ?? warning['id'];
  return typeof key === 'string' && KEY.test(key) ? byKey(key) : { state: null, data: url };
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

function warningOf(text: string): Readonly<Record<string, unknown>> | null {
  if (!text.startsWith('{')) return null;
  try {
    const { warning } = JSON.parse(text) as { readonly warning?: unknown };
    return typeof warning === 'object' && warning !== null ? (warning as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

async function isPrepared(state: string, look: (url: string) => Promise<Received>): Promise<boolean> {
  const { body } = await look(state);
  const text = new TextDecoder().decode(body ?? new Uint8Array());
  const [said] = /\b(?:AVAILABLE|DATA_NOT_YET_AVAILABLE|SUBMITTED|PROCESSING)\b/.exec(text) ?? [];
  if (said === undefined)
    throw new TransferError(`it promised the answer for later, and now answers: ${excerpt(text.replace(/<[^<>]*>/g, ' '), 100)}`);
  return said === 'AVAILABLE';
}

async function ifThere(data: string, look: (url: string) => Promise<Received>): Promise<Received | null> {
  try {
    return await look(data);
  } catch (error) {
    if (error instanceof TransferError && error.status === 404) return null;
    throw error;
  }
}
