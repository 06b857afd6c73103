// Swiss National Bank: without a first day it sends only the last few.
import { wholeFilesFeed } from '../feeds/whole-files.ts';

export const SNB_CODES: readonly string[] = ['LZ', 'SARON'];
export const SNB_ADDRESS = `https://data.snb.ch/api/cube/snbgwdzid/data/json/en?dimSel=D0(${SNB_CODES.join(',')})&fromDate=2000-01-01`;
export const snbFeed = wholeFilesFeed('snb', [{ key: 'snb/snbgwdzid.json', url: SNB_ADDRESS }]);
