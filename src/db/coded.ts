// Texts of a column that repeat, each held once.

export interface Coded {
  readonly texts: readonly string[];
  /** Of each row the place of its text. */
  readonly places: Uint32Array;
}

/** Each text once, and the place of each row's own; of none, one before all places, which a word writes as its highest. */
export function coded(rows: readonly (string | null)[]): Coded {
  const known = new Map<string, number>();
  const places = Uint32Array.from(rows, (text) => {
    if (text === null) return -1;
    const place = known.get(text) ?? known.size;
    known.set(text, place);
    return place;
  });
  return { texts: [...known.keys()], places };
}
