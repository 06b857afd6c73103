// Messages of SDMX-ML 2.1 in all their shapes: written out by hand here, and the samples of the folder of real payloads where it is there.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSdmxMl, type SdmxReading, seriesKeyOf, withoutClock } from '../../src/sources/readers/sdmx-ml.ts';

const ROOT = process.env['REAL_DATA_DIR'] ?? '../shared/real-data';
const read = (text: string): SdmxReading[] => [...readSdmxMl('x', new TextEncoder().encode(text))];
const lineOf = (reading: SdmxReading, ...dimensions: readonly string[]) =>
  `${seriesKeyOf('x', reading, dimensions)} ${reading.period} ${reading.value}`;

const NAMES = ['message', 'common', 'generic', 'ss'].map((name) => ` xmlns:${name}="urn:${name}"`).join('');
const header = (at: string, more = '') =>
  `<message:Header><message:ID>I</message:ID><message:Test>false</message:Test><message:Prepared>2031-01-01T00:00:00Z</message:Prepared>` +
  `<message:Structure structureID="S1" dimensionAtObservation="${at}"><common:Structure><Ref agencyID="XX" id="RATES" version="1.0"/>` +
  `</common:Structure></message:Structure>${more}</message:Header>`;
const message = (root: string, at: string, dataSet: string, more = '') =>
  `<?xml version="1.0"?><message:${root}${NAMES}>${header(at, more)}${dataSet}</message:${root}>`;
const value = (id: string, code: string) => `<generic:Value id="${id}" value="${code}"/>`;
const generic = (...observations: readonly string[]) =>
  `<message:DataSet structureRef="S1"><generic:Series><generic:SeriesKey>${value('FREQ', 'M')}${value('AREA', 'SE')}</generic:SeriesKey>` +
  `<generic:Attributes>${value('UNIT', 'PC')}</generic:Attributes>${observations.join('')}</generic:Series></message:DataSet>`;
const observation = (period: string, stated: string | null) =>
  `<generic:Obs><generic:ObsDimension value="${period}"/>${stated === null ? '' : `<generic:ObsValue value="${stated}"/>`}</generic:Obs>`;

const SERIES = message('GenericData', 'TIME_PERIOD', generic(observation('2031-01', '1.5'), observation('2031-02', '-2')));
const SHAPES: readonly (readonly [string, string])[] = [
  ['a generic time series', SERIES],
  [
    'generic and flat',
    message(
      'GenericData',
      'AllDimensions',
      `<message:DataSet structureRef="S1">${[
        ['2031-01', '1.5'],
        ['2031-02', '-2'],
      ]
        .map(
          ([period, stated]) =>
            `<generic:Obs><generic:ObsKey>${value('FREQ', 'M')}${value('TIME_PERIOD', period ?? '')}${value('AREA', 'SE')}</generic:ObsKey>` +
            `<generic:ObsValue value="${stated}"/><generic:Attributes>${value('UNIT', 'PC')}</generic:Attributes></generic:Obs>`,
        )
        .join('')}</message:DataSet>`,
    ),
  ],
  [
    'a generic cross-section',
    message(
      'GenericData',
      'AREA',
      `<message:DataSet structureRef="S1">${[
        ['2031-01', '1.5'],
        ['2031-02', '-2'],
      ]
        .map(
          ([period, stated]) =>
            `<generic:Series><generic:SeriesKey>${value('FREQ', 'M')}${value('TIME_PERIOD', period ?? '')}</generic:SeriesKey><generic:Obs>` +
            `<generic:ObsDimension value="SE"/><generic:ObsValue value="${stated}"/>` +
            `<generic:Attributes>${value('UNIT', 'PC')}</generic:Attributes></generic:Obs></generic:Series>`,
        )
        .join('')}</message:DataSet>`,
    ),
  ],
  [
    'a structure-specific time series',
    message(
      'StructureSpecificData',
      'TIME_PERIOD',
      '<message:DataSet ss:structureRef="S1" ss:dataScope="DataStructure" UNIT="PC"><Series FREQ="M" AREA="SE">' +
        '<Obs TIME_PERIOD="2031-01" OBS_VALUE="1.5"/><Obs TIME_PERIOD="2031-02" OBS_VALUE="-2"/></Series></message:DataSet>',
    ),
  ],
  [
    'structure-specific and flat',
    message(
      'StructureSpecificData',
      'AllDimensions',
      '<message:DataSet ss:structureRef="S1"><Obs FREQ="M" AREA="SE" UNIT="PC" TIME_PERIOD="2031-01" OBS_VALUE="1.5"/>' +
        '<Obs FREQ="M" AREA="SE" UNIT="PC" TIME_PERIOD="2031-02" OBS_VALUE="-2"/></message:DataSet>',
    ),
  ],
];

