// The catalogue with other versions of some series, as under a grant.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withSeries } from '../../src/model/catalogue.ts';
import { catalogueOf, seriesWith } from '../boundaries/by-hand/series.ts';

const drawn = fc.record({
  indicatorId: fc.constantFrom('us_cpi', 'de_cpi', 'ibm_pe'),
  canonicalId: fc.constantFrom('cpi', 'pe'),
  entityId: fc.constantFrom('us', 'de', 'company_ibm'),
  country: fc.constantFrom('US', 'DE', null),
});

describe('the catalogue with other versions of some series', () => {
  it('equals one made of these versions, in every index and order, and leaves the first one as it was', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(drawn, fc.boolean()), { maxLength: 12 }), (draws) => {
        const series = draws.map(([one], index) => seriesWith({ ...one, seriesNo: index + 1, isWithheld: true }));
        const opened = series.map((one, index) => (draws[index]?.[1] === true ? { ...one, isWithheld: false } : one));
        const catalogue = catalogueOf(series);
        const others = new Map(opened.filter((one) => !one.isWithheld).map((one) => [one.seriesNo, one]));
        expect(withSeries(catalogue, others)).toEqual(catalogueOf(opened));
        expect(catalogue).toEqual(catalogueOf(series));
      }),
    );
  });
});
