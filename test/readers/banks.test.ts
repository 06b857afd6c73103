// Documents of central banks: which day, which hour, which kind, and what belongs to the text. By hand, on invented pages.
import { describe, expect, it } from 'vitest';
import { LATER, refusalOf, tell } from './read.ts';

const BANKS = 'central-bank-text';
const documentsOf = async (id: string, key: string, body: string | object, retrievedAt?: string) =>
  (await tell(id, `${BANKS}/${key}`, body, retrievedAt)).of('documents');

// --- Federal Reserve

const fedPage = (type: 'statement' | 'minutes', day: string, text: string) => ({
  bank_id: 'fed',
  doc_type: type,
  meeting_date: day,
  title: 'Federal Reserve Board - Federal Reserve issues FOMC statement',
  source_url: `https://www.federalreserve.gov/${day}`,
  language: 'en',
  text,
});
const inWords = (day: string) =>
  `${new Date(day).toLocaleString('en-US', { month: 'long', timeZone: 'UTC' })} ${day.slice(8)}, ${day.slice(0, 4)}`;
async function fedStatement(
  day: string,
  release = 'For immediate release',
  body = 'Voting for the action were: A. Example.',
  retrievedAt = LATER,
) {
  const text = `Home\n${inWords(day)}\nA heading\n${release}\nShare\n${body}\nLast Update: ${inWords(day)}`;
  const [document] = await documentsOf(
    'fed_statements',
    `fed/statements/${day.replaceAll('-', '')}.json`,
    fedPage('statement', day, text),
    retrievedAt,
  );
  return document;
}

