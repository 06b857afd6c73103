// Commitments of Traders: the yearly text files of the reports on twelve contracts, three years of Tuesdays, fewer of the combined ones and of
// the contracts that are there to be compared with.
import { addDays } from '../../src/model/period.ts';
import { DISAGGREGATED_COLUMNS, LEGACY_COLUMNS, TFF_COLUMNS } from './cftc-columns.ts';
import { monthsSince2020, SAMPLE_FOLDER, type SampleFile, weekdayOf, yesterdayOf } from './days.ts';
import { chance, valueAt } from './invent.ts';

const WEEKS = 157;
/** Some more than the 104 that a statistic of three years needs (docs/reference/methods.md#cot-positioning). */
const FEWER_WEEKS = 108;

interface Contract {
  readonly name: string;
  readonly code: string;
  readonly market: string;
  readonly region: string;
  readonly commodity: string;
  readonly units: string;
  /** Sub-group of the report on financial futures. */
  readonly group?: string;
  readonly openInterest: number;
  readonly hasFewerWeeks?: boolean;
}

// biome-ignore format: one line
const WHEAT: Contract = { name: 'WHEAT-SRW - CHICAGO BOARD OF TRADE', code: '001602', market: 'CBT ', region: '00', commodity: '001 ', units: '(CONTRACTS OF 5,000 BUSHELS)', group: 'A10', openInterest: 400_000 };

// biome-ignore format: one line each
const LEGACY: readonly Contract[] = [
  WHEAT,
  { name: 'WTI-PHYSICAL - NEW YORK MERCANTILE EXCHANGE', code: '067651', market: 'NYME', region: '01', commodity: '067 ', units: '(CONTRACTS OF 1,000 BARRELS)', openInterest: 1_700_000 },
  { name: 'GOLD - COMMODITY EXCHANGE INC.', code: '088691', market: 'CMX ', region: '01', commodity: '088 ', units: '(CONTRACTS OF 100 TROY OUNCES)', openInterest: 480_000 },
  { name: 'EURO FX - CHICAGO MERCANTILE EXCHANGE', code: '099741', market: 'CME ', region: '00', commodity: '099 ', units: '(CONTRACTS OF EUR 125,000)', openInterest: 680_000 },
  { name: 'NAT GAS NYME - NEW YORK MERCANTILE EXCHANGE', code: '023651', market: 'NYME', region: '01', commodity: '023 ', units: "(Contracts of 10,000 MMBTU'S)", openInterest: 1_600_000, hasFewerWeeks: true },
  { name: 'CORN - CHICAGO BOARD OF TRADE', code: '002602', market: 'CBT ', region: '00', commodity: '002 ', units: '(CONTRACTS OF 5,000 BUSHELS)', openInterest: 1_500_000, hasFewerWeeks: true },
  { name: 'COFFEE C - ICE FUTURES U.S.', code: '083731', market: 'ICUS', region: '01', commodity: '083 ', units: '(CONTRACTS OF 37,500 POUNDS)', openInterest: 190_000, hasFewerWeeks: true },
];

// biome-ignore format: one line
const E_MINI: Contract = { name: 'E-MINI S&P 500 - CHICAGO MERCANTILE EXCHANGE', code: '13874A', market: 'CME ', region: '00', commodity: '138 ', units: '($50 X S&P 500 INDEX)', group: 'F20', openInterest: 2_100_000 };

