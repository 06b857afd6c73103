// The series that the start page of collected data opens: one whose newest years were revised.
import { oftenAsked, ofEach } from '../series/often.js';
import { seriesParams } from '../series/params.js';
import { spanOf } from '../series/range.js';
import { usualView } from '../series/usual.js';

const FIRST = 'us_nonfarm_payrolls';
const YEARS = '3';
/** So many series are looked at. */
const MOST_TRIED = 8;

const isRevised = ({ vintageCount, observationCount }) => vintageCount > observationCount;

/** Series of US payrolls, then those that people look up most. */
async function candidates(get, places) {
  const [first, others] = await Promise.all([
    get('/indicators/series', { indicator_id: FIRST, limit: 20 }),
    get('/indicators/series', { indicator_id: oftenAsked(places).join(','), entity: 'us', limit: 200 }),
  ]);
  return [...first.data, ...ofEach(others.data, oftenAsked(places))].filter(isRevised).slice(0, MOST_TRIED);
}

/** `get` and `getText` as of the interface, `places` of the names. → { name, params } of its page; null if no series was revised in its newest years. */
export async function firstRevised({ get, getText, places }) {
  for (const series of await candidates(get, places)) {
    const own = seriesParams(series);
    const { from } = spanOf(series, YEARS);
    const { text } = await getText('/observations', { ...own, start_date: from, columns: 'revised', format: 'csv', limit: 1000 });
    if (/^true$/m.test(text.replaceAll('\r', '')))
      return {
        name: series.indicatorId === FIRST ? 'US payrolls' : series.name,
        params: { ...own, range: YEARS, ...usualView(series, {}) },
      };
  }
  return null;
}