describe('a statement of the Federal Reserve', () => {
  it.each([
    ['2024-01-31', 'For release at 2:00 p.m. EST', '2024-01-31T19:00:00.000Z'],
    ['2024-06-12', 'For release at 2:00 p.m. EDT', '2024-06-12T18:00:00.000Z'],
    // The clock of New York, whichever abbreviation the page uses.
    ['2024-06-12', 'For release at 2:00 p.m. EST', '2024-06-12T18:00:00.000Z'],
    ['2020-03-03', 'For release at 10:00 a.m. EST', '2020-03-03T15:00:00.000Z'],
    ['2020-03-23', 'For release at 8:05 a.m. EDT', '2020-03-23T12:05:00.000Z'],
    ['2020-03-24', 'For release at 12:30 p.m. EDT', '2020-03-24T16:30:00.000Z'],
    ['2020-03-25', 'For release at 12:15 a.m. EDT', '2020-03-25T04:15:00.000Z'],
    // 14:00 without being said, from the first scheduled statement at that hour to the end of 2015.
    ['2013-03-19', 'For immediate release', '2013-03-19T23:59:59.999Z'],
    ['2013-03-20', 'For immediate release', '2013-03-20T18:00:00.000Z'],
    ['2015-12-16', 'For immediate release', '2015-12-16T19:00:00.000Z'],
    ['2015-12-31', 'For immediate release', '2015-12-31T19:00:00.000Z'],
    ['2016-01-01', 'For immediate release', '2016-01-01T23:59:59.999Z'],
    ['2014-01-29', 'For release at 9:00 a.m. EST', '2014-01-29T14:00:00.000Z'],
  ])('of %s, "%s", is known at %s', async (day, release, observedAt) => {
    const document = await fedStatement(day, release);
    expect([document?.observedAt, document?.releasedAt, document?.eventDate]).toEqual([observedAt, observedAt, day]);
  });

  it('without an hour, retrieved on its day, is known from the retrieval', async () => {
    expect((await fedStatement('2011-08-09', 'For immediate release', 'Voting for it: A.', '2011-08-09T20:00:00.000Z'))?.observedAt).toBe(
      '2011-08-09T20:00:00.000Z',
    );
  });

  it.each([
    ['Voting for the monetary policy action were', 'policy_statement'],
    ['Voting (by notation) for the action were', 'policy_statement'],
    ['Voting in favor of the policy were', 'policy_statement'],
    ['The Committee is voting for it', 'other'],
    ['The target for the federal funds rate is not its subject', 'other'],
    ['Voting against the action was', 'other'],
  ])('with "%s" is a %s', async (body, documentType) => {
    const document = await fedStatement('2019-10-11', 'For immediate release', body);
    expect([document?.documentType, document?.documentId]).toEqual([documentType, `doc_fed_${documentType}_20191011`]);
    expect([document?.title, document?.text, document?.url]).toEqual([
      'Federal Reserve issues FOMC statement',
      body,
      'https://www.federalreserve.gov/2019-10-11',
    ]);
  });

  it.each([
    ['20020318', 'The federal funds rate stays.', 'policy_statement'],
    ['20020319', 'The federal funds rate stays.', 'other'],
    ['19940204', 'Pressure on reserve positions was increased.', 'policy_statement'],
    ['19940205', 'It will show in reserve\nmarkets.', 'policy_statement'],
    ['19940206', 'The discount rate was raised.', 'policy_statement'],
    ['19940207', 'The stance of monetary policy was discussed.', 'policy_statement'],
    ['19940208', 'The weather was discussed.', 'other'],
  ])('in plain text of %s, "%s", is a %s', async (day, text, documentType) => {
    const [document] = await documentsOf('fed_statements', `fed/statements_1994_2016_txt/${day}.txt`, `${text}\n`);
    expect(document).toMatchObject({
      documentType,
      title: documentType === 'other' ? 'Federal Reserve press release' : 'FOMC statement',
      url: null,
      language: 'en',
      text: text.replace('\n', ' '),
      observedAt: `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T23:59:59.999Z`,
    });
  });

  it('in plain text keeps its paragraphs and bullets, not its lines', async () => {
    const [document] = await documentsOf(
      'fed_statements',
      'fed/statements_1994_2016_txt/20070618.txt',
      'One\r\ntwo.\r\n\r\n  Three\u00a0four.\n* Five\n  six.\n',
    );
    expect(document?.text).toBe('One two.\nThree four.\n* Five six.');
    // The Committee met on the 27th and 28th.
    expect([document?.eventDate, document?.documentId]).toEqual(['2007-06-28', 'doc_fed_other_20070628']);
  });

  it('whose bytes were decoded as Latin-1 is decoded again', async () => {
    const document = await fedStatement(
      '2011-01-26',
      'For immediate release',
      'Voting for it: 1â\u0080\u00901/4 per cent, Â§ 2, ð\u009f\u0092µ, café.',
    );
    expect(document?.text).toBe('Voting for it: 1‐1/4 per cent, § 2, 💵, café.');
  });

  it.each([
    ['2024-01-31', '2024-02-21T19:00:00.000Z'],
    // Between meeting and minutes the clocks went forward, then back.
    ['2024-03-01', '2024-03-22T18:00:00.000Z'],
    ['2023-10-20', '2023-11-10T19:00:00.000Z'],
    ['2024-02-10', '2024-03-02T19:00:00.000Z'],
  ])('has minutes three weeks after the %s, at %s', async (day, observedAt) => {
    const meeting = `${inWords(day).split(' ')[0]} ${Number(day.slice(8)) - 1}–${Number(day.slice(8))}, ${day.slice(0, 4)}`;
    const text = `Home\nMinutes of the Federal Open Market Committee\n${meeting}\nThey met.\nBack to Top\nLast Update:`;
    const [document] = await documentsOf('fed_statements', `fed/minutes/${day.replaceAll('-', '')}.json`, fedPage('minutes', day, text));
    expect(document).toMatchObject({
      documentType: 'minutes',
      documentId: `doc_fed_minutes_${day.replaceAll('-', '')}`,
      title: `Minutes of the Federal Open Market Committee, ${meeting}`,
      text: `${meeting}\nThey met.`,
      eventDate: day,
      observedAt,
      releasedAt: observedAt,
    });
  });
});