// biome-ignore format: one line each
const FINANCIAL: readonly Contract[] = [
  E_MINI,
  { name: 'UST 10Y NOTE - CHICAGO BOARD OF TRADE', code: '043602', market: 'CBT ', region: '00', commodity: '043 ', units: '(CONTRACTS OF $100,000 FACE VALUE)', group: 'F30', openInterest: 4_700_000 },
  { name: 'UST 2Y NOTE - CHICAGO BOARD OF TRADE', code: '042601', market: 'CBT ', region: '00', commodity: '042 ', units: '(CONTRACTS OF $200,000 FACE VALUE)', group: 'F30', openInterest: 4_000_000, hasFewerWeeks: true },
  { name: 'NASDAQ MINI - CHICAGO MERCANTILE EXCHANGE', code: '209742', market: 'CME ', region: '00', commodity: '209 ', units: '(NASDAQ 100 STOCK INDEX X $20)', group: 'F20', openInterest: 260_000, hasFewerWeeks: true },
  { name: 'JAPANESE YEN - CHICAGO MERCANTILE EXCHANGE', code: '097741', market: 'CME ', region: '00', commodity: '097 ', units: '(CONTRACTS OF JPY 12,500,000)', group: 'F10', openInterest: 330_000, hasFewerWeeks: true },
];

/** Options, counted by their deltas, add to what is open. */
const withOptions = (contract: Contract): Contract => ({ ...contract, openInterest: Math.round(contract.openInterest * 1.3) });

export function* cftcFiles(now: number): Generator<SampleFile> {
  const reports = reportDays(now);
  const fewer = reports.slice(-FEWER_WEEKS);
  const reported = ({ hasFewerWeeks }: Contract, day: string) => hasFewerWeeks !== true || day >= (fewer[0] ?? '');
  for (const [year, newestFirst] of byYear(reports)) {
    yield file(`cftc/legacy_futonly/annual_${year}.txt`, LEGACY_COLUMNS, LEGACY, newestFirst, legacyRow, reported);
    yield file(`cftc/tff_futonly/FinFutYY_${year}.txt`, TFF_COLUMNS, FINANCIAL, newestFirst, financialRow('FutOnly'), reported);
    yield file(`cftc/disagg_futonly/f_year_${year}.txt`, DISAGGREGATED_COLUMNS, [WHEAT], newestFirst, disaggregatedRow('FutOnly'));
  }
  const [wheat, index] = [withOptions(WHEAT), withOptions(E_MINI)];
  for (const [year, newestFirst] of byYear(fewer)) {
    yield file(`cftc/disagg_combined/c_year_${year}.txt`, DISAGGREGATED_COLUMNS, [wheat], newestFirst, disaggregatedRow('Combined'));
    yield file(`cftc/legacy_combined/annualof_${year}.txt`, LEGACY_COLUMNS, [wheat], newestFirst, legacyRow);
    yield file(`cftc/tff_combined/FinComYY_${year}.txt`, TFF_COLUMNS, [index], newestFirst, financialRow('Combined'));
  }
}

/** Days of each calendar year, the newest first. */
function byYear(days: readonly string[]): readonly (readonly [year: string, newestFirst: readonly string[]])[] {
  const years = [...new Set(days.map((day) => day.slice(0, 4)))];
  return years.map((year) => [year, days.filter((day) => day.startsWith(year)).reverse()]);
}

/** Tuesdays whose Friday has passed. */
function reportDays(now: number): string[] {
  const until = addDays(yesterdayOf(now), -3);
  const last = addDays(until, -((weekdayOf(until) + 5) % 7));
  return Array.from({ length: WEEKS }, (_, index) => addDays(last, -7 * (WEEKS - 1 - index)));
}

function file(
  path: string,
  columns: readonly string[],
  contracts: readonly Contract[],
  days: readonly string[],
  row: (contract: Contract, day: string) => readonly string[],
  isReported: (contract: Contract, day: string) => boolean = () => true,
): SampleFile {
  const lines = contracts.flatMap((contract) => days.filter((day) => isReported(contract, day)).map((day) => row(contract, day).join(',')));
  return { path: `${SAMPLE_FOLDER}${path}`, body: `${columns.map((name) => `"${name}"`).join(',')}\n${lines.join('\n')}\n` };
}

