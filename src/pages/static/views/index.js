// The views, in the order of the navigation; the first one is the default.
import { Calendar } from './calendar.js';
import { Company } from './company.js';
import { Cot } from './cot.js';
import { Health } from './health.js';
import { Provenance } from './provenance.js';
import { Screener } from './screener.js';
import { Search } from './search.js';
import { Series } from './series.js';

/** `component` gets `params` (of the address, including `as_of`), `set(patch, { replace })` and `linkTo(view, params)`. */
export const VIEWS = [
  { id: 'search', label: 'Search', component: Search },
  { id: 'series', label: 'Series', component: Series },
  { id: 'provenance', label: 'Provenance', component: Provenance },
  { id: 'screener', label: 'Screener', component: Screener },
  { id: 'company', label: 'Company', component: Company },
  { id: 'cot', label: 'COT', component: Cot },
  { id: 'calendar', label: 'Calendar', component: Calendar },
  { id: 'health', label: 'Data health', component: Health },
];
