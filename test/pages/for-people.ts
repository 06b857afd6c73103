// The pages' own formatter, as the browser loads it: what a view should show of a value of the interface.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const address = pathToFileURL(join(import.meta.dirname, '../../src/pages/static/numbers.js')).href;
const { numberText, textOfColumn } = (await import(address)) as {
  readonly numberText: (value: unknown) => string;
  readonly textOfColumn: (values: readonly unknown[]) => (value: unknown) => string;
};

/** One number by itself. */
export const forPeople = numberText;

/** The numbers of a column of a table, in their order. */
export function inColumn(values: readonly unknown[]): string[] {
  return values.map(textOfColumn(values));
}

const contracts = pathToFileURL(join(import.meta.dirname, '../../src/pages/static/cot/contracts.js')).href;
/** Names as the pages write them; test/pages/contracts.test.ts has the expected ones. */
export const { contractName } = (await import(contracts)) as { readonly contractName: (name: string) => string };
