// Invented numbers. Each depends only on the words that name it, not on a state or the clock, so that two payloads of different
// days have the same value.

/** A number from 0 up to 1, determined by the words. */
export function chance(...words: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const character of words.join('|')) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** A number from -1 to 1, more often near 0. */
export function noise(...words: readonly (string | number)[]): number {
  return chance(...words, 'a') + chance(...words, 'b') - 1;
}

export interface Course {
  /** Level in January 2020. */
  readonly base: number;
  /** Yearly growth: 0.02. */
  readonly growth?: number;
  /** Amplitude of the cycle around the trend, as a share of it. */
  readonly swing?: number;
  /** Random movement from one date to the next, as a share of the level. */
  readonly jitter?: number;
  /** Part of the level that is missing in April 2020; below 0 for what rises in a crisis. */
  readonly crisis?: number;
}

/** How much of the crisis of 2020 there is in a month since January 2020: it comes within two months, and goes over a year. */
export function crisisAt(month: number): number {
  if (month <= 1) return 0;
  return month < 3 ? (month - 1) / 2 : Math.exp(-(month - 3) / 4);
}

interface Wave {
  readonly months: number;
  readonly phase: number;
  readonly part: number;
}

// Requested at every date of a series; they follow from its name, so caching them changes nothing.
const waves = new Map<string, readonly Wave[]>();

function wavesOf(name: string): readonly Wave[] {
  const known = waves.get(name);
  if (known !== undefined) return known;
  const wave = (years: number, part: number): Wave => ({
    months: 12 * years * (0.8 + 0.4 * chance(name, years)),
    phase: chance(name, years, 'phase'),
    part,
  });
  const made = [wave(5, 0.6), wave(1.7, 0.3), wave(0.3, 0.1)];
  waves.set(name, made);
  return made;
}

/** The value of an invented series at a time in months since January 2020; days are fractions. */
export function valueAt(name: string, month: number, { base, growth = 0, swing = 0, jitter = 0, crisis = 0 }: Course): number {
  const cycle = wavesOf(name).reduce((sum, { months, phase, part }) => sum + part * Math.sin(2 * Math.PI * (month / months + phase)), 0);
  const movement = jitter === 0 ? 0 : jitter * noise(name, Math.round(1000 * month));
  const missing = crisis === 0 ? 0 : crisis * crisisAt(month);
  return base * Math.exp((growth / 12) * month) * (1 + swing * cycle) * (1 + movement) * (1 - missing);
}

export function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