describe('an SDMX-ML message', () => {
  it.each(SHAPES)('has the rows of %s', (_shape, text) => {
    const readings = read(text);
    expect(readings.map((reading) => lineOf(reading, 'FREQ', 'AREA', 'UNIT'))).toEqual(['M.SE.PC 2031-01 1.5', 'M.SE.PC 2031-02 -2']);
    expect(new Set(readings.map(({ structure }) => structure))).toEqual(new Set(['RATES']));
    expect(readings.map(({ isRetraction }) => isRetraction)).toEqual([false, false]);
  });

  it('has no number if a value is absent or marked as missing', () => {
    const marks = [null, '', 'NaN', '.', '-', ':'];
    const text = message('GenericData', 'TIME_PERIOD', generic(...marks.map((mark, index) => observation(`2031-0${index + 1}`, mark))));
    expect(read(text).map((reading) => reading.value)).toEqual(marks.map(() => null));
  });

  it('does not carry attributes of one series or observation over to the next', () => {
    const text = message(
      'StructureSpecificData',
      'TIME_PERIOD',
      '<message:DataSet ss:structureRef="S1"><Series AREA="SE" UNIT="PC"><Obs TIME_PERIOD="2031" OBS_VALUE="1" STATUS="E"/><Obs TIME_PERIOD="2032"/></Series>' +
        '<Series AREA="NO"><Obs TIME_PERIOD="2031" OBS_VALUE="2"/></Series></message:DataSet>',
    );
    expect(read(text).map(({ components, value: stated }) => [Object.fromEntries(components), stated])).toEqual([
      [{ AREA: 'SE', UNIT: 'PC', STATUS: 'E' }, 1],
      [{ AREA: 'SE', UNIT: 'PC' }, null],
      [{ AREA: 'NO' }, 2],
    ]);
  });

  it('ignores attributes of groups of series', () => {
    const text = message(
      'StructureSpecificData',
      'TIME_PERIOD',
      '<message:DataSet ss:structureRef="S1"><Group AREA="NO" UNIT="PC"/><Series AREA="SE"><Obs TIME_PERIOD="2031" OBS_VALUE="1"/></Series></message:DataSet>',
    );
    expect(read(text).map(({ components }) => Object.fromEntries(components))).toEqual([{ AREA: 'SE' }]);
  });

  it('withdraws deleted values by the action of the data set or of the message, and states none', () => {
    const deleted = SERIES.replace('structureRef="S1"><generic:Series', 'action="Delete" structureRef="S1"><generic:Series');
    const ofAll = SERIES.replace('</message:Header>', '<message:DataSetAction>Delete</message:DataSetAction></message:Header>');
    for (const text of [deleted, ofAll])
      expect(read(text).map((reading) => [reading.period, reading.value, reading.isRetraction])).toEqual([
        ['2031-01', null, true],
        ['2031-02', null, true],
      ]);
  });

  it.each([
    ['cut', SERIES.slice(0, -30), 'malformed or truncated'],
    ['of a structure', '<Structure/>', 'expected an SDMX data message'],
    ['a page', '<html><body>Not here</body></html>', 'expected an SDMX data message'],
    [
      'with a document type',
      SERIES.replace('<message:GenericData', '<!DOCTYPE x [<!ENTITY a "1">]><message:GenericData'),
      'a document type',
    ],
    ['a test', SERIES.replace('<message:Test>false', '<message:Test>true'), 'a test'],
    ['with a word for a number', SERIES.replace('"1.5"', '"1,5"'), 'expected a number for "2031-01", found "1,5"'],
    ['without periods', SERIES.replace(' value="2031-01"', ''), 'expected TIME_PERIOD'],
    ['without data', message('GenericData', 'TIME_PERIOD', ''), 'has no data set'],
    [
      'that deletes a whole series',
      message('GenericData', 'TIME_PERIOD', generic()).replace('<message:DataSet ', '<message:DataSet action="Delete" '),
      'takes back a series',
    ],
    [
      'of an error',
      `<mes:Error xmlns:mes="urn:m" xmlns:com="urn:c"><mes:ErrorMessage code="100"><com:Text>No Results Found</com:Text></mes:ErrorMessage></mes:Error>`,
      'the message says error 100: "No Results Found"',
    ],
    [
      'with a footer of an error behind data',
      SERIES.replace(
        '</message:GenericData>',
        '<f:Footer xmlns:f="urn:f"><f:Message code="510" severity="Error"/></f:Footer></message:GenericData>',
      ),
      'the message says error 510',
    ],
  ])('is refused: %s', (_what, text, problem) => {
    expect(() => read(text)).toThrow(problem);
  });

  it('names its components if one is missing', () => {
    expect(() => read(SERIES).map((reading) => lineOf(reading, 'REF_AREA'))).toThrow(
      'expected the component REF_AREA, found "FREQ, AREA, UNIT"',
    );
  });

  it('is the same message whatever its time of preparation', () => {
    const at = (time: string) =>
      SERIES.replace('2031-01-01T00:00:00Z', time).replace(
        'structureRef="S1"><generic:S',
        `validFromDate="${time}" structureRef="S1"><generic:S`,
      );
    const same = (text: string) => withoutClock(new TextEncoder().encode(text));
    expect(same(at('2031-01-02T00:00:00Z'))).toBe(same(at('2031-01-03T00:00:00Z')));
    expect(same(SERIES)).not.toBe(same(SERIES.replace('1.5', '1.6')));
  });
});

