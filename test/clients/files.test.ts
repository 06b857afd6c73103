// What the clients hold of the description is what the service serves.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  describedTypes,
  fieldsOfLists,
  headOf,
  PYTHON,
  PYTHON_METHODS,
  pythonFields,
  pythonQuestions,
  R,
  rWithFields,
  TYPES,
} from '../../tools/client-files.ts';

// npm run clients:generate rewrites them.

it('types of the TypeScript client match the current description', () => {
  expect(readFileSync(TYPES, 'utf8').split('\n', 1)[0]).toBe(headOf(describedTypes()).trimEnd());
});

it('kinds of fields in the Python and R clients match the current description', () => {
  expect(readFileSync(PYTHON, 'utf8')).toBe(pythonFields());
  const r = readFileSync(R, 'utf8');
  expect(r).toBe(rWithFields(r));
});

it('questions of the Python client have the parameters of the current description', () => {
  expect(readFileSync(PYTHON_METHODS, 'utf8')).toBe(pythonQuestions());
});

it('separates days from instants by a list', () => {
  const fields = fieldsOfLists();
  expect(fields['/observations']).toMatchObject({
    observationId: 'string',
    periodEnd: 'date',
    observedAt: 'date-time',
    actual: 'number',
    revised: 'boolean',
    derivedFrom: 'strings',
    rights: 'json',
  });
  expect(fields['/derived-observations']).toMatchObject({ periodEnd: 'date-time' });
  expect(fields['/companies/{idOrLookup}/financials']).toMatchObject({ fiscalYear: 'integer', filedAt: 'date' });
});
