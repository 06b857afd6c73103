// What a key looks like: `asof_`, 30 base62 characters (178 bits), 6 base62 characters of CRC-32. The checksum tells a mistyped key from a
// revoked one without a look at the store, and lets scanners of leaked secrets be sure.
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = /^asof_[0-9A-Za-z]{36}$/;
const ANYWHERE = /asof_[0-9A-Za-z]{36}/;

export function createKey(): string {
  const body = `asof_${randomText(30)}`;
  return body + checksum(body);
}

export function randomText(length: number): string {
  return Array.from({ length }, () => DIGITS[randomInt(DIGITS.length)]).join('');
}

/** Whether the form and the checksum are those of a key; says nothing of whether it was ever issued. */
export function isWellFormedKey(text: string): boolean {
  return FORM.test(text) && checksum(text.slice(0, -6)) === text.slice(-6);
}

/** Whether a text holds something that could be a key: such a text is never echoed and never logged. */
export function holdsKey(text: string): boolean {
  return ANYWHERE.test(text);
}

/** SHA-256 is enough where the secret itself has 178 bits. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let place = 0; place < 6; place += 1) {
    text = DIGITS.charAt(rest % DIGITS.length) + text;
    rest = Math.floor(rest / DIGITS.length);
  }
  return text;
}
