// The served documents' description of the whole interface.
export const about = {
  version: '0.1.0',
  title: 'asof',
  description:
    'Macro and market data as it was known: read-only, point in time, with provenance, freshness and a trust verdict on every row. Period filters select by the period that a value covers; as_of, observed_from and observed_to by the time at which it became known.',
  tags: {
    discovery: 'Health, readiness and the description of the interface; no key needed.',
    entities: 'Countries, companies, contracts and other entities, and their names.',
    indicators: 'Indicators.',
    countries: 'Countries and their data.',
    observations: 'Values of indicators, by period and by knowledge time.',
    derived: 'Computed indicators and their inputs.',
    screener: 'Entities by their newest values.',
    companies: 'Companies and their statements.',
    events: 'Past and coming publications.',
    provenance: 'The path of a number from the publisher to the row.',
    operations: 'The state of the data set: snapshot, manifest, sources, liveness.',
  },
} as const;
