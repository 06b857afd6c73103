// The form of a key: `asof_`, 30 base62 characters (178 bits), 6 base62 characters of CRC-32. The checksum separates a mistyped key from a
// revoked one without reading the store, and lets scanners verify leaked keys. For clients that insist on 32 letters and
// digits, a key has 26 characters (154 bits) and the 6 of its checksum.
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = /^asof_[0-9A-Za-z]{36}$/;
const BARE_FORM = /^[0-9A-Za-z]{32}$/;
const ANYWHERE = /asof_[0-9A-Za-z]{36}/;
const BARE_LENGTH = 32;
const LONG_RUN = /[0-9A-Za-z]{32,}/g;

/** `isBare`: 32 letters and digits, for clients that accept no other form. */
export function createKey(isBare = false): string {
  const body = isBare ? randomText(26) : `asof_${randomText(30)}`;
  return body + checksum(body);
}

export function randomText(length: number): string {
  return Array.from({ length }, () => DIGITS[randomInt(DIGITS.length)]).join('');
}

/** True if form and checksum are valid, even if the key was never issued. */
export function isWellFormedKey(text: string): boolean {
  return (FORM.test(text) || BARE_FORM.test(text)) && checksum(text.slice(0, -6)) === text.slice(-6);
}

/** True if a text contains a possible key: such a text is never returned or logged. */
export function holdsKey(text: string): boolean {
  return ANYWHERE.test(text) || (text.match(LONG_RUN) ?? []).some(hasBareKey);
}

/** A key may be surrounded by other letters and digits. */
function hasBareKey(run: string): boolean {
  for (let at = 0; at + BARE_LENGTH <= run.length; at += 1) if (isWellFormedKey(run.slice(at, at + BARE_LENGTH))) return true;
  return false;
}

/** SHA-256 is enough for a secret of 178 bits. */
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
