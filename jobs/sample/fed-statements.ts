// Statements of the Federal Open Market Committee: invented text, in the form in which the Board's pages are kept.
import { dayNumber, toDay } from '../../src/model/period.ts';
import { SAMPLE_FOLDER, type SampleFile, yesterdayOf } from './days.ts';

const STATEMENTS = 3;
/** The first of 2020. */
const EARLY_STATEMENTS = 2;
const NOTICE = 'SAMPLE TEXT, generated, not real: no statement of this wording was ever released.';

// biome-ignore format: one paragraph each
const ASSESSMENTS: readonly string[] = [
  'Invented indicators suggest that economic activity has expanded at a solid pace. Job gains have remained strong, and the unemployment rate has remained low. Inflation has moved up and remains elevated.',
  'Invented indicators suggest that economic activity has expanded at a moderate pace. Job gains have slowed, and the unemployment rate has moved up. Inflation has eased but remains somewhat elevated.',
  'Invented indicators suggest that growth of economic activity has slowed. Job gains have been weak, and the unemployment rate has risen. Inflation has declined further and stands close to 2 percent.',
];
const DECISIONS: readonly string[] = [
  'In support of its goals, the Committee decided to raise the target range for the federal funds rate by 1/4 percentage point. The Committee anticipates that some additional policy firming may be appropriate.',
  'In support of its goals, the Committee decided to maintain the target range for the federal funds rate. The Committee will carefully assess incoming data, the evolving outlook, and the balance of risks.',
  'In light of the shift in the balance of risks, the Committee decided to lower the target range for the federal funds rate by 1/4 percentage point. The Committee is prepared to provide further accommodation.',
];

// Every sixth Wednesday from here on.
export const FIRST_MEETING = dayNumber('2020-01-01');
const INTERVAL = 42;

export function* fedStatementsFiles(now: number): Generator<SampleFile> {
  const newest = Math.floor((dayNumber(yesterdayOf(now)) - FIRST_MEETING) / INTERVAL);
  const numbers = Array.from({ length: newest + 1 }, (_, meeting) => meeting);
  for (const meeting of numbers.filter((number) => number < EARLY_STATEMENTS || number > newest - STATEMENTS)) {
    const day = toDay(FIRST_MEETING + meeting * INTERVAL);
    yield {
      path: `${SAMPLE_FOLDER}central-bank-text/fed/statements/${day.replaceAll('-', '')}.json`,
      body: JSON.stringify(page(day, meeting), null, 2),
    };
  }
}

function page(day: string, meeting: number) {
  const date = new Date(`${day}T18:00:00Z`);
  const written = new Intl.DateTimeFormat('en-US', { month: 'long', day: '2-digit', year: 'numeric', timeZone: 'UTC' }).format(date);
  const zone = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', timeZoneName: 'short' })
    .formatToParts(date)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const text = [
    'Home\nNews & Events\nPress Releases\nPress Release',
    written,
    'Federal Reserve issues FOMC statement',
    `For release at 2:00 p.m. ${zone}`,
    'Share',
    NOTICE,
    ASSESSMENTS[meeting % ASSESSMENTS.length],
    'The Committee seeks to achieve maximum employment and inflation at the rate of 2 percent over the longer run.',
    DECISIONS[meeting % DECISIONS.length],
    'Voting for the monetary policy action were A. Sample, Chair; B. Sample, Vice Chair; and C. Sample.',
    `Implementation Note issued ${written}`,
    `Last Update:\n            ${written}`,
  ];
  return {
    bank_id: 'fed',
    doc_type: 'statement',
    meeting_date: day,
    published_date: day,
    title: 'Federal Reserve Board - Federal Reserve issues FOMC statement (SAMPLE, generated, not real)',
    source_url: `https://sample.invalid/monetary${day.replaceAll('-', '')}a.htm`,
    scraped_at: `${day}T20:52:25.428962+00:00`,
    language: 'en',
    content_type: 'html',
    text: text.join('\n'),
  };
}
