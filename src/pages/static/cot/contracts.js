// Names of futures contracts in plain words. The publisher writes them in capitals: `CORN - CHICAGO BOARD OF TRADE`.

/** Names that capitals alone do not explain. */
const PLAIN = {
  'COPPER- #1': 'Copper',
  'FED FUNDS': 'Federal Funds',
  'FRZN CONCENTRATED ORANGE JUICE': 'Frozen Concentrated Orange Juice',
  'NAT GAS NYME': 'Natural Gas',
  'NZ DOLLAR': 'New Zealand Dollar',
  'SO AFRICAN RAND': 'South African Rand',
  'ULTRA UST 10Y': 'Ultra US Treasury 10-Year Note',
  'ULTRA UST BOND': 'Ultra US Treasury Bond',
  'USD INDEX': 'US Dollar Index',
  'UST 10Y NOTE': 'US Treasury 10-Year Note',
  'UST 2Y NOTE': 'US Treasury 2-Year Note',
  'UST 5Y NOTE': 'US Treasury 5-Year Note',
  'UST BOND': 'US Treasury Bond',
  'WHEAT-HRSpring': 'Wheat, Hard Red Spring',
  'WHEAT-HRW': 'Wheat, Hard Red Winter',
  'WHEAT-SRW': 'Wheat, Soft Red Winter',
  'WTI FINANCIAL CRUDE OIL': 'WTI Crude Oil, Financial',
  'WTI-PHYSICAL': 'WTI Crude Oil, Physical',
};

/** Abbreviations with a vowel; one without any is taken for an abbreviation anyway. */
const ABBREVIATION =
  /^(?:AEC|AECO|AEP|AP|ARA|BBG|CAISO|CIF|CIG|DA|DJIA|EAFE|EIA|EM|ERCOT|EUR|FOB|GC|HSC|HSFO|ICE|IG|IN|IR|ISO|ISONE|JCPL|LA|LLC|MISO|MSCI|NE|NEPOOL|NI|NYISO|OPIS|PECO|PEPCO|PSEG|RBOB|REC|RGGI|SOFR|SOL|SRECS|SUI|TETCO|ULSD|US|USD|USGC|UST|VIX|WTI)$/;
const SMALL = new Set(['OF', 'AND', 'FOR', 'VS']);

/** [contract, market]; the market is null if the name has none. */
export function partsOf(name) {
  const [, contract, market] = /^(.*) - (.*)$/s.exec(name.trim()) ?? [null, name, null];
  return [PLAIN[contract.trim()] ?? worded(contract.trim()), market === null ? null : worded(market.trim())];
}

/** `CORN - CHICAGO BOARD OF TRADE` → `Corn, Chicago Board of Trade`. A word that the publisher writes with small letters stays. */
export function contractName(name) {
  const [contract, market] = partsOf(name);
  return market === null ? contract : `${contract}, ${market}`;
}

/** The name of any entity, in plain words if it is a contract. */
export const entityName = ({ entityType, name }) => (entityType === 'futures_contract' ? contractName(name) : name);

const worded = (text) => text.replaceAll(/\S+/g, wordOf);

function wordOf(word) {
  if (/[a-z0-9]/.test(word)) return word.replaceAll(/(?<![\w.])[A-Z]+(?=-)|(?<=-)[A-Z]+(?![\w.])/g, partOf);
  if (SMALL.has(word)) return word.toLowerCase();
  return word.replaceAll(/[A-Z]+(?:\.[A-Z]+)*/g, partOf);
}

const partOf = (part) =>
  part.includes('.') || ABBREVIATION.test(part) || !/[AEIOUY]/.test(part) ? part : part[0] + part.slice(1).toLowerCase();
