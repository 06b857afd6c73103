// The views, in the order of the navigation; the first one is the default. A view's module loads when you first open it.

/** A view `within` another is not in the navigation, which marks that one. `load` brings its component, which gets `params` (of the address, including `as_of`), `set(patch, { replace })` and `linkTo(view, params)`. */
export const VIEWS = [
  { id: 'search', label: 'Search', load: async () => (await import('./search.js')).Search },
  { id: 'today', label: 'Today', load: async () => (await import('./today.js')).Today },
  { id: 'revisions', label: 'Most revised', load: async () => (await import('./revisions.js')).Revisions, within: 'today' },
  { id: 'indicator', label: 'Indicator', load: async () => (await import('./indicator.js')).Indicator, within: 'search' },
  { id: 'series', label: 'Series', load: async () => (await import('./series.js')).Series },
  { id: 'provenance', label: 'Provenance', load: async () => (await import('./provenance.js')).Provenance },
  { id: 'screener', label: 'Screener', load: async () => (await import('./screener-titled.js')).TitledScreener },
  { id: 'company', label: 'Company', load: async () => (await import('./company.js')).Company },
  { id: 'cot', label: 'COT', load: async () => (await import('./cot.js')).Cot },
  { id: 'calendar', label: 'Calendar', load: async () => (await import('./calendar.js')).Calendar },
  { id: 'health', label: 'Data health', load: async () => (await import('./health.js')).Health },
];
