// European Central Bank, Survey of Professional Forecasters: every answer of every round, one file per round in a zip, in sections of CSV. This computes medians and
// means of the point forecasts for the year of the round and the two after it; a forecaster without a point counts in neither.
import type { Period } from '../../model/period.ts';
import type { Batch, ObservationRecord } from '../../model/record.ts';
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import { parseNumber } from '../readers/csv.ts';
import { decodeText, excerpt } from '../readers/text.ts';
import { type Member, membersOf } from '../readers/zip.ts';
import type { Payload, Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';
import { knownAtEndOf, roundOf } from '../records/survey-rounds.ts';

const ID = 'ecb_spf';
const FILE = /(?:^|\/)ecb\/spf\/(?:[^/]+\/)?SPF_individual_forecasts\.zip$/;
const MEMBER = /(?:^|\/)(\d{4})Q([1-4])\.csv$/;
const MOST_BYTES = 256 * 1024 * 1024;
const MOST_MEMBERS = 1000;
/** The beginning of a section's title. */
const SECTIONS: Readonly<Record<string, string>> = {
  'INFLATION EXPECTATIONS': 'HICP',
  'CORE INFLATION EXPECTATIONS': 'CORE',
  'GROWTH EXPECTATIONS': 'GDP',
  'EXPECTED UNEMPLOYMENT RATE': 'UNEMPLOYMENT',
};
const ASSUMPTIONS = 'ASSUMPTIONS';
const MOST_YEARS_AHEAD = 2;
const HEADER = 'TARGET_PERIOD,FCT_SOURCE,POINT';

export const ecbSpf: Source = {
  id: ID,
  version: 1,
  owns: (path) => FILE.test(path),
  address: (path) =>
    FILE.test(path) ? 'https://www.ecb.europa.eu/stats/prices/indic/forecast/shared/files/SPF_individual_forecasts.zip' : null,
  mediaType: 'application/zip',
  normalise: batchesOf,
};

async function* batchesOf({ body, retrievedAt }: Payload): AsyncGenerator<Batch> {
  const members = await membersOf(ID, body, MOST_BYTES, MOST_MEMBERS);
  const records: ObservationRecord[] = [];
  for (const member of members) records.push(...(await recordsOf(member, retrievedAt)));
  if (records.length === 0) throw new UpstreamError(ID, 'the zip file has no rounds');
  yield* observationBatches(withoutRepeats(ID, records));
}

async function recordsOf(member: Member, retrievedAt: string): Promise<ObservationRecord[]> {
  const [, year, quarter] = MEMBER.exec(member.name) ?? [];
  if (year === undefined) throw new UpstreamError(ID, `expected a file of one round such as 2008Q4.csv, found ${excerpt(member.name)}`);
  const round = roundOf(Number(year), Number(quarter));
  const observedAt = knownAtEndOf(round, retrievedAt);
  const answers = answersOf(decodeText(ID, await member.read()), round);
  return [...answers].flatMap(([code, points]) => [
    { seriesCode: `median.${code}`, ...round, value: medianOf(points), observedAt },
    { seriesCode: `mean.${code}`, ...round, value: points.reduce((sum, point) => sum + point, 0) / points.length, observedAt },
  ]);
}

/** The point forecasts by section and years ahead, `HICP.1`. */
function answersOf(text: string, round: Period): ReadonlyMap<string, readonly number[]> {
  const answers = new Map<string, number[]>();
  const met = new Set<string>();
  let section: string | null = null;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [target = '', source = '', point = ''] = line.split(',').map((cell) => cell.trim());
    if (target === '' || target === 'TARGET_PERIOD') {
      checkColumns(target, section, line, round);
      continue;
    }
    if (/^[A-Z]{4}/.test(target)) {
      section = sectionOf(target, round);
      met.add(section);
      continue;
    }
    if (section === null) throw new UpstreamError(ID, `line ${index + 1} of ${round.period} stands before any section`);
    const ahead = section === ASSUMPTIONS || point === '' ? null : yearsAhead(target, round);
    if (ahead === null) continue;
    const code = `${section}.${ahead}`;
    const value = source === '' ? null : parseNumber(point);
    answers.set(code, [...(answers.get(code) ?? []), answerOf(value, line, `line ${index + 1} of ${round.period}`)]);
  }
  checkSections(met, round);
  return answers;
}

function answerOf(value: number | null, line: string, place: string): number {
  if (value === null) throw new UpstreamError(ID, `expected the answer of a forecaster on ${place}, found ${excerpt(line)}`);
  return value;
}

function checkColumns(target: string, section: string | null, line: string, { period }: Period): void {
  if (target !== '' && section !== null && section !== ASSUMPTIONS && !line.startsWith(HEADER))
    throw new UpstreamError(ID, `expected the columns ${HEADER} in ${period}, found ${excerpt(line)}`);
}

/** Null for a target other than the calendar years that are read. */
function yearsAhead(target: string, { period }: Period): number | null {
  if (!/^\d{4}$/.test(target)) return null;
  const ahead = Number(target) - Number(period.slice(0, 4));
  return ahead < 0 || ahead > MOST_YEARS_AHEAD ? null : ahead;
}

function checkSections(met: ReadonlySet<string>, { period }: Period): void {
  const absent = [...Object.values(SECTIONS), ASSUMPTIONS].filter((one) => !met.has(one));
  if (absent.length > 0) throw new UpstreamError(ID, `${period} has no section ${absent.join(', ')}: the file may be truncated`);
}

function sectionOf(title: string, { period }: Period): string {
  const name = title.split(';')[0]?.trim() ?? '';
  const section = name === ASSUMPTIONS ? ASSUMPTIONS : SECTIONS[name];
  if (section === undefined) throw new UpstreamError(ID, `${period} has a section that is not known: ${excerpt(title)}`);
  return section;
}

function medianOf(points: readonly number[]): number {
  const sorted = points.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [below = 0, above = 0] = sorted.length % 2 === 0 ? [sorted[middle - 1], sorted[middle]] : [sorted[middle], sorted[middle]];
  return (below + above) / 2;
}
