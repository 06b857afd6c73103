// SDMX-CSV 2.0 → rows whose cells are found by component id, with or without labels (`REF_AREA: Reference area`, `G20: G20`). The key of a
// series is the dimensions' codes joined by dots, in the order of the file's columns, which is that of the structure.
import { UpstreamError } from '../source.ts';
import { type CsvRow, readCsv } from './csv.ts';
import { excerpt } from './text.ts';

export interface SdmxObservation {
  readonly seriesKey: string;
  readonly frequency: string;
  readonly period: string;
  readonly value: number | null;
}

/** Columns before the dimensions, by SDMX-CSV 2.0. */
const LEADING = ['STRUCTURE', 'STRUCTURE_ID', 'ACTION'];

/** @param structure the dataflow's id without its version: `OECD.SDD.STES:DSD_STES@DF_CLI` */
export function readSdmxCsv(
  body: Uint8Array,
  { sourceId, structure }: { readonly sourceId: string; readonly structure: string },
): SdmxObservation[] {
  const table = readCsv(body, { sourceId, required: LEADING });
  const columns = new Map(table.columns.map((column) => [codeOf(column), column]));
  const text = (id: string) => {
    const column = columns.get(id);
    if (column === undefined)
      throw new UpstreamError(sourceId, `expected the column ${id}, found ${excerpt([...columns.keys()].join(', '), 200)}`);
    return table.text(column);
  };
  const ids = [...columns.keys()];
  const dimensions = ids.slice(LEADING.length, ids.indexOf('TIME_PERIOD')).map(text);
  const [action, structureId, frequency, period] = [text('ACTION'), text('STRUCTURE_ID'), text('FREQ'), text('TIME_PERIOD')];
  const value = table.number(columns.get('OBS_VALUE') ?? 'OBS_VALUE');
  const multiplier = columns.has('UNIT_MULT') ? text('UNIT_MULT') : () => '0';
  const read = (row: CsvRow): SdmxObservation => {
    const where = `on line ${row.line}`;
    if (!/^[IAMR]$/.test(action(row)))
      throw new UpstreamError(sourceId, `expected rows that state values ${where}, found the action ${excerpt(action(row))}`);
    if (structureId(row).replace(/\(.*\)$/, '') !== structure)
      throw new UpstreamError(sourceId, `expected ${structure} ${where}, found ${excerpt(structureId(row))}`);
    if (!['0', ''].includes(codeOf(multiplier(row))))
      throw new UpstreamError(sourceId, `expected units ${where}, found the multiplier ${excerpt(multiplier(row))}`);
    return {
      seriesKey: dimensions.map((code) => codeOf(code(row))).join('.'),
      frequency: codeOf(frequency(row)),
      period: period(row),
      value: value(row),
    };
  };
  return table.rows.map(read);
}

function codeOf(cell: string): string {
  return cell.split(': ', 1)[0] ?? '';
}