const identity = (contract: Contract, day: string): string[] => [
  `"${contract.name}"`,
  day.slice(2).replaceAll('-', ''),
  day,
  contract.code,
  contract.market,
  contract.region,
  contract.commodity,
];
const quoted = ({ units, code, market, commodity }: Contract): string[] => [units, code, market, commodity].map((text) => `"${text}"`);
// Without the blanks that the CFTC writes before numbers: they would double the files.
const count = (value: number): string => String(value);
const percent = (part: number, whole: number): string => (whole === 0 ? 0 : (100 * part) / whole).toFixed(1);
const traders = (position: number): string => String(position === 0 ? 0 : 12 + Math.round(Math.sqrt(position) / 6));

function openInterestOf({ code, openInterest }: Contract, day: string): number {
  return Math.round(valueAt(`cftc ${code}`, monthsSince2020(day), { base: openInterest, growth: 0.01, swing: 0.15, jitter: 0.02 }));
}

/** Contracts held by one kind of trader on one side, as a part of the open interest. */
type Holding = (holder: string, part: number, swing: number) => number;

function holdings({ code }: Contract, day: string, openInterest: number): Holding {
  const month = monthsSince2020(day);
  return (holder, part, swing) => Math.round(openInterest * valueAt(`cftc ${code} ${holder}`, month, { base: part, swing, jitter: 0.03 }));
}

/** Shares of gross and net positions held by the largest four and eight traders. */
function concentration({ code }: Contract, day: string): string[] {
  const [long, short] = [18 + 12 * chance(code, day, 'long'), 18 + 12 * chance(code, day, 'short')];
  return [long, short, long * 1.4, short * 1.4, long * 0.9, short * 0.9, long * 1.2, short * 1.2].map((share) => share.toFixed(1));
}

// --- Legacy: open interest, noncommercial long, short, spreading, commercial long, short, reportable long, short, nonreportable long, short

function legacyPositions(contract: Contract, day: string): number[] {
  const openInterest = openInterestOf(contract, day);
  const held = holdings(contract, day, openInterest);
  const long = held('noncommercial long', 0.31, 0.35);
  const short = held('noncommercial short', 0.25, 0.35);
  const spreading = held('spreading', 0.14, 0.2);
  const smallLong = held('nonreportable long', 0.09, 0.15);
  const smallShort = held('nonreportable short', 0.08, 0.15);
  const commercialLong = openInterest - long - spreading - smallLong;
  const commercialShort = openInterest - short - spreading - smallShort;
  const reportable = [openInterest - smallLong, openInterest - smallShort];
  return [openInterest, long, short, spreading, commercialLong, commercialShort, ...reportable, smallLong, smallShort];
}

/** All contracts belong to the old crop, as in the report of what is not harvested. */
function legacyRow(contract: Contract, day: string): string[] {
  const all = legacyPositions(contract, day);
  const before = legacyPositions(contract, addDays(day, -7));
  const none = all.map(() => 0);
  return [
    ...identity(contract, day),
    ...[all, all, none].flatMap((positions) => positions.map(count)),
    ...all.map((position, index) => count(position - (before[index] ?? 0))),
    ...[all, all, none].flatMap((positions) => positions.map((position) => percent(position, positions[0] ?? 0))),
    // Traders of everything but the two columns of those who need not report.
    ...[all, all, none].flatMap((positions) => positions.slice(0, 8).map(traders)),
    ...concentration(contract, day),
    ...concentration(contract, day),
    ...Array.from({ length: 8 }, () => '0.0'),
    ...quoted(contract),
  ];
}

// --- Traders in financial futures: open interest, then long, short and spreading of four classes, reportable and nonreportable long and short

const CLASSES = [
  ['dealer', 0.14, 0.24, 0.03],
  ['asset manager', 0.4, 0.16, 0.06],
  ['leveraged funds', 0.1, 0.26, 0.05],
] as const;

