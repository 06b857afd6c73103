// The description of the routes that are served, for those who make clients of it: names, what is shared, and examples.
import { expect, it } from 'vitest';
import { openapiDocument } from '../../src/http/description/openapi.ts';
import { openRoutes } from '../../src/http/open-routes.ts';
import { about } from '../../src/routes/about.ts';
import { routes } from '../../src/routes/index.ts';
import type { AnyRoute } from '../../src/http/route.ts';
import { readDescription } from './description.ts';

const document = openapiDocument([...openRoutes, ...routes] as readonly AnyRoute<never>[], about);
const { operations } = readDescription(JSON.stringify(document));

/** Written out by hand. */
const NAMES: Readonly<Record<string, string>> = {
  '/health': 'getHealth',
  '/ready': 'getReadiness',
  '/openapi.json': 'getOpenApi',
  '/llms.txt': 'getLlms',
  '/llms-full.txt': 'getLlmsFull',
  '/entities': 'listEntities',
  '/entities/resolve': 'resolveEntity',
  '/entities/{idOrSlug}': 'getEntity',
  '/entities/{idOrSlug}/aliases': 'listEntityAliases',
  '/entities/{entityId}/observations': 'listEntityObservations',
  '/canonical-indicators': 'listCanonicalIndicators',
  '/countries': 'listCountries',
  '/countries/available-indicators': 'listAvailableIndicators',
  '/countries/{idOrIso}': 'getCountry',
  '/indicators': 'listIndicators',
  '/indicators/series': 'listIndicatorSeries',
  '/indicators/entities': 'listIndicatorEntities',
  '/observations': 'listObservations',
  '/observations/latest': 'listLatestObservations',
  '/observations/changes': 'listObservationChanges',
  '/public/observations': 'listPublicObservations',
  '/public/observations/latest': 'listLatestPublicObservations',
  '/panels': 'listPanel',
  '/public/panels': 'listPublicPanel',
  '/platform/macro-data': 'listMacroData',
  '/public/coverage': 'getPublicCoverage',
  '/coverage': 'getCoverage',
  '/derived-indicators': 'listDerivedIndicators',
  '/derived-indicators/{idOrSlug}': 'getDerivedIndicator',
  '/derived-observations': 'listDerivedObservations',
  '/public/screener': 'screen',
  '/public/screener/filters': 'listScreenFields',
  '/public/companies': 'listCompanies',
  '/companies/{idOrLookup}/financials': 'listFinancialStatements',
  '/events': 'listEvents',
  '/events/{eventId}': 'getEvent',
  '/economic-calendar': 'listCalendarEntries',
  '/economic-calendar/{eventId}': 'getCalendarEntry',
  '/provenance/observations/{observationId}': 'getProvenance',
  '/manifest': 'getManifest',
  '/source-health': 'listSourceHealth',
  '/quarantine': 'listQuarantine',
  '/ops/liveness': 'getLiveness',
  '/snapshot': 'getSnapshot',
};

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every object within a value, with its place. */
function within(value: unknown, place: string): readonly (readonly [string, Json])[] {
  if (Array.isArray(value)) return value.flatMap((one, at) => within(one, `${place}/${at}`));
  if (!isObject(value)) return [];
  return [[place, value], ...Object.entries(value).flatMap(([name, one]) => within(one, `${place}/${name}`))];
}
const all = within(document, '');
const COMPONENT = /^\/components\/schemas\/\w+$/;

it('operations have names that a person would give', () => {
  expect(Object.fromEntries(operations.map(({ path, name }) => [path, name]))).toEqual(NAMES);
  expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
});

it('every object and closed set has a name, none is inlined', () => {
  const isClosedSet = ({ enum: values, oneOf }: Json) => Array.isArray(values) || Array.isArray(oneOf);
  const sets = all.filter(([place, one]) => isClosedSet(one) && !COMPONENT.test(place.replace(/\/allOf\/0$/, '')));
  expect(sets.map(([place]) => place)).toEqual([]);
  const objects = all.filter(([place, { type, properties }]) => (type === 'object' || isObject(properties)) && !COMPONENT.test(place));
  expect(objects.map(([place]) => place)).toEqual([]);
});

it('the values of each closed set are listed once', () => {
  const values = all.flatMap(([, { enum: named, oneOf }]) => (Array.isArray(named) ? [named] : Array.isArray(oneOf) ? [oneOf] : []));
  expect(values.length).toBeGreaterThan(50);
  expect(new Set(values.map((one) => JSON.stringify(one))).size).toBe(values.length);
});

it('a parameter that several routes share is described once', () => {
  const inPlace = all.filter(([place, one]) => /^\/paths\/.*\/parameters\/\d+$/.test(place) && one['$ref'] === undefined);
  const texts = inPlace.map(([, one]) => JSON.stringify(one));
  expect(new Set(texts).size).toBe(texts.length);
});

it('the answer of each route has one type', () => {
  const { paths } = document as { readonly paths: Json };
  const answers = Object.entries(paths).map(([path, one]) => {
    const { get } = one as { get: { responses: { 200: { content: Readonly<Record<string, { schema: Json }>> } } } };
    return [path, get.responses[200].content] as const;
  });
  const others = answers.filter(([, content]) => Object.keys(content).length !== 1);
  expect(others).toEqual([]);
  const unnamed = answers.filter(([path, content]) => !path.endsWith('.txt') && content['application/json']?.schema['$ref'] === undefined);
  expect(unnamed).toEqual([]);
});

it('parameters for a day or an instant are typed as text', () => {
  const moments = operations.flatMap(({ path, parameters }) =>
    parameters
      .filter((one) => /(?:^as_of|^asOf|_from|_to|From|To|_date|^since)$/.test(one.name))
      .map(({ name, schema }) => ({
        path,
        name,
        type: schema['type'],
        isDated: schema['format'] === 'date' || Array.isArray(schema['anyOf']),
      })),
  );
  expect(moments.length).toBeGreaterThan(100);
  expect(moments.filter(({ type, isDated }) => type !== 'string' || !isDated)).toEqual([]);
});

it('each path parameter has an example; aliases, cursors and bounds have none', () => {
  const parameters = operations.flatMap(({ path, parameters: own }) => own.map((one) => ({ path, ...one })));
  const inPath = parameters.filter((one) => one.in === 'path');
  expect(inPath.filter((one) => one.example === undefined)).toEqual([]);
  expect(operations.filter(({ example }) => example.includes('{'))).toEqual([]);
  const bounds = parameters.filter(({ name, ...one }) => {
    const isAlias = one['x-alias-of'] !== undefined;
    return isAlias || /^(?:cursor|as_of|since|.*_from|.*_to|start_date|end_date|release_number)$/.test(name);
  });
  expect(bounds.filter((one) => one.example !== undefined).map(({ path, name }) => `${path} ${name}`)).toEqual([]);
});

it('no default contradicts another parameter if a client sends it', () => {
  // Panels cannot be asked for the n-th print.
  const vintages = operations
    .filter(({ parameters }) => parameters.some((one) => one.name === 'release_number'))
    .flatMap(({ parameters }) => parameters.filter((one) => one.name === 'vintage'));
  expect(vintages.length).toBeGreaterThan(5);
  expect(vintages.filter((one) => one.schema['default'] !== undefined)).toEqual([]);
});