const sample = (file: string) => [...readSdmxMl('x', readFileSync(join(ROOT, 'sdmx', file)))];

describe.skipIf(!existsSync(join(ROOT, 'sdmx')))('the samples of statistical offices', () => {
  // Read off the file of the flat shape.
  const MONTHS = {
    CHF: [1.3413, 1.3089, 1.3452],
    GBP: [0.82363, 0.83987, 0.87637],
    JPY: [110.04, 110.26, 113.67],
    USD: [1.2894, 1.3067, 1.3898],
  };

  it.each(['ng-flat', 'ng-ts', 'ng-ts-ss', 'ng-xs'])('of the ECB have the same three months in the shape %s', (shape) => {
    const readings = sample(`ecb/exr-sample.${shape}.xml`);
    expect(
      readings
        .map((one) => lineOf(one, 'FREQ', 'CURRENCY', 'CURRENCY_DENOM', 'EXR_TYPE', 'EXR_VAR', 'UNIT_MEASURE', 'UNIT_MULT'))
        .toSorted(),
    ).toEqual(
      Object.entries(MONTHS).flatMap(([currency, values]) =>
        values.map((rate, index) => `M.${currency}.EUR.SP00.E.${currency}.0 2010-${['08', '09', '10'][index]} ${rate}`),
      ),
    );
  });

  it('of Eurostat have no number if it is marked as missing', () => {
    expect(sample('estat/cdh_e_fos.generic-2.1.xml').map((one) => lineOf(one, 'UNIT', 'Y_GRAD', 'FOS07', 'GEO', 'FREQ'))).toEqual([
      'PC.TOTAL.FOS1.BE.A 2009 null',
      'PC.TOTAL.FOS1.BE.A 2006 null',
      'PC.Y_GE1990.FOS1.BE.A 2009 43.75',
      'PC.Y_GE1990.FOS1.BE.A 2006 null',
    ]);
    expect(sample('estat/NAMA_10_GDP.structure-specific.xml').map((one) => lineOf(one, 'freq', 'unit', 'na_item', 'geo'))).toEqual([
      'A.CP_MEUR.B1GQ.LU 2012 46526.2',
      'A.CP_MEUR.B1GQ.LU 2013 49094.5',
      'A.CP_MEUR.B1GQ.LU 2014 51791.3',
      'A.CP_MEUR.B1GQ.LU 2015 54142.3',
    ]);
  });

  it('of Eurostat that promise a later answer are no data', () => {
    expect(() => sample('estat/footer-too-large.xml')).toThrow(
      'the answer is too large to be given at once (413): "Due to the large query',
    );
  });

  it('of the IMF have their areas and indicators', () => {
    expect(sample('imf/PCPS.structure-specific.xml').map((one) => lineOf(one, 'FREQ', 'REF_AREA', 'COMMODITY', 'UNIT_MEASURE'))).toEqual([
      'M.W00.PZINC.USD 2021-01 2705.345',
    ]);
    expect(sample('imf/WEO.structure-specific.xml').map((one) => lineOf(one, 'COUNTRY', 'INDICATOR', 'FREQUENCY'))).toEqual([
      'SVK.NGDP_R.A 2018 94669000000',
    ]);
  });

  it.each(['ecb/EXR.structure.xml', 'estat/GOV_10Q_GGNFA.dataflow.xml', 'ecb/exr-sample.ts.json'])(
    'without data are refused: %s',
    (file) => {
      expect(() => sample(file)).toThrow(/expected an SDMX data message|malformed/);
    },
  );
});
