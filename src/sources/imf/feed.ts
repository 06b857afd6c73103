import { isKeyDue, smallOf, yearBefore } from '../feeds/due.ts';
import type { Feed, Held, Request } from '../feeds/feed.ts';

const API = 'https://api.imf.org/external/sdmx/2.1/data';
const CSV = 'application/vnd.sdmx.data+csv;version=2.0.0';

/** Data flow → the version to read: another one may have other dimensions. */
const VERSIONS = { CPI: '5.0.0', LS: '9.0.0', MFS_IR: '9.0.0', QNEA: '7.0.0' } as const;
export type ImfFlow = keyof typeof VERSIONS;

/** The structure's name in SDMX-CSV. */
export const imfStructure = (flow: ImfFlow): string => `IMF.STA:${flow}(${VERSIONS[flow]})`;

/** Flow and key of a series without its country. The empty first dimension of the request means all countries. */
const SERIES: readonly (readonly [flow: ImfFlow, key: string])[] = [
  ['CPI', 'CPI._T.YOY_PCH_PA_PT.M'],
  ['CPI', 'CPI._T.IX.M'],
  ['LS', 'U.PT.M'],
  ['QNEA', 'B1GQ.Q.SA.XDC.Q'],
  ['MFS_IR', 'MFS166_RT_PT_A_PT.M'],
];

export const IMF_REQUESTS: readonly Request[] = SERIES.map(([flow, key]) => ({
  key: `imf/${flow}.${key.replace('CPI._T.', '')}.csv`,
  url: `${API}/IMF.STA,${flow},${VERSIONS[flow]}/.${key}?detail=dataonly`,
  accept: CSV,
}));

/** The data flow of an answer, by its key; null for any other key. */
export function imfFlowOf(path: string): ImfFlow | null {
  const flow = /(?:^|\/)imf\/([A-Z_]+)\.[^/]+\.csv$/.exec(path)?.[1] ?? '';
  return flow in VERSIONS ? (flow as ImfFlow) : null;
}

const dueOf = (now: string, held: Held) => IMF_REQUESTS.filter(({ key }) => isKeyDue(now, held, key, { everyHours: 24 }));

export const imfFeed: Feed = {
  publisher: 'imf',
  isDue: (now, held) => dueOf(now, held).length > 0,
  *plan(now, held) {
    yield* dueOf(now, held);
  },
  *probe(now) {
    yield* IMF_REQUESTS.slice(0, 1).map((request) => smallOf(request, `startPeriod=${yearBefore(now)}`));
  },
};
