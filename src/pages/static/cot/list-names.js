// Names of contracts for a list, as short as they can be.
import { contractName, partsOf } from './contracts.js';

/** The name of a contract without its market: `Corn`. */
export const shortName = (name) => partsOf(name)[0];

/** Names for a list, by the publisher's name: without the market, unless several contracts of the list would have that name. */
export function listNames(names) {
  const counts = new Map();
  for (const name of names) counts.set(shortName(name), (counts.get(shortName(name)) ?? 0) + 1);
  return new Map(names.map((name) => [name, counts.get(shortName(name)) === 1 ? shortName(name) : contractName(name)]));
}
