// World Development Indicators: answers of the API for three indicators, and the list of economies with their aggregates.
import { addDays } from '../../src/model/period.ts';
import { SAMPLE_FOLDER, type SampleFile, yesterdayOf } from './days.ts';
import { valueAt } from './invent.ts';

const YEARS = 6;
/** The newest year is published when the next one is this many days old. */
const LAG_DAYS = 190;

interface Indicator {
  readonly code: string;
  readonly name: string;
  readonly decimal: number;
  readonly value: (economy: Economy, year: number) => number;
}

/** Code of three letters, of two, name, millions of inhabitants, thousands of dollars a head: rounded, as sizes of what is invented. */
type Economy = readonly [iso3: string, iso2: string, name: string, people: number, income: number];

// biome-ignore format: a table
const ECONOMIES: readonly Economy[] = [
  ['ARG', 'AR', 'Argentina', 45, 11], ['AUS', 'AU', 'Australia', 26, 58], ['AUT', 'AT', 'Austria', 9, 50], ['BEL', 'BE', 'Belgium', 12, 48],
  ['BRA', 'BR', 'Brazil', 210, 9], ['CAN', 'CA', 'Canada', 39, 50], ['CHE', 'CH', 'Switzerland', 9, 90], ['CHL', 'CL', 'Chile', 19, 15],
  ['CHN', 'CN', 'China', 1400, 12], ['COL', 'CO', 'Colombia', 51, 6], ['CZE', 'CZ', 'Czechia', 11, 26], ['DEU', 'DE', 'Germany', 84, 49],
  ['DNK', 'DK', 'Denmark', 6, 65], ['EGY', 'EG', 'Egypt, Arab Rep.', 110, 4], ['ESP', 'ES', 'Spain', 48, 31], ['FIN', 'FI', 'Finland', 6, 50],
  ['FRA', 'FR', 'France', 68, 42], ['GBR', 'GB', 'United Kingdom', 67, 46], ['GRC', 'GR', 'Greece', 10, 21], ['HUN', 'HU', 'Hungary', 10, 19],
  ['IDN', 'ID', 'Indonesia', 275, 4.5], ['IND', 'IN', 'India', 1400, 2.4], ['IRL', 'IE', 'Ireland', 5, 95], ['ISR', 'IL', 'Israel', 9.5, 50],
  ['ITA', 'IT', 'Italy', 59, 36], ['JPN', 'JP', 'Japan', 125, 36], ['KOR', 'KR', 'Korea, Rep.', 52, 33], ['MEX', 'MX', 'Mexico', 128, 11],
  ['NLD', 'NL', 'Netherlands', 18, 58], ['NOR', 'NO', 'Norway', 5.5, 90], ['NZL', 'NZ', 'New Zealand', 5, 47], ['PER', 'PE', 'Peru', 34, 7],
  ['POL', 'PL', 'Poland', 37, 20], ['PRT', 'PT', 'Portugal', 10, 25], ['SAU', 'SA', 'Saudi Arabia', 33, 28], ['SWE', 'SE', 'Sweden', 10.5, 56],
  ['THA', 'TH', 'Thailand', 71, 7], ['TUR', 'TR', 'Turkiye', 85, 11], ['USA', 'US', 'United States', 335, 76], ['ZAF', 'ZA', 'South Africa', 60, 6.5],
];

// biome-ignore format: a table
const AGGREGATES: readonly Economy[] = [
  ['WLD', '1W', 'World', 7900, 12.5], ['HIC', 'XD', 'High income', 1250, 47], ['ARB', '1A', 'Arab World', 470, 7],
  ['SSF', 'ZG', 'Sub-Saharan Africa', 1200, 1.7], ['EUU', 'EU', 'European Union', 448, 38], ['EMU', 'XC', 'Euro area', 349, 42],
];

const monthOf = (year: number): number => (year - 2020) * 12;
const people = ([iso3, , , size]: Economy, year: number): number =>
  Math.round(1e6 * valueAt(`population ${iso3}`, monthOf(year), { base: size, growth: 0.006 }));

// biome-ignore format: one line each
const INDICATORS: readonly Indicator[] = [
  { code: 'NY.GDP.MKTP.CD', name: 'GDP (current US$)', decimal: 0, value: (economy, year) => people(economy, year) * 1000 * valueAt(`income ${economy[0]}`, monthOf(year), { base: economy[4], growth: 0.03, swing: 0.06 }) },
  { code: 'SP.POP.TOTL', name: 'Population, total', decimal: 0, value: people },
  { code: 'FP.CPI.TOTL.ZG', name: 'Inflation, consumer prices (annual %)', decimal: 1, value: ([iso3, , , , income], year) => valueAt(`inflation ${iso3}`, monthOf(year), { base: income > 20 ? 2.4 : 5.2, swing: 0.6, jitter: 0.1 }) },
];

export function* worldBankFiles(now: number): Generator<SampleFile> {
  const until = yesterdayOf(now);
  const newest = Number(addDays(until, -LAG_DAYS).slice(0, 4)) - 1;
  // The first of a quarter, so that an answer stays the same from day to day.
  const updated = `${until.slice(0, 4)}-${String(Math.floor((Number(until.slice(5, 7)) - 1) / 3) * 3 + 1).padStart(2, '0')}-01`;
  for (const indicator of INDICATORS) {
    yield { path: `${SAMPLE_FOLDER}world-bank/api-json/${indicator.code}.json`, body: answer(indicator, newest, updated) };
  }
  yield { path: `${SAMPLE_FOLDER}world-bank/api-json/countries.json`, body: countries() };
}

function answer({ code, name, decimal, value }: Indicator, newest: number, updated: string): string {
  const rows = [...AGGREGATES, ...ECONOMIES].flatMap((economy) =>
    Array.from({ length: YEARS }, (_, index) => ({
      indicator: { id: code, value: name },
      country: { id: economy[1], value: economy[2] },
      countryiso3code: economy[0],
      date: String(newest - index),
      value: value(economy, newest - index),
      unit: '',
      obs_status: '',
      decimal,
    })),
  );
  // Income groups come without the code of three letters.
  if (code === 'SP.POP.TOTL') {
    const group = { indicator: { id: code, value: name }, country: { id: 'XO', value: 'Low income' }, countryiso3code: '' };
    rows.push({ ...group, date: String(newest), value: 720_000_000, unit: '', obs_status: '', decimal });
  }
  return JSON.stringify([{ page: 1, pages: 1, per_page: 10_000, total: rows.length, sourceid: '2', lastupdated: updated }, rows]);
}

function countries(): string {
  const none = { id: 'NA', iso2code: 'NA', value: 'Aggregates' };
  const entry = ([id, iso2Code, name]: Economy, region: Readonly<Record<string, string>>) => ({
    id,
    iso2Code,
    name,
    region,
    adminregion: { id: '', iso2code: '', value: '' },
    incomeLevel: none,
    lendingType: { id: '', iso2code: '', value: region === none ? 'Aggregates' : 'Not classified' },
    capitalCity: '',
    longitude: '',
    latitude: '',
  });
  const rows = [
    ...ECONOMIES.map((economy) => entry(economy, { id: 'XXX', iso2code: 'XX', value: 'Sample region' })),
    ...AGGREGATES.map((economy) => entry(economy, none)),
  ];
  return JSON.stringify([{ page: 1, pages: 1, per_page: '400', total: rows.length }, rows]);
}
