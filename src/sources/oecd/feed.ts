// The changes since the last answer, if a data flow reports any: the content constraint has the time of its last change. It is requested
// before each download, which counts towards the limit, and after it. Each edition of a past month is requested once, and daily while its month is open.
import { addMonths, lastDayOfMonth } from '../../model/period.ts';
import { readConstraint } from '../readers/sdmx-structure.ts';
import { withoutClock } from '../readers/sdmx-ml.ts';
import { UpstreamError } from '../upstream-error.ts';
import { isDueAfter, isKeyDue, isMissingDue, yearBefore } from '../feeds/due.ts';
import { type Answer, type Feed, type Held, NEVER_DUE, type Plan, type Request } from '../feeds/feed.ts';

const API = 'https://sdmx.oecd.org/public/rest';
const CSV = 'application/vnd.sdmx.data+csv; charset=utf-8; version=2; labels=id';

interface Flow {
  readonly agency: string;
  readonly id: string;
  readonly version: string;
  /** An empty dimension means all of its codes. */
  readonly key: string;
}

/** By the name of their files. This is the only list of the versions to read: another version may have other dimensions. */
export const OECD_FLOWS: Readonly<Record<string, Flow>> = {
  DF_CLI: { agency: 'OECD.SDD.STES', id: 'DSD_STES@DF_CLI', version: '4.1', key: '.M.LI+BCICP+CCICP...AA...H' },
  DF_PRICES_ALL: { agency: 'OECD.SDD.TPS', id: 'DSD_PRICES@DF_PRICES_ALL', version: '1.0', key: '.M+Q.N.CPI.PA._T.N.GY' },
  // Countries under the classification of 2018; in the flow above they are frozen.
  DF_PRICES_C2018_ALL: {
    agency: 'OECD.SDD.TPS',
    id: 'DSD_PRICES_COICOP2018@DF_PRICES_C2018_ALL',
    version: '1.0',
    key: '.M+Q.N.CPI.PA._T.N.GY',
  },
  DF_IALFS_UNE_M: {
    agency: 'OECD.SDD.TPS',
    id: 'DSD_LFS@DF_IALFS_UNE_M',
    version: '1.0',
    key: '.UNE_LF_M.PT_LF_SUB._Z.Y._T.Y_GE15._Z.M',
  },
  DF_QNA_EXPENDITURE_GROWTH_OECD: {
    agency: 'OECD.SDD.NAD',
    id: 'DSD_NAMAIN1@DF_QNA_EXPENDITURE_GROWTH_OECD',
    version: '1.1',
    key: 'Q.Y..S1..B1GQ......G1+GY.',
  },
};
export const OECD_EDITIONS: Omit<Flow, 'key'> = {
  agency: 'OECD.SDD.STES',
  id: 'DSD_STES_REVISIONS@DF_STES_REVISIONS',
  version: '4.0',
};

/** As SDMX-CSV names the structure of its rows. */
export const structureOf = ({ agency, id, version }: Omit<Flow, 'key'>): string => `${agency}:${id}(${version})`;

const dataAddress = ({ agency, id, version }: Omit<Flow, 'key'>, key: string, query: string): string =>
  `${API}/data/${agency},${id},${version}/${key}?${query}dimensionAtObservation=AllDimensions`;

// --- The state of data flows

const ANSWER = /(?:^|\/)oecd\/live\/([A-Z0-9_]+)\.(\d{4}-\d{2}-\d{2}T[\d-]+\.\d{3}Z)(?:\.since-(\d{4}-\d{2}-\d{2}T[\d-]+\.\d{3}Z))?\.csv$/;
const CONSTRAINT = /(?:^|\/)oecd\/constraints\/([A-Z0-9_]+?)(?:\.after)?\.xml$/;

export interface LiveAnswer {
  readonly flow: string;
  /** The time of the data flow's last change, in the answer. */
  readonly validFrom: string;
  /** An answer with the changes since then; null: all data. */
  readonly since: string | null;
}