describe('minutes of the Federal Reserve', () => {
  const minutes = (said: string) =>
    tell(
      'fed_statements',
      `${BANKS}/fed/minutes/20240131.json`,
      fedPage(
        'minutes',
        '2024-01-31',
        `Home\nMinutes of the Federal Open Market Committee\nJanuary 30–31, 2024\n${said}\nBack to Top\nLast Update:`,
      ),
    );
  const agreed = (when: string) => `It was agreed that the next meeting of the Committee would be held on ${when}. It adjourned.`;

  it.each([
    ['two days of a month', 'Tuesday–Wednesday, March 19–20, 2024', '2024-03-20'],
    ['days of two months', 'Tuesday-Wednesday, April 30-May 1, 2024', '2024-05-01'],
    ['the last days of a year', 'Monday‑Tuesday, December 30‑31, 2024', '2024-12-31'],
    ['one day', 'Wednesday, March 20, 2024', '2024-03-20'],
  ])('announce the last day of the next meeting on %s when they appear', async (_, when, day) => {
    const { of } = await minutes(agreed(when));
    expect(of('schedules')).toEqual([
      {
        scheduleId: `next_meeting|${day}`,
        releaseCode: 'next_meeting',
        title: null,
        scheduledAt: `${day}T00:00:00.000Z`,
        timePrecision: 'date_only',
        timezone: 'America/New_York',
        status: 'scheduled',
        period: null,
        url: 'https://www.federalreserve.gov/2024-01-31',
        observedAt: '2024-02-21T19:00:00.000Z',
      },
    ]);
    expect([of('documents').length, of('refused')]).toEqual([1, []]);
  });

  it.each([
    ['a weekday that the day is not', 'Tuesday–Wednesday, March 20–21, 2024'],
    ['a day that is not in the calendar', 'Tuesday–Wednesday, February 29–30, 2024'],
    ['a day that is not after the meeting', 'Tuesday–Wednesday, January 30–31, 2024'],
    ['other words', 'a day to be announced'],
  ])('that name the next meeting by %s are kept, with a warning', async (_, when) => {
    const { of } = await minutes(agreed(when));
    expect([of('documents').length, of('schedules')]).toEqual([1, []]);
    expect(of('refused')).toEqual([
      expect.objectContaining({ rule: 'schema_drift', entityId: 'cb_fed', fieldPath: 'text', observedValue: when }),
    ]);
  });

  it('without a next meeting announce none', async () => {
    const { of } = await minutes('They met. The Committee looked forward to its next meeting.');
    expect([of('documents').length, of('schedules'), of('refused')]).toEqual([1, [], []]);
  });
});

// --- The banks whose pages share a form

const page = (bank: string, type: string, title: string, text: string) => ({
  bank_id: bank,
  doc_type: type,
  title,
  source_url: `https://${bank}.example/page`,
  language: 'en',
  text,
});

describe('a document of the European Central Bank', () => {
  const decision = (day: string, hour: string) =>
    documentsOf(
      'ecb_documents',
      `ecb/decisions/${day.replaceAll('-', '')}.json`,
      page(
        'ecb',
        'decision',
        'Monetary policy decisions',
        `PRESS RELEASE\nMonetary policy decisions\n${Number(day.slice(8))} ${inWords(day).split(' ')[0]} ${day.slice(0, 4)}\nThe rate stays. A press conference starting at ${hour} CET today.\nRelated topics\nMoney`,
      ),
    );

  it.each([
    ['2022-06-09', '14:30', '2022-06-09T11:45:00.000Z'],
    ['2019-01-24', '14:30', '2019-01-24T12:45:00.000Z'],
    ['2022-07-21', '14:45', '2022-07-21T12:15:00.000Z'],
    ['2024-01-25', '14:45', '2024-01-25T13:15:00.000Z'],
    ['2024-01-25', '15:00', '2024-01-25T23:59:59.999Z'],
  ])('decided on %s, with an explanation announced for %s, is known at %s', async (day, hour, observedAt) => {
    const [document] = await decision(day, hour);
    expect(document).toMatchObject({
      documentType: 'policy_decision',
      documentId: `doc_ecb_policy_decision_${day.replaceAll('-', '')}`,
      text: `The rate stays. A press conference starting at ${hour} CET today.`,
      eventDate: day,
      observedAt,
      releasedAt: observedAt,
    });
  });

  it('read aloud is the text between the heading and the questions', async () => {
    const text =
      '7 March 2030\nJump to the transcript of the questions and answers\nGood afternoon.\nWe decided.\n* * *\nQuestion: why?\n* * *';
    const [document] = await documentsOf('ecb_documents', 'ecb/statements/20300307.json', page('ecb', 'statement', 'Statement', text));
    expect([document?.documentType, document?.text, document?.observedAt]).toEqual([
      'policy_statement',
      'Good afternoon.\nWe decided.',
      '2030-03-07T23:59:59.999Z',
    ]);
  });

  it.each([
    ['Meeting of 11-12 December 2024', '20250116', '2024-12-12'],
    ['Meeting of 30–31 December 2024', '20250116', '2024-12-31'],
    ['Meeting of 16 January 2025', '20250116', '2025-01-16'],
  ])('on the %s, published as %s, is about %s', async (title, file, eventDate) => {
    const [document] = await documentsOf(
      'ecb_documents',
      `ecb/accounts/${file}.json`,
      page('ecb', 'account', title, `${title}\n16 January 2025\nThey met.\nCONTACT\nA`),
    );
    expect(document).toMatchObject({
      documentType: 'minutes',
      eventDate,
      text: `${title}\n16 January 2025\nThey met.`,
      observedAt: '2025-01-16T23:59:59.999Z',
    });
  });

  it.each(['Meeting of 17 January 2025', 'Meeting of some days'])('on a meeting that is not earlier is refused: %s', async (title) => {
    const body = page('ecb', 'account', title, `${title}\n16 January 2025\nThey met.\nCONTACT\nA`);
    expect(await refusalOf('ecb_documents', `${BANKS}/ecb/accounts/20250116.json`, body)).toContain('days of a meeting');
  });

  it('whose day is only far down the page is refused', async () => {
    const far = (count: number) => page('ecb', 'statement', 'Statement', `${'x'.repeat(count)}\n7 March 2030\nWe decided.\n* * *\n`);
    expect(await refusalOf('ecb_documents', `${BANKS}/ecb/statements/20300307.json`, far(580))).toBeNull();
    expect(await refusalOf('ecb_documents', `${BANKS}/ecb/statements/20300307.json`, far(601))).toContain('expected a page of 2030-03-07');
  });
});

