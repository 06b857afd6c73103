// The service as a client of the facade sees it: under its key, and with a clock that may stand at an earlier day.
import { z } from 'zod';
import { everyPage, openServiceClient, type Page, type ServiceClient } from '../client/service.ts';
import { readCatalogue, type SeriesEntry } from './catalogue.ts';
import { keptFor } from './kept.ts';

export interface Standing {
  readonly service: ServiceClient;
  readonly catalogue: ReadonlyMap<string, SeriesEntry>;
  /** The day that the client's clock shows. Answers have the values known at the end of that day. */
  readonly today: string;
  /** The cutoff of every question. Undefined if the clock is the service's. */
  readonly asOf: string | undefined;
  /** The same for a clock at an earlier day. */
  readonly on: (day: string) => Promise<Standing>;
  /** Rows of the United States calendar at that time, cached for a minute. */
  readonly calendar: () => Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Countries and currency areas by their entity, cached for a minute. */
  readonly countries: () => Promise<ReadonlyMap<string, Country>>;
}

export type Country = z.infer<typeof Country>;
const Country = z.object({ entityId: z.string(), name: z.string(), isCurrencyArea: z.boolean() });

export type StandingOf = (day: string | undefined, key: string | null) => Promise<Standing>;

const CATALOGUE_MS = 60_000;
/** A hundred thousand dates: releases over decades. */
const MOST_CALENDAR_PAGES = 200;

/** Standings by day and key. The service checks the key, which is the caller's. */
export function openStandings(url: string, now: () => number): StandingOf {
  const catalogueOf = keptFor<ReadonlyMap<string, SeriesEntry>>(CATALOGUE_MS, 50, now);
  const calendarOf = keptFor<Page>(CATALOGUE_MS, 10, now);
  const countriesOf = keptFor<ReadonlyMap<string, Country>>(CATALOGUE_MS, 10, now);
  const standingOf: StandingOf = async (day, key) => {
    const service = openServiceClient(url, key);
    const name = JSON.stringify([day, key]);
    const catalogue = await catalogueOf(name, () => readCatalogue(service, day));
    const calendar = async () => {
      const read = () => everyPage(service, '/economic-calendar', { country: 'US', as_of: day }, MOST_CALENDAR_PAGES);
      return (await calendarOf(name, read)).data;
    };
    const countries = () =>
      countriesOf(name, async () => {
        const { data } = await everyPage(service, '/countries', { as_of: day });
        return new Map(data.map((row) => Country.parse(row)).map((one) => [one.entityId, one]));
      });
    const on = (earlier: string) => standingOf(earlier, key);
    return { service, on, calendar, countries, catalogue, today: day ?? new Date(now()).toISOString().slice(0, 10), asOf: day };
  };
  return standingOf;
}