/** The parts of an answer's key; null for any other key. */
export function liveAnswerOf(key: string): LiveAnswer | null {
  const [, flow = '', validFrom, since] = ANSWER.exec(key) ?? [];
  if (validFrom === undefined || OECD_FLOWS[flow] === undefined) return null;
  return { flow, validFrom: asInstant(validFrom), since: since === undefined ? null : asInstant(since) };
}

export const isLiveConstraint = (key: string): boolean => OECD_FLOWS[CONSTRAINT.exec(key)?.[1] ?? ''] !== undefined;

/** File names hold no colons. */
const asName = (instant: string): string => instant.replaceAll(':', '-');
const asInstant = (name: string): string => name.replace(/T(\d{2})-(\d{2})-(\d{2})/, 'T$1:$2:$3');

export function oecdAddress(key: string): string | null {
  const constrained = OECD_FLOWS[CONSTRAINT.exec(key)?.[1] ?? ''];
  if (constrained !== undefined) {
    const { agency, id, version } = constrained;
    return `${API}/contentconstraint/${agency}/CR_A_${id}/${version}?references=none`;
  }
  const answer = liveAnswerOf(key);
  const flow = OECD_FLOWS[answer?.flow ?? ''];
  if (answer === null || flow === undefined) return null;
  return dataAddress(flow, flow.key, answer.since === null ? '' : `updatedAfter=${answer.since}&`);
}

const constraintKey = (flow: string): string => `oecd/constraints/${flow}.xml`;
const requestOf = (key: string): Request => ({ key, url: oecdAddress(key) ?? '' });

/** After this many days all data are requested again, so that a change that no answer reported is not missed for good. */
const DAYS_BETWEEN_WHOLES = 14;

export const oecdFeed: Feed = {
  publisher: 'oecd',
  isDue: (now, held) => Object.keys(OECD_FLOWS).some((flow) => isKeyDue(now, held, constraintKey(flow), { everyHours: 6 })),
  *plan(_now, held) {
    for (const flow of Object.keys(OECD_FLOWS)) yield* changesOf(flow, held);
  },
  *probe(now) {
    for (const [name, flow] of Object.entries(OECD_FLOWS).slice(-1))
      yield {
        key: `oecd/live/${name}.${asName(now)}.csv`,
        url: dataAddress(flow, flow.key, `startPeriod=${yearBefore(now)}&`),
        accept: CSV,
        dueBy: NEVER_DUE,
      };
  },
  essence: withoutClock,
};

function* changesOf(flow: string, held: Held): Plan {
  const before: Answer = yield requestOf(constraintKey(flow));
  const validFrom = validFromOf(before);
  const answers = held.keys(`oecd/live/${flow}.`).flatMap((key) => liveAnswerOf(key) ?? []);
  const last = answers
    .map((answer) => answer.validFrom)
    .toSorted()
    .at(-1);
  if (validFrom === null || (last !== undefined && last >= validFrom)) return;
  const whole = answers
    .flatMap((answer) => (answer.since === null ? [answer.validFrom] : []))
    .toSorted()
    .at(-1);
  const isWhole = whole === undefined || Date.parse(validFrom) - Date.parse(whole) > DAYS_BETWEEN_WHOLES * 86_400_000;
  const key = `oecd/live/${flow}.${asName(validFrom)}${isWhole || last === undefined ? '' : `.since-${asName(last)}`}.csv`;
  // Without changes in the requested data there are no records: 404.
  const answer: Answer = yield {
    ...requestOf(key),
    accept: CSV,
    group: flow,
    mayShrink: true,
    ...(isWhole ? {} : { dueBy: NEVER_DUE }),
  };
  if (!('body' in answer)) return;
  if (!isWhole && !/\n./.test(new TextDecoder().decode(answer.body))) {
    yield { giveUp: `${flow}: the answer has no rows`, isNotOutYet: true };
    return;
  }
  const after: Answer = yield { ...requestOf(`oecd/constraints/${flow}.after.xml`), group: flow };
  if ('body' in after && validFromOf(after) !== validFrom) yield { giveUp: `${flow}: the data flow changed while it was asked for` };
}