describe('a page of the Bank of England', () => {
  const read = (key: string, ended: string, more = '', retrievedAt?: string) =>
    documentsOf(
      'boe_documents',
      `boe/minutes/${key}.json`,
      page(
        'boe',
        'minutes',
        'Bank  Rate',
        `Summary.\nMinutes of the Monetary Policy Committee meeting ending on ${ended}\n1: They met.${more}`,
      ),
      retrievedAt,
    );

  it.each([
    ['20240301', '20 March 2024', '2024-03-20', '2024-03-21T12:00:00.000Z', '20240321'],
    ['20240501', '8 May 2024', '2024-05-08', '2024-05-09T11:00:00.000Z', '20240509'],
    // The meeting ends with the month; its page is of the next.
    ['20240201', '31 January 2024', '2024-01-31', '2024-02-01T12:00:00.000Z', '20240201'],
  ])(
    'with the title %s is a summary and minutes of the meeting that ended on %s, known at noon of the next day',
    async (key, ended, eventDate, observedAt, named) => {
      const documents = await read(key, ended);
      expect(documents.map(({ documentId, documentType, title, text }) => [documentId, documentType, title, text])).toEqual([
        [`doc_boe_policy_statement_${named}`, 'policy_statement', 'Bank Rate', 'Summary.'],
        [`doc_boe_minutes_${named}`, 'minutes', `Minutes of the Monetary Policy Committee meeting ending on ${ended}`, '1: They met.'],
      ]);
      for (const document of documents) expect(document).toMatchObject({ eventDate, observedAt, releasedAt: observedAt });
    },
  );

  it.each([
    ['once', '\nCorrection made on 24 March 2024. It was: x.\nClose', undefined, '2024-03-24T23:59:59.999Z'],
    [
      'twice, out of order',
      '\nCorrection made on 2 April 2024. x\nCorrection made on 24 March 2024. x',
      undefined,
      '2024-04-02T23:59:59.999Z',
    ],
    ['on the day of the retrieval', '\nCorrection made on 24 March 2024. x', '2024-03-24T15:00:00.000Z', '2024-03-24T15:00:00.000Z'],
    ['before its release', '\nCorrection made on 20 March 2024. x', undefined, '2024-03-21T12:00:00.000Z'],
    ['in the middle of a line alone', '\nSee: Correction made on 24 March 2024.', undefined, '2024-03-21T12:00:00.000Z'],
  ])('corrected %s is known in its present wording from then', async (how, more, retrievedAt, observedAt) => {
    const documents = await read('20240301', '20 March 2024', more, retrievedAt);
    expect(documents.map((document) => [document.observedAt, document.releasedAt])).toEqual([
      [observedAt, '2024-03-21T12:00:00.000Z'],
      [observedAt, '2024-03-21T12:00:00.000Z'],
    ]);
    expect(documents[1]?.text).toBe(how.startsWith('in') ? `1: They met.${more}` : '1: They met.');
  });
});

