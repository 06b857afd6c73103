// The known name that is nearest to an unknown one.
import { closestMatch } from 'leven';

/** Only the beginning of longer names is compared. */
const MOST_CHARACTERS = 64;

/** Any code of two letters is one letter away from dozens of others. */
const LEAST_COMPARED = 3;

/** Null if none is near: a third of the characters may be wrong, two neighbours may be swapped, or the rest may be missing. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const query = name.slice(0, MOST_CHARACTERS).toLowerCase();
  if (query === '') return null;
  const containing = query.length < 4 ? undefined : shortest(known.filter((one) => one.includes(query)));
  const transposed = () => known.find((one) => isTransposed(one, query));
  const closest = () =>
    query.length < LEAST_COMPARED ? undefined : closestMatch(query, known, { maxDistance: Math.floor(query.length / 3) });
  return containing ?? transposed() ?? closest() ?? null;
}

/** The first of the shortest names: it adds the least to the query. */
function shortest(names: readonly string[]): string | undefined {
  return names.reduce<string | undefined>((best, name) => (best === undefined || name.length < best.length ? name : best), undefined);
}

function isTransposed(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at + 1 < one.length && one[at] === other[at + 1] && one[at + 1] === other[at] && one.slice(at + 2) === other.slice(at + 2);
}

/** Names that can be searched in a few milliseconds, even a hundred thousand. */
export interface NameIndex {
  /** In any case. */
  readonly has: (name: string) => boolean;
  readonly nearest: (name: string) => string | null;
}

/** Up to this many are compared one by one. */
const FEW = 300;
const MOST_COMPARED = 200;

/** A few milliseconds of work. */
const NAMES_A_STEP = 4000;

/** @param names if two differ only in case, the first is returned */
export function nameIndex(names: Iterable<string>): NameIndex {
  const steps = nameIndexSteps(names);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The same, made in steps, so that a server can do other work between them. */
export function* nameIndexSteps(names: Iterable<string>): Generator<undefined, NameIndex> {
  const shown = new Map<string, string>();
  for (const name of names) {
    const lower = name.toLowerCase();
    if (shown.has(lower)) continue;
    shown.set(lower, name);
    if (shown.size % NAMES_A_STEP === 0) yield;
  }
  const known = [...shown.keys()];
  const candidatesOf = known.length <= FEW ? () => known : yield* bySharedPairs(known);
  return {
    has: (name) => shown.has(name.toLowerCase()),
    nearest: (name) => {
      const found = nearestName(name, candidatesOf(name.slice(0, MOST_CHARACTERS).toLowerCase()));
      return found === null ? null : (shown.get(found) ?? null);
    },
  };
}

/** Pairs of neighbouring characters, including both ends; similar names share many of them. */
const PAIRS = 4096;
const MOST_PAIRS = 14;

function pairsOf(text: string): ReadonlySet<number> {
  const pairs = new Set<number>();
  let before = 1;
  for (let at = 0; at <= text.length; at += 1) {
    const own = at === text.length ? 2 : text.charCodeAt(at);
    pairs.add((before * 67 + own) % PAIRS);
    before = own;
  }
  return pairs;
}

/** The names that share most of the rarest pairs of a text, those of similar length first. The names of each pair are adjacent in one array. */
function* bySharedPairs(known: readonly string[]): Generator<undefined, (query: string) => readonly string[]> {
  const begins = new Uint32Array(PAIRS + 1);
  for (const [place, name] of known.entries()) {
    for (const pair of pairsOf(name)) begins[pair + 1] = (begins[pair + 1] ?? 0) + 1;
    if (place % NAMES_A_STEP === NAMES_A_STEP - 1) yield;
  }
  for (let pair = 0; pair < PAIRS; pair += 1) begins[pair + 1] = (begins[pair + 1] ?? 0) + (begins[pair] ?? 0);
  const places = new Uint32Array(begins[PAIRS] ?? 0);
  const ends = begins.slice();
  for (const [place, name] of known.entries()) {
    for (const pair of pairsOf(name)) {
      places[ends[pair] ?? 0] = place;
      ends[pair] = (ends[pair] ?? 0) + 1;
    }
    if (place % NAMES_A_STEP === NAMES_A_STEP - 1) yield;
  }
  return (query) => {
    const sizeOf = (pair: number) => (begins[pair + 1] ?? 0) - (begins[pair] ?? 0);
    // Pairs of most names do not separate them, and cost time.
    const pairs = [...pairsOf(query)].sort((one, other) => sizeOf(one) - sizeOf(other)).slice(0, MOST_PAIRS);
    const shared = new Uint8Array(known.length);
    for (const pair of pairs) {
      for (let at = begins[pair] ?? 0; at < (begins[pair + 1] ?? 0); at += 1) {
        const place = places[at] ?? 0;
        shared[place] = (shared[place] ?? 0) + 1;
      }
    }
    return mostShared(shared, pairs.length)
      .map((place) => known[place] ?? '')
      .sort((one, other) => Math.abs(one.length - query.length) - Math.abs(other.length - query.length));
  };
}

function mostShared(shared: Uint8Array, most: number): readonly number[] {
  const counts = new Uint32Array(most + 1);
  for (const count of shared) counts[count] = (counts[count] ?? 0) + 1;
  let least = most;
  for (let taken = counts[most] ?? 0; least > 1 && taken + (counts[least - 1] ?? 0) <= MOST_COMPARED; taken += counts[least] ?? 0)
    least -= 1;
  const found: number[] = [];
  for (let place = 0; place < shared.length && found.length < MOST_COMPARED; place += 1)
    if ((shared[place] ?? 0) >= least) found.push(place);
  return found;
}
