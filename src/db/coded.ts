// A column of repeating texts, with each text stored once.

export interface Coded {
  readonly texts: readonly string[];
  /** For each row, the index of its text. */
  readonly places: Uint32Array;
}

/** Stores each text once, and for each row the index of its text. Null gets index -1, which a Uint32Array stores as its highest number. */
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