describe('minutes of the Reserve Bank of Australia', () => {
  it.each([
    ['03042012', 'Melbourne – 3 April 2012', '2012-04-03', '2012-04-17T23:59:59.999Z', 'Melbourne, 3 April 2012'],
    ['18022020', 'Sydney - 18 February 2020', '2020-02-18', '2020-03-03T23:59:59.999Z', 'Sydney, 18 February 2020'],
  ])('in %s are known two weeks after the meeting', async (key, heading, eventDate, observedAt, named) => {
    const [document] = await documentsOf(
      'rba_documents',
      `rba/minutes/${key}.json`,
      page('rba', 'minutes', 'Minutes', `Minutes\n${heading}\nThey met.\nRelated Information\nMedia Release`),
    );
    expect(document).toMatchObject({ eventDate, observedAt, releasedAt: observedAt, title: `Minutes, ${named}`, text: 'They met.' });
    expect(document?.documentId).toBe(`doc_rba_minutes_${eventDate.replaceAll('-', '')}`);
  });
});

describe('a text of the Riksbank', () => {
  const read = async (type: string, day: string, text: string, retrievedAt?: string) =>
    (
      await documentsOf(
        'riksbank_documents',
        'communications_riksbank.csv',
        `Date,Release Date,Type,Text\n${day},,${type},"${text}"\n`,
        retrievedAt,
      )
    )[0];

  it.each([
    ['notified on 19 March 2026 at 9.30 am', '2026-03-19T08:30:00.000Z'],
    ['notified on 19 March 2026 at 09:05', '2026-03-19T08:05:00.000Z'],
    ['notified on 18 March 2026 at 9.30 am', '2026-03-19T23:59:59.999Z'],
    ['notified on 19 March 2026 at 2.30 pm', '2026-03-19T23:59:59.999Z'],
    ['This decision will be published at 09.30 on 19 March 2026', '2026-03-19T08:30:00.000Z'],
    ['This decision will be published at 09.30 on 20 March 2026', '2026-03-19T23:59:59.999Z'],
    ['This decision will be published at 8.00 on 19 March 2026 (notified on 19 March 2026 at 9.30 am)', '2026-03-19T08:30:00.000Z'],
    ['This decision was published', '2026-03-19T23:59:59.999Z'],
  ])('on a decision with "%s" is known at %s', async (words, observedAt) => {
    const document = await read('statement', '2026-03-19', `DATE: 18 March 2026\n${words}.`);
    expect(document).toMatchObject({
      documentType: 'policy_statement',
      documentId: 'doc_riksbank_policy_statement_20260319',
      title: 'Policy rate decision of 18 March 2026',
      eventDate: '2026-03-18',
      observedAt,
      releasedAt: observedAt,
      text: `DATE: 18 March 2026 ${words}.`,
    });
  });

  it.each([
    ['an error', '2026-03-20T23:59:59.999Z'],
    ['an evident error', '2026-03-20T23:59:59.999Z'],
    ['a typing error', '2026-03-20T23:59:59.999Z'],
  ])('with %s corrected is known from the correction', async (what, observedAt) => {
    const document = await read(
      'statement',
      '2026-03-19',
      `On 20 March 2026, ${what} was corrected. meeting on 18 March 2026 (notified on 19 March 2026 at 9.30 am)`,
    );
    expect([document?.releasedAt, document?.observedAt]).toEqual(['2026-03-19T08:30:00.000Z', observedAt]);
  });

  it('of minutes is known at the end of its day; in summer a decision is an hour earlier', async () => {
    expect(await read('minutes', '2026-03-25', 'DATE: 18 March 2026\n(notified on 25 March 2026 at 9.30 am)')).toMatchObject({
      documentType: 'minutes',
      title: 'Minutes of the monetary policy meeting of 18 March 2026',
      observedAt: '2026-03-25T23:59:59.999Z',
    });
    expect((await read('statement', '2026-06-17', 'DATE: 17 June 2026\n(notified on 17 June 2026 at 9.30 am)'))?.observedAt).toBe(
      '2026-06-17T07:30:00.000Z',
    );
  });

  it('loses the frame of its pages, and nothing else', async () => {
    const frame =
      'Postal address: SE-103 37 Stockholm, Visiting address: Brunkebergstorg 11\nTelephone: +46-(0)8-787 00 00, Website: riksbank.se';
    const document = await read('minutes', '2026-03-25', `DATE: 18 March 2026\nOne\n 3 (21)\ntwo\n4 [21]\nthree 5 (21)\n${frame}\nfour`);
    expect(document?.text).toBe('DATE: 18 March 2026 One two three 5 (21) four');
  });
});

