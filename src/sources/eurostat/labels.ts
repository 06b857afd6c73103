// Eurostat's own downloads have labels instead of codes: label → code, by dimension. Other labels belong to codes that no source reads.
import { UpstreamError } from '../upstream-error.ts';
import { excerpt } from '../readers/text.ts';

const LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  freq: { Monthly: 'M', Quarterly: 'Q', Annual: 'A' },
  s_adj: {
    'Seasonally adjusted data, not calendar adjusted data': 'SA',
    'Seasonally and calendar adjusted data': 'SCA',
    'Unadjusted data (i.e. neither seasonally adjusted nor calendar adjusted data)': 'NSA',
  },
  age: { Total: 'TOTAL', 'Less than 25 years': 'Y_LT25', 'From 25 to 74 years': 'Y25-74' },
  sex: { Total: 'T', Males: 'M', Females: 'F' },
  unit: {
    'Percentage of population in the labour force': 'PC_ACT',
    'Thousand persons': 'THS_PER',
    'Annual rate of change': 'RCH_A',
    'Index, 2015=100': 'I15',
    'Index, 2025=100': 'I25',
    'Quarterly index, 2015=100': 'I15_Q',
    'Chain linked volumes, percentage change on previous period': 'CLV_PCH_PRE',
    'Chain linked volumes (2020), million euro': 'CLV20_MEUR',
  },
  coicop: { 'All-items HICP': 'CP00' },
  coicop18: { Total: 'TOTAL', 'All-items HICP': 'TOTAL' },
  na_item: { 'Gross domestic product at market prices': 'B1GQ' },
  purchase: { Total: 'TOTAL' },
  geo: {
    Albania: 'AL',
    Austria: 'AT',
    Belgium: 'BE',
    'Bosnia and Herzegovina': 'BA',
    Bulgaria: 'BG',
    Croatia: 'HR',
    Cyprus: 'CY',
    Czechia: 'CZ',
    'Czech Republic': 'CZ',
    Denmark: 'DK',
    Estonia: 'EE',
    Finland: 'FI',
    France: 'FR',
    Germany: 'DE',
    'Germany (until 1990 former territory of the FRG)': 'DE',
    Greece: 'EL',
    Hungary: 'HU',
    Iceland: 'IS',
    Ireland: 'IE',
    Italy: 'IT',
    Japan: 'JP',
    'Kosovo*': 'XK',
    Latvia: 'LV',
    Liechtenstein: 'LI',
    Lithuania: 'LT',
    Luxembourg: 'LU',
    Malta: 'MT',
    Moldova: 'MD',
    Montenegro: 'ME',
    Netherlands: 'NL',
    'North Macedonia': 'MK',
    Norway: 'NO',
    Poland: 'PL',
    Portugal: 'PT',
    Romania: 'RO',
    Serbia: 'RS',
    Slovakia: 'SK',
    Slovenia: 'SI',
    Spain: 'ES',
    Sweden: 'SE',
    Switzerland: 'CH',
    Türkiye: 'TR',
    Turkey: 'TR',
    Ukraine: 'UA',
    'United Kingdom': 'UK',
    'United States': 'US',
  },
};

/** Groups of countries change their labels with each new member. */
const GROUPS: readonly (readonly [label: RegExp, code: (digits: string) => string])[] = [
  [/^Euro area \(EA11-1999/, () => 'EA'],
  [/^European Union \(EU6-1958/, () => 'EU'],
  [/^European Economic Area/, () => 'EEA'],
  [/^Euro area\s+[–-]\s+(\d+) countries/, (count) => `EA${count}`],
  [/^European Union - 27 countries \(from 2020\)$/, () => 'EU27_2020'],
  [/^European Union - (\d+) countries/, (count) => `EU${count}`],
];

/** The code of a cell with a code or its label; an unknown label stays as it is and matches no code. */
export function eurostatCode(dimension: string, cell: string): string {
  const known = LABELS[dimension]?.[cell];
  if (known !== undefined || dimension !== 'geo') return known ?? cell;
  for (const [label, code] of GROUPS) {
    const match = label.exec(cell);
    if (match !== null) return code(match[1] ?? '');
  }
  return cell;
}

/** The code of an area. An unknown area refuses the file, because its rows would be lost silently. */
export function eurostatArea(sourceId: string, cell: string): string {
  const code = eurostatCode('geo', cell);
  if (!/^[A-Z]{2,4}(?:[\d_]\w*)?$/.test(code)) throw new UpstreamError(sourceId, `expected an area that is known, found ${excerpt(cell)}`);
  return code;
}