/** Null without an answer, or if it lacks the time; its reader reports the reason. */
function validFromOf(answer: Answer): string | null {
  return 'body' in answer ? (constraintOf(answer.body)?.validFrom ?? null) : null;
}

function constraintOf(body: Uint8Array): ReturnType<typeof readConstraint> | null {
  try {
    return readConstraint('oecd', body);
  } catch (error) {
    if (error instanceof UpstreamError) return null;
    throw error;
  }
}

// --- Editions of former months

export const AVAILABLE_EDITIONS = 'oecd/editions/available.xml';
const FIRST_EDITION = '199902';
/** Earlier ones mix seasonally adjusted and unadjusted series without marking them. */
export const FIRST_ADJUSTED_EDITION = '200801';
const MEASURES = 'B1GQ_Q+PRVM+TOVM+UNEMP+CP';

const editionKey = (edition: string): string => `oecd/editions/${edition}.csv`;

/** The label of an edition, `202608`, by the key of its answer; null for any other key. */
export function editionOf(key: string): string | null {
  return /(?:^|\/)oecd\/editions\/(\d{4}(?:0[1-9]|1[0-2]))\.csv$/.exec(key)?.[1] ?? null;
}

/** An edition has no day: it was published by the end of the month after its label. */
export function editionKnownBy(edition: string): string {
  const month = `${edition.slice(0, 4)}-${edition.slice(4)}`;
  return `${lastDayOfMonth(addMonths(`${month}-01`, 1).slice(0, 7))}T23:59:59.999Z`;
}

export function editionsAddress(key: string): string | null {
  const { agency, id, version } = OECD_EDITIONS;
  if (key.endsWith(AVAILABLE_EDITIONS)) return `${API}/availableconstraint/${agency},${id},${version}/all/all/EDITION?mode=exact`;
  const edition = editionOf(key);
  if (edition === null) return null;
  return dataAddress(OECD_EDITIONS, `.M+Q.${edition < FIRST_ADJUSTED_EDITION ? 'CP' : MEASURES}...${edition}`, '');
}

export const oecdEditionsFeed: Feed = {
  publisher: 'oecd',
  isDue: (now, held) => isKeyDue(now, held, AVAILABLE_EDITIONS, { everyHours: isBehind(now, held) ? 1 : 24 }),
  *plan(now, held) {
    const list: Answer = yield { key: AVAILABLE_EDITIONS, url: editionsAddress(AVAILABLE_EDITIONS) ?? '', mayShrink: true };
    if (!('body' in list)) return;
    const labels = constraintOf(list.body)?.codes.get('EDITION') ?? [];
    // The code list extends years into the future.
    const thisMonth = now.slice(0, 7).replace('-', '');
    const editions = labels.filter((label) => label >= FIRST_EDITION && label <= thisMonth).toSorted();
    const isOpen = (edition: string): boolean => now < editionKnownBy(edition);
    // Those that may change first; the others in reading order.
    for (const edition of [...editions.filter(isOpen).toReversed(), ...editions.filter((one) => !isOpen(one))]) {
      const key = editionKey(edition);
      const newest = held.newest(key);
      const isDue = newest === null ? isOpen(edition) || isMissingDue(now, held, key) : isOpen(edition) && isDueAfter(now, newest, 24);
      if (isDue) yield { key, url: editionsAddress(key) ?? '', accept: CSV };
    }
  },
  *probe() {
    const key = editionKey(FIRST_EDITION);
    yield { key, url: editionsAddress(key) ?? '', accept: CSV, dueBy: NEVER_DUE };
  },
  essence: withoutClock,
};

/** True if an edition that was published a month ago is still missing, because a run may have used up its budget. */
function isBehind(now: string, held: Held): boolean {
  const keys = new Set(held.keys('oecd/editions/'));
  for (let month = '1999-02'; month <= addMonths(now.slice(0, 10), -2).slice(0, 7); month = addMonths(`${month}-01`, 1).slice(0, 7)) {
    const key = editionKey(month.replace('-', ''));
    if (!keys.has(key) && isMissingDue(now, held, key)) return true;
  }
  return false;
}
