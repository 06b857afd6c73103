// Statements of one company as a table: one row per line, one column per period and filing.

/**
 * Rows of the interface → { columns: [{ id, label, statement }], lines: [{ key, label, unit, cells: { column id: line } }] }, lines in the order of the
 * statements, columns newest first.
 */
export function tableOf(statements) {
  const columns = statements
    .map((statement) => ({ id: statement.statementId, label: `${statement.fiscalPeriod} ${statement.fiscalYear}`, statement }))
    .sort((a, b) => compare(b.statement, a.statement));
  const lines = new Map();
  // Each line has the place that it has in the newest statement with it; a line only in older ones follows its predecessor there.
  const order = [];
  for (const { id, statement } of columns) {
    let before = -1;
    for (const line of statement.lines) {
      const at = order.indexOf(line.key);
      if (at === -1) {
        before += 1;
        order.splice(before, 0, line.key);
        lines.set(line.key, { key: line.key, label: line.label, unit: line.unit, cells: {} });
      } else before = at;
      lines.get(line.key).cells[id] = line;
    }
  }
  return { columns, lines: order.map((key) => lines.get(key)) };
}

const compare = (a, b) => a.periodEnd.localeCompare(b.periodEnd) || a.observedAt.localeCompare(b.observedAt);

const MILLION = 1e6;

/** Unit → by what its numbers are divided: a million if one of them is that large, so that all lines of a unit stay comparable. */
export function scaleOf(lines) {
  const scales = new Map();
  for (const { unit, cells } of lines) {
    const isLarge = Object.values(cells).some(({ value }) => value !== null && Math.abs(value) >= MILLION);
    if (isLarge || !scales.has(unit)) scales.set(unit, isLarge ? MILLION : 1);
  }
  return scales;
}

/** The change of a line in percent from the same fiscal period a year earlier; null without both numbers, or if the earlier one is not positive. */
export function growthOf(line, { id, statement }, columns) {
  const { fiscalPeriod, fiscalYear } = statement;
  const earlier = columns.find((one) => one.statement.fiscalPeriod === fiscalPeriod && one.statement.fiscalYear === fiscalYear - 1);
  const [now, before] = [line.cells[id]?.value ?? null, line.cells[earlier?.id]?.value ?? null];
  return now === null || before === null || before <= 0 ? null : (100 * (now - before)) / before;
}

/** The days of share splits, from the ratio of each close: [{ day, ratio }], with ratio in new shares per old one. */
export function splitsOf(closes) {
  const ordered = closes.toSorted((a, b) => a.periodEnd.localeCompare(b.periodEnd));
  return ordered.flatMap(({ periodEnd, metadata }, at) => {
    const before = ordered[at - 1]?.metadata?.splitRatio ?? metadata.splitRatio;
    if (before === metadata.splitRatio) return [];
    return [{ day: periodEnd.slice(0, 10), ratio: Number((before / metadata.splitRatio).toPrecision(12)) }];
  });
}

/** The ends of this many quarters up to a day, oldest first. */
export function quarterEnds(day, count) {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
  const over = Math.floor((month - 1) / 3) * 3;
  return Array.from({ length: count }, (_, at) => new Date(Date.UTC(year, over - 3 * (count - 1 - at), 0)).toISOString().slice(0, 10));
}
