// What the served documents say of the interface as a whole.
export const about = {
  version: '0.1.0',
  title: 'asof',
  description:
    'Macro and market data as it was known: read-only, point in time, with provenance, freshness and a trust verdict on every row. Period filters speak of what a value covers, as_of and observed_from/observed_to of when it became known.',
  tags: {
    discovery: 'Health, readiness and the description of the interface; no key needed.',
    entities: 'Countries, companies, contracts and other things that observations are of, and their names.',
    indicators: 'What is measured.',
    countries: 'Countries and what is known of each.',
    observations: 'Readings of indicators, by what period they cover and when they became known.',
    derived: 'What is computed here, and from what.',
    screener: 'Entities by what their newest values are.',
    companies: 'Companies and their statements.',
    events: 'What was published and when, and what is due.',
    provenance: 'The way of a number from the publisher to the row.',
    operations: 'The state of the data set: snapshot, manifest, sources, liveness.',
  },
} as const;
