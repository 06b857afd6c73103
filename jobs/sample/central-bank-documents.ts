// Documents of the ECB, the Bank of England, the RBA, the Riksbank and the Bank of Canada: invented text, in the forms in which they are kept.
import { addDays, dayNumber, toDay } from '../../src/model/period.ts';
import { SAMPLE_FOLDER, type SampleFile, yesterdayOf } from './days.ts';

const MEETINGS = 3;
const NOTICE = 'SAMPLE TEXT, generated, not real: no text of this wording was ever released.';
// Every sixth Wednesday from here on; minutes follow within fifteen days.
export const FIRST_MEETING = dayNumber('2020-01-15');
const INTERVAL = 42;
const DAYS_UNTIL_ALL_IS_OUT = 15;

// biome-ignore format: one paragraph each
const ASSESSMENTS: readonly string[] = [
  'Invented surveys point to strong demand. Inflation has risen and inflationary pressures remain strong. The labour market is tight.',
  'Invented surveys point to moderate growth. Inflation is close to the target. The labour market has changed little.',
  'Invented surveys point to weak demand. Inflation has fallen and price pressures are easing. Unemployment has risen.',
];

export function* centralBankDocumentsFiles(now: number): Generator<SampleFile> {
  const newest = Math.floor((dayNumber(yesterdayOf(now)) - DAYS_UNTIL_ALL_IS_OUT - FIRST_MEETING) / INTERVAL);
  const meetings = Array.from({ length: MEETINGS }, (_, index) => newest - MEETINGS + 1 + index);
  for (const meeting of meetings) {
    const day = toDay(FIRST_MEETING + meeting * INTERVAL);
    for (const [path, content] of [...ecbPages(day, meeting), boePage(day, meeting), rbaPage(day, meeting)]) {
      yield { path: `${SAMPLE_FOLDER}central-bank-text/${path}`, body: JSON.stringify(content, null, 2) };
    }
  }
  const newestFirst = meetings.toReversed().map((meeting) => [toDay(FIRST_MEETING + meeting * INTERVAL), meeting] as const);
  yield { path: `${SAMPLE_FOLDER}central-bank-text/communications_riksbank.csv`, body: table(newestFirst.flatMap(riksbankRows)) };
  yield { path: `${SAMPLE_FOLDER}central-bank-text/communications_boc.csv`, body: table(newestFirst.map(bocRow)) };
}

const compact = (day: string): string => day.replaceAll('-', '');
const assessment = (meeting: number): string => ASSESSMENTS[meeting % ASSESSMENTS.length] ?? '';

function written(day: string): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}

type Page = readonly [path: string, page: object];

function page(bank: string, type: string, day: string, title: string, lines: readonly string[]): object {
  return {
    bank_id: bank,
    doc_type: type,
    meeting_date: day,
    published_date: day,
    title: `${title} (SAMPLE, generated, not real)`,
    source_url: `https://sample.invalid/${bank}/${type}/${compact(day)}.html`,
    scraped_at: `${day}T20:52:25.428962+00:00`,
    language: 'en',
    content_type: 'html',
    text: lines.join('\n'),
  };
}

function ecbPages(day: string, meeting: number): readonly Page[] {
  const decision = ['PRESS RELEASE', 'Monetary policy decisions', written(day), NOTICE, assessment(meeting)];
  const conference = 'The President of the ECB will comment on these decisions at a press conference starting at 14:45 CET today.';
  const statement = ['MONETARY POLICY STATEMENT', 'PRESS CONFERENCE', `A. Sample, President of the ECB,Frankfurt am Main, ${written(day)}`];
  const questions = ['We are now ready to take your questions.', '* * *', 'An invented question.', 'Related topics', 'Sample'];
  return [
    [
      `ecb/decisions/${compact(day)}.json`,
      page('ecb', 'decision', day, 'Monetary policy decisions', [...decision, conference, 'CONTACT', 'Sample']),
    ],
    [
      `ecb/statements/${compact(day)}.json`,
      page('ecb', 'statement', day, 'Monetary policy statement', [...statement, NOTICE, assessment(meeting), ...questions]),
    ],
  ];
}

function boePage(day: string, meeting: number): Page {
  const first = `${addDays(day, 1).slice(0, 7)}-01`;
  return [
    `boe/minutes/${compact(first)}.json`,
    page('boe', 'minutes', first, 'Bank Rate', [
      'Monetary Policy Summary',
      NOTICE,
      assessment(meeting),
      `Minutes of the Monetary Policy Committee meeting ending on ${written(day)}`,
      `1: ${NOTICE} ${assessment(meeting)}`,
    ]),
  ];
}

function rbaPage(day: string, meeting: number): Page {
  const [year, month, date] = day.split('-');
  return [
    `rba/minutes/${date}${month}${year}.json`,
    page('rba', 'minutes', `${date}${month}-${year?.slice(0, 2)}-${year?.slice(2)}`, 'Minutes of the Monetary Policy Meeting', [
      'Minutes of the Monetary Policy Meeting',
      `Sydney – ${written(day)}`,
      NOTICE,
      assessment(meeting),
    ]),
  ];
}

type Cells = readonly [date: string, released: string, type: string, text: string];

function riksbankRows([day, meeting]: readonly [string, number]): readonly Cells[] {
  const [decided, published] = [addDays(day, 1), addDays(day, 8)];
  const decision = `DATE: ${written(day)}\nPolicy rate decision\n(notified on ${written(decided)} at 9.30 am)\n${NOTICE}\n${assessment(meeting)}`;
  return [
    [published, '', 'minutes', `DATE: ${written(day)}\n${NOTICE}\n${assessment(meeting)}`],
    [decided, '', 'statement', decision],
  ];
}

function bocRow([day, meeting]: readonly [string, number]): Cells {
  const next = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${addDays(day, INTERVAL)}T00:00:00Z`),
  );
  const note = `Information note\nThe next scheduled date for announcing the overnight rate target is ${next}.`;
  return [day, day, 'statement', `${NOTICE}\n${assessment(meeting)}\n${note}`];
}

function table(rows: readonly Cells[]): string {
  const lines = rows.map(([date, released, type, text]) => `${date},${released},${type},"${text.replaceAll('"', '""')}"`);
  return ['Date,Release Date,Type,Text', ...lines, ''].join('\n');
}
