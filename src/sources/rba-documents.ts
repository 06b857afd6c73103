// Reserve Bank of Australia: minutes of the Board's meetings. The fields hold mangled dates (`0104-20-14`): the file is named DDMMYYYY after
// the meeting, and the page's second line repeats that day.
import { addDays, isDay } from '../model/period.ts';
import { dayOfText, readCentralBankPage } from './readers/central-bank-page.ts';
import { excerpt } from './readers/text.ts';
import type { Batch, DocumentRecord } from '../model/record.ts';
import { knownOn, type Payload, type Source, UpstreamError } from './source.ts';

const ID = 'rba_documents';
const FILE = /(?:^|\/)central-bank-text\/rba\/minutes\/(\d{2})(\d{2})(\d{4})\.json$/;
// Minutes appear two weeks after the meeting; the page does not say at which hour.
const DAYS_UNTIL_MINUTES = 14;

export const rbaDocuments: Source = {
  id: ID,
  version: 1,
  owns: (path) => FILE.test(path),
  address: (path) => {
    const [, date = '', month = '', year = ''] = FILE.exec(path) ?? [];
    return `https://www.rba.gov.au/monetary-policy/rba-board-minutes/${year}/${date}${month}${year}.html`;
  },
  mediaType: 'application/json',
  normalise: function* (payload): Generator<Batch> {
    yield { kind: 'documents', rows: [readMinutes(payload)] };
  },
};

function readMinutes({ key, body, retrievedAt }: Payload): DocumentRecord {
  const [, date, month, year] = FILE.exec(key) ?? [];
  const day = `${year}-${month}-${date}`;
  if (!isDay(day)) throw new UpstreamError(ID, `${key} does not name the day of the meeting, DDMMYYYY`);
  const page = readCentralBankPage(ID, body, { bank: 'rba', type: 'minutes' });
  const [, heading = '', ...rest] = page.text.split('\n');
  const [place, written = ''] = heading.split(/ [–-] /);
  if (dayOfText(written) !== day) throw new UpstreamError(ID, `expected minutes of the meeting of ${day}, found ${excerpt(heading)}`);
  const observedAt = knownOn(addDays(day, DAYS_UNTIL_MINUTES), retrievedAt);
  return {
    documentId: `doc_rba_minutes_${day.replaceAll('-', '')}`,
    entityId: 'cb_rba',
    documentType: 'minutes',
    title: `${page.title}, ${place}, ${written}`,
    text:
      rest
        .join('\n')
        .split(/\nRelated Information(?:\n|$)/)[0]
        ?.trim() ?? '',
    url: page.url,
    language: page.language,
    eventDate: day,
    releasedAt: observedAt,
    observedAt,
  };
}
