// FRED's interface, version 1, answered from the service.
import { asked } from '../asked.ts';
import { CSV_TYPE, JSON_TYPE, type Sent, XML_TYPE } from '../exchange.ts';
import { FacadeError } from '../failure.ts';
import type { Standing } from '../standing.ts';
import { type Answers, answering } from './answering.ts';
import { CATEGORIES } from './categories.ts';
import { errorJson, errorXml, toJson, toXml } from './forms.ts';
import { graph, observations, vintageDates } from './observations.ts';
import {
  GraphQuestion,
  ObservationsQuestion,
  ReleaseDatesQuestion,
  ReleaseSeriesQuestion,
  ReleasesQuestion,
  SearchQuestion,
  SeriesQuestion,
  UpdatesQuestion,
  VintageDatesQuestion,
} from './questions.ts';
import { releaseDates, releases, releaseSeries, updates } from './releases.ts';
import { search, series } from './series.ts';
import { TAGS } from './tag-lists.ts';

const ANSWERS: Answers = {
  ...CATEGORIES,
  ...TAGS,
  '/fred/release/dates': answering(ReleaseDatesQuestion, releaseDates),
  '/fred/release/series': answering(ReleaseSeriesQuestion, releaseSeries),
  '/fred/releases': answering(ReleasesQuestion, releases),
  '/fred/series': answering(SeriesQuestion, series),
  '/fred/series/observations': answering(ObservationsQuestion, observations),
  '/fred/series/search': answering(SearchQuestion, search),
  '/fred/series/updates': answering(UpdatesQuestion, updates),
  '/fred/series/vintagedates': answering(VintageDatesQuestion, vintageDates),
};
const GRAPH = '/graph/fredgraph.csv';
/** Paths of FRED's interface for data that the service does not have under FRED's numbers. */
const NOT_KEPT = /^\/fred\/(?:releases?|sources?|categor(?:y|ies)|tags|related_tags|series)(?:\/|$)/;

/** @param openStanding called if the path is one of FRED's */
export async function answerFred(
  path: string,
  query: URLSearchParams,
  isJson: boolean,
  openStanding: () => Promise<Standing>,
): Promise<Sent> {
  const answer = ANSWERS[path];
  if (answer === undefined && path !== GRAPH) throw new FacadeError(NOT_KEPT.test(path) ? 400 : 404, notKept(path));
  const standing = await openStanding();
  if (answer === undefined) return { status: 200, type: CSV_TYPE, body: await graph(standing, asked(GraphQuestion, query)) };
  const body = await answer(standing, query);
  return { status: 200, type: isJson ? JSON_TYPE : XML_TYPE, body: isJson ? toJson(body) : toXml(body) };
}

export function fredError({ status, message }: { readonly status: number; readonly message: string }, isJson: boolean): Sent {
  return { status, type: isJson ? JSON_TYPE : XML_TYPE, body: isJson ? errorJson(status, message) : errorXml(status, message) };
}

function notKept(path: string): string {
  const known = Object.keys(ANSWERS).toSorted().join(', ');
  return NOT_KEPT.test(path)
    ? `Bad Request. ${path} is not served: this service has no FRED sources, tables and links of releases. Use one of ${known}.`
    : `Not Found. The addresses are ${known}, ${GRAPH}, /sdmx/2.1, /sdmx/3.0 and /openbb. Each also exists below /at/<day>.`;
}
