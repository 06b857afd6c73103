// ALFRED as it cuts: real-time periods are clipped to the window that is asked for, more than 2,000 vintages in it are refused, and rows come in pages.
export interface RealTimeRow {
  readonly date: string;
  readonly realtime_start: string;
  readonly realtime_end: string;
  readonly value: string;
}

export const FOR_EVER = '9999-12-31';
const MOST_VINTAGES = 2000;

export interface AlfredAnswer {
  readonly status: number;
  readonly body: string;
}

/** @param vintages days on which anything changed */
export function alfredOf(rows: readonly RealTimeRow[], vintages: readonly string[]): (url: URL) => AlfredAnswer {
  const json = (body: object, status = 200): AlfredAnswer => ({ status, body: JSON.stringify(body) });
  return (url) => {
    const asked = (name: string) => url.searchParams.get(name) ?? '';
    const [from, to] = [asked('realtime_start'), asked('realtime_end')];
    const [limit, offset] = [Number(asked('limit')), Number(asked('offset'))];
    const within = vintages.filter((day) => day >= from && day <= to);
    const page = { realtime_start: from, realtime_end: to, offset, limit };
    if (url.pathname.endsWith('/vintagedates'))
      return json({
        ...page,
        order_by: 'vintage_date',
        sort_order: 'asc',
        count: within.length,
        vintage_dates: within.slice(offset, offset + limit),
      });
    if (within.length > MOST_VINTAGES) {
      const error_message = `Bad Request. The series exceeds the maximum number of vintage dates allowed (${MOST_VINTAGES}).`;
      return json({ error_code: 400, error_message }, 400);
    }
    const clipped = rows
      .filter((row) => row.realtime_start <= to && row.realtime_end >= from)
      .map((row) => ({
        ...row,
        realtime_start: row.realtime_start < from ? from : row.realtime_start,
        realtime_end: row.realtime_end > to ? to : row.realtime_end,
      }));
    const observations = clipped.slice(offset, offset + limit);
    return json({ ...page, units: 'lin', output_type: 1, file_type: 'json', count: clipped.length, observations });
  };
}

const dayAfter = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

/** Days on which a period begins, or ends without another after it. */
export function vintagesOfRows(rows: readonly RealTimeRow[]): string[] {
  const starts = new Set(rows.map((row) => row.realtime_start));
  for (const row of rows) if (row.realtime_end !== FOR_EVER) starts.add(dayAfter(row.realtime_end));
  return [...starts].toSorted();
}
