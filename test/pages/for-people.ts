// The pages' own formatter, as the browser loads it: what a view should show of a value of the interface.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const address = pathToFileURL(join(import.meta.dirname, '../../src/pages/static/numbers.js')).href;
const { numberText } = (await import(address)) as { readonly numberText: (value: unknown) => string };

/** Rounded as in tables. */
export const forPeople = numberText;

const contracts = pathToFileURL(join(import.meta.dirname, '../../src/pages/static/cot/contracts.js')).href;
/** Names as the pages write them; test/pages/contracts.test.ts has the expected ones. */
export const { contractName } = (await import(contracts)) as { readonly contractName: (name: string) => string };