function financialPositions(contract: Contract, day: string): number[] {
  const openInterest = openInterestOf(contract, day);
  const holding = holdings(contract, day, openInterest);
  const held = CLASSES.flatMap(([name, long, short, spreading]) => [
    holding(`${name} long`, long, 0.1),
    holding(`${name} short`, short, 0.1),
    holding(`${name} spreading`, spreading, 0.1),
  ]);
  const otherSpreading = holding('other spreading', 0.01, 0.1);
  const otherLong = holding('other long', 0.06, 0.1);
  const otherShort = holding('other short', 0.05, 0.1);
  const spread = (held[2] ?? 0) + (held[5] ?? 0) + (held[8] ?? 0) + otherSpreading;
  const reportableLong = (held[0] ?? 0) + (held[3] ?? 0) + (held[6] ?? 0) + otherLong + spread;
  const reportableShort = (held[1] ?? 0) + (held[4] ?? 0) + (held[7] ?? 0) + otherShort + spread;
  const small = [openInterest - reportableLong, openInterest - reportableShort];
  return [openInterest, ...held, otherLong, otherShort, otherSpreading, reportableLong, reportableShort, ...small];
}

const financialRow =
  (counted: 'FutOnly' | 'Combined') =>
  (contract: Contract, day: string): string[] => {
    const all = financialPositions(contract, day);
    const before = financialPositions(contract, addDays(day, -7));
    return [
      ...identity(contract, day),
      ...all.map(count),
      ...all.map((position, index) => count(position - (before[index] ?? 0))),
      ...all.map((position) => percent(position, all[0] ?? 0)),
      ...all.slice(0, 15).map(traders),
      ...concentration(contract, day),
      ...quoted(contract),
      `"${contract.group}"`,
      `"${counted}"`,
    ];
  };

// --- Disaggregated: open interest, producers long and short, long, short and spreading of three classes, reportable and nonreportable long and short

const MERCHANTS = [
  ['swap dealer', 0.2, 0.08, 0.05],
  ['managed money', 0.16, 0.2, 0.08],
  ['other', 0.06, 0.05, 0.04],
] as const;

function disaggregatedPositions(contract: Contract, day: string): number[] {
  const openInterest = openInterestOf(contract, day);
  const holding = holdings(contract, day, openInterest);
  const held = MERCHANTS.flatMap(([name, long, short, spreading]) => [
    holding(`${name} long`, long, 0.2),
    holding(`${name} short`, short, 0.2),
    holding(`${name} spreading`, spreading, 0.1),
  ]);
  const spread = (held[2] ?? 0) + (held[5] ?? 0) + (held[8] ?? 0);
  const small = [holding('small long', 0.09, 0.1), holding('small short', 0.08, 0.1)] as const;
  const producers = [0, 1].map(
    (side) => openInterest - (small[side] ?? 0) - spread - [0, 3, 6].reduce((sum, at) => sum + (held[at + side] ?? 0), 0),
  );
  return [openInterest, ...producers, ...held, openInterest - small[0], openInterest - small[1], ...small];
}

/** All contracts belong to the old crop. */
const disaggregatedRow =
  (counted: 'FutOnly' | 'Combined') =>
  (contract: Contract, day: string): string[] => {
    const all = disaggregatedPositions(contract, day);
    const before = disaggregatedPositions(contract, addDays(day, -7));
    const none = all.map(() => 0);
    return [
      ...identity(contract, day),
      ...[all, all, none].flatMap((positions) => positions.map(count)),
      ...all.map((position, index) => count(position - (before[index] ?? 0))),
      ...[all, all, none].flatMap((positions) => positions.map((position) => percent(position, positions[0] ?? 0))),
      ...[all, all, none].flatMap((positions) => positions.slice(0, 14).map(traders)),
      ...concentration(contract, day),
      ...concentration(contract, day),
      ...Array.from({ length: 8 }, () => '0.0'),
      ...quoted(contract),
      `"${contract.group}"`,
      `"${counted}"`,
    ];
  };
