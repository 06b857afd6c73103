// FRED's interface, version 1, answered from the service.
import { asked } from '../asked.ts';
import { CSV_TYPE, JSON_TYPE, type Sent, XML_TYPE } from '../exchange.ts';
import { FacadeError } from '../failure.ts';
import type { Standing } from '../standing.ts';
import { type Body, errorJson, errorXml, toJson, toXml } from './forms.ts';
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

type Answer = (standing: Standing, query: URLSearchParams) => Promise<Body>;

const ANSWERS: Readonly<Record<string, Answer>> = {
  '/fred/series': async (standing, query) => series(standing, asked(SeriesQuestion, query)),
  '/fred/series/observations': async (standing, query) => observations(standing, asked(ObservationsQuestion, query)),
  '/fred/series/vintagedates': async (standing, query) => vintageDates(standing, asked(VintageDatesQuestion, query)),
  '/fred/series/updates': async (standing, query) => updates(standing, asked(UpdatesQuestion, query)),
  '/fred/releases': async (standing, query) => releases(standing, asked(ReleasesQuestion, query)),
  '/fred/release/series': async (standing, query) => releaseSeries(standing, asked(ReleaseSeriesQuestion, query)),
  '/fred/release/dates': async (standing, query) => releaseDates(standing, asked(ReleaseDatesQuestion, query)),
  '/fred/series/search': async (standing, query) => search(standing, asked(SearchQuestion, query)),
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
  return NOT_KEPT.test(path)
    ? `Bad Request. ${path} is not served: this service has no FRED sources, categories and tags. Of releases it serves /fred/releases, /fred/release/series and /fred/release/dates.`
    : 'Not Found. The addresses are /fred/series, /fred/series/observations, /fred/series/vintagedates, /fred/series/search, /fred/series/updates, /fred/releases, /fred/release/series, /fred/release/dates, /graph/fredgraph.csv, /sdmx/2.1, /sdmx/3.0 and /openbb. Each also exists below /at/<day>.';
}
