// SDMX-CSV 1.0 and 2.0 → rows with cells by component id, with or without labels (`REF_AREA: Reference area`, `G20: G20`). The key of a
// series is the dimensions' codes joined by dots, in the order of the file's columns, which is that of the structure.
import { UpstreamError } from '../upstream-error.ts';
import { type CsvRow, readCsv } from './csv.ts';
import { obsStatusOf, statusField } from './obs-status.ts';
import { excerpt } from './text.ts';

export interface SdmxObservation {
  readonly seriesKey: string;
  readonly frequency: string;
  readonly period: string;
  /** null: none, marked as missing, or withdrawn. */
  readonly value: number | null;
  /** The value is in units of ten to this power. */
  readonly multiplier: number;
  /** As `statusField` has it. */
  readonly status: { readonly obsStatus?: string };
}

export interface SdmxCsvOptions {
  readonly sourceId: string;
  /** The dataflow's id, `OECD.SDD.STES:DSD_STES@DF_CLI`; with its version, `…(4.1)`, no other one is read. */
  readonly structure: string;
  /** Id of the frequency dimension, if it is not FREQ. */
  readonly frequency?: string;
  /** An answer with changes: rows may withdraw values. */
  readonly isOfChanges?: boolean;
  /** Units may come in thousands or billions; otherwise a row with a multiplier refuses the payload. */
  readonly hasMultipliers?: boolean;
}

/** Columns before the dimensions, by SDMX-CSV 2.0 and 1.0. */
const LEADING = ['STRUCTURE', 'STRUCTURE_ID', 'ACTION'];
const LEADING_FIRST = ['DATAFLOW'];
const MISSING = ['.', '-', 'N/A', 'NaN'];

export function readSdmxCsv(body: Uint8Array, options: SdmxCsvOptions): SdmxObservation[] {
  const { sourceId } = options;
  const table = readCsv(body, { sourceId, required: [], missing: MISSING });
  const columns = new Map(table.columns.map((column) => [headOf(column), column]));
  const text = (id: string) => {
    const column = columns.get(id);
    if (column === undefined)
      throw new UpstreamError(sourceId, `expected the column ${id}, found ${excerpt([...columns.keys()].join(', '), 200)}`);
    return table.text(column);
  };
  const ids = [...columns.keys()];
  const isFirst = columns.has('DATAFLOW');
  const leading = isFirst ? LEADING_FIRST : LEADING;
  for (const id of leading) text(id);
  const dimensions = ids.slice(leading.length, ids.indexOf('TIME_PERIOD')).map(text);
  // Rows of version 1.0 state values and nothing else.
  const [action, structure] = isFirst ? [() => 'I', text('DATAFLOW')] : [text('ACTION'), text('STRUCTURE_ID')];
  const [frequency, period] = [text(options.frequency ?? 'FREQ'), text('TIME_PERIOD')];
  const value = table.number(columns.get('OBS_VALUE') ?? 'OBS_VALUE');
  const multiplier = columns.has('UNIT_MULT') ? text('UNIT_MULT') : () => '0';
  const status = columns.has('OBS_STATUS') ? text('OBS_STATUS') : () => '';
  const check = checkOf(options);
  const read = (row: CsvRow): SdmxObservation[] => {
    const power = codeOf(multiplier(row));
    check({ line: row.line, action: action(row), structure: structure(row), power });
    const codes = dimensions.map((code) => codeOf(code(row)));
    const isTakenBack = action(row) === 'D';
    if (isTakenBack && [period(row), ...codes].includes(''))
      throw new UpstreamError(sourceId, `line ${row.line} takes back more than one value: it names ${excerpt(codes.join('.'))}`);
    // Rows with only attributes have no value for any period.
    if (period(row) === '' && value(row) === null) return [];
    return [
      {
        seriesKey: codes.join('.'),
        frequency: codeOf(frequency(row)),
        period: period(row),
        value: isTakenBack ? null : value(row),
        multiplier: Number(power),
        status: statusField(obsStatusOf(status(row))),
      },
    ];
  };
  return table.rows.flatMap(read);
}

interface Stated {
  readonly line: number;
  readonly action: string;
  readonly structure: string;
  readonly power: string;
}

function checkOf({ sourceId, structure, isOfChanges = false, hasMultipliers = false }: SdmxCsvOptions): (row: Stated) => void {
  const actions = isOfChanges ? /^[IAMRD]$/ : /^[IAMR]$/;
  const powers = hasMultipliers ? /^(?:[0369]?)$/ : /^0?$/;
  const hasVersion = structure.endsWith(')');
  return (row) => {
    const where = `on line ${row.line}`;
    if (!actions.test(row.action))
      throw new UpstreamError(sourceId, `expected rows that state values ${where}, found the action ${excerpt(row.action)}`);
    if ((hasVersion ? row.structure : row.structure.replace(/^([^(]*)\(.*\)$/, '$1')) !== structure)
      throw new UpstreamError(sourceId, `expected ${structure} ${where}, found ${excerpt(row.structure)}`);
    if (!powers.test(row.power)) throw new UpstreamError(sourceId, `expected units ${where}, found the multiplier ${excerpt(row.power)}`);
  };
}

/** The component of a column. In version 2.0 a name may end in brackets: `STRUCTURE[;]` with the separator of lists, `X[]` for a list. */
function headOf(column: string): string {
  return codeOf(column).replace(/\[[^[\]]*\]$/, '');
}

function codeOf(cell: string): string {
  return cell.split(': ', 1)[0] ?? '';
}
