// What src/model/trust.ts decides of every series whatever the moment: whether its rows are barred from scoring, and its place in the order of preference.
import type { DuckDBConnection } from '@duckdb/node-api';
import { toValue, type Value } from '../db/rows.ts';
import { Frequency } from '../model/period.ts';
import { preferenceOf, seriesReasons, SourceTier } from '../model/trust.ts';

export async function computeSeriesVerdicts(connection: DuckDBConnection): Promise<void> {
  await connection.run('create or replace table derived.series_verdicts (series_no integer, is_barred boolean, preference integer)');
  const series = await connection.runAndReadAll(`
    select series_no, source_tier, frequency, unit, factor_unit, comparison_basis, factor_comparison_basis, are_inputs_eligible,
      source_rank, is_monetary, is_seasonal_adjustment_match
    from derived.all_series order by series_no`);
  const appender = await connection.createAppender('series_verdicts', 'derived');
  for (const row of series.getRows()) {
    const [seriesNo, tier, frequency, unit, factorUnit, basis, factorBasis, areInputsEligible, rank, isMonetary, isMatch] = row.map(toValue);
    const sourceTier = SourceTier.parse(tier);
    const reasons = seriesReasons({
      tier: sourceTier,
      frequency: Frequency.parse(frequency),
      unit: text(unit),
      factorUnit: text(factorUnit),
      comparisonBasis: text(basis),
      factorComparisonBasis: text(factorBasis),
      areInputsEligible: areInputsEligible === true,
    });
    appender.appendInteger(Number(seriesNo));
    appender.appendBoolean(reasons.length > 0);
    appender.appendInteger(
      preferenceOf({
        sourceTier,
        sourceRank: rank === null ? null : Number(rank),
        isMonetary: isMonetary === true,
        isSeasonalAdjustmentMatch: isMatch === true,
      }),
    );
    appender.endRow();
  }
  appender.closeSync();
}

const text = (value: Value | undefined) => (typeof value === 'string' ? value : null);