describe('a press release of the Bank of Canada', () => {
  it('is known at the end of the day of its release, which may differ from its date', async () => {
    const csv = 'Date,Release Date,Type,Text\n2025-12-10,2025-12-11,statement,"One\ntwo, ""three""."\n2025-10-29,,statement,Four.\n';
    const documents = await documentsOf('boc_documents', 'communications_boc.csv', csv);
    expect(
      documents.map(({ documentId, eventDate, observedAt, releasedAt, text }) => [documentId, eventDate, observedAt, releasedAt, text]),
    ).toEqual([
      ['doc_boc_policy_statement_20251210', '2025-12-10', '2025-12-11T23:59:59.999Z', '2025-12-11T23:59:59.999Z', 'One two, "three".'],
      ['doc_boc_policy_statement_20251029', '2025-10-29', '2025-10-29T23:59:59.999Z', '2025-10-29T23:59:59.999Z', 'Four.'],
    ]);
    expect(documents[0]).toMatchObject({ entityId: 'cb_boc', documentType: 'policy_statement', language: 'en', url: null });
  });
});

describe('a press release of the Bank of Canada with the next date', () => {
  const read = (when: string) =>
    tell(
      'boc_documents',
      `${BANKS}/communications_boc.csv`,
      `Date,Release Date,Type,Text\n2026-04-29,2026-04-29,statement,"The next scheduled date for announcing the overnight rate target is ${when}. More."\n`,
    );

  it('announces it at the end of its own day', async () => {
    expect((await read('June 10, 2026')).of('schedules')).toEqual([
      expect.objectContaining({
        scheduleId: 'next_meeting|2026-06-10',
        scheduledAt: '2026-06-10T00:00:00.000Z',
        timePrecision: 'date_only',
        timezone: 'America/Toronto',
        observedAt: '2026-04-29T23:59:59.999Z',
      }),
    ]);
  });

  it.each(['10 June 2026', 'June 31, 2026', 'April 29, 2026'])('as %s is kept, with a warning', async (when) => {
    const { of } = await read(when);
    expect([of('documents').length, of('schedules')]).toEqual([1, []]);
    expect(of('refused')).toEqual([expect.objectContaining({ rule: 'schema_drift', observedValue: when })]);
  });
});

describe('a line of a page', () => {
  const textOf = async (text: string) =>
    (
      await documentsOf(
        'ecb_documents',
        'ecb/statements/20300307.json',
        page('ecb', 'statement', 'Statement', `7 March 2030\n${text}\n* * *`),
      )
    )[0]?.text.slice('7 March 2030\n'.length);

  it.each([
    ['goes on in lower case', 'The key\ninterest rates', 'The key interest rates'],
    ['goes on in brackets', 'The programme\n(PEPP) ends.', 'The programme (PEPP) ends.'],
    ['goes on with a comma', 'The programme\n, which ends.', 'The programme, which ends.'],
    ['goes on with a full stop', 'The programme\n. It ends.', 'The programme. It ends.'],
    ['ends in an article', 'It is the\nGoverning Council', 'It is the Governing Council'],
    ['ends in a preposition', 'It lies with\nEurosystem banks', 'It lies with Eurosystem banks'],
    ['ends in a comma', 'Rates, yields,\nSpreads', 'Rates, yields, Spreads'],
    ['is whole', 'It ends.\nanother begins.', 'It ends.\nanother begins.'],
    ['is a heading', 'Conclusion\nThe Council decided.', 'Conclusion\nThe Council decided.'],
    ['was wrapped in the source of the page', 'It has \n\t\t\tA Capital', 'It has A Capital'],
    ['has blanks of other widths', 'one\u00a0two\u202fthree  four', 'one two three four'],
    ['has marks that are not seen', 'one\u00adtwo\u200bthree\ufefffour', 'onetwothreefour'],
    ['has a letter in two parts', 'cafe\u0301', 'café'],
    ['ends as on other systems', 'One.\r\nTwo.', 'One.\nTwo.'],
  ])('that %s is joined or kept', async (_, text, expected) => {
    expect(await textOf(text)).toBe(expected);
  });
});
