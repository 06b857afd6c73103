// The invented companies: two that are listed and have long histories, of which one reaches back over ten years and one has split its shares, one that has ceased to report, and
// seventeen to compare them with. Their numbers lie outside those that EDGAR has given out, their tickers are nobody's.
export interface Company {
  readonly cik: string;
  readonly name: string;
  readonly ticker: string;
  readonly exchange: string;
  readonly sic: string;
  readonly sicDescription: string;
  /** Dollars, around which the price moves. */
  readonly price: number;
  readonly shares: number;
  /** Dollars of revenue a year in 2020. */
  readonly revenue: number;
  readonly growth: number;
  /** Parts of revenue. */
  readonly grossMargin: number;
  readonly operatingMargin: number;
  readonly isListed: boolean;
  /** State or country of EDGAR's own list. */
  readonly state: string;
  readonly lastQuarter?: string;
  /** Last month of the first reported quarter, if it is not that of the others. */
  readonly firstQuarter?: string;
  /** From this day on it has a close a week, until the daily ones begin. */
  readonly weeklyFrom?: string;
  readonly split?: { readonly day: string; readonly ratio: number };
  /** Only the newest reports and prices. */
  readonly isRecent?: boolean;
}

/** Millions of shares and of dollars of revenue, the yearly growth of it, gross and operating margin. */
type Compared = readonly [
  name: string,
  ticker: string,
  industry: string,
  price: number,
  shares: number,
  revenue: number,
  growth: number,
  gross: number,
  operating: number,
];

// By divisions of the SIC: with the first three there are six makers and five services, enough to rank within them, and three each of
// transport, communications and utilities, of retail trade, and of finance.
// biome-ignore format: one line each
const COMPARED: readonly Compared[] = [
  ['Sample Pharma Inc', 'ZZTPH', '2834 Pharmaceutical Preparations', 176, 520, 21_000, 0.06, 0.68, 0.26],
  ['Sample Semiconductors Corp', 'ZZTSC', '3674 Semiconductors & Related Devices', 262, 610, 15_500, 0.13, 0.58, 0.29],
  ['Sample Foods Co', 'ZZTFD', '2000 Food and Kindred Products', 78, 390, 18_000, 0.02, 0.33, 0.13],
  ['Sample Chemicals Corp', 'ZZTCH', '2820 Plastic Material, Synth Resin/Rubber, Cellulos (No Glass)', 71, 240, 14_200, 0.01, 0.24, 0.09],
  ['Sample Data Services Inc', 'ZZTDS', '7374 Services-Computer Processing & Data Preparation', 83, 330, 7_900, 0.09, 0.52, 0.19],
  ['Sample Staffing Inc', 'ZZTST', '7363 Services-Help Supply Services', 42, 95, 5_600, 0.03, 0.21, 0.06],
  ['Sample Hospitals Corp', 'ZZTHO', '8062 Services-General Medical & Surgical Hospitals, Nec', 127, 180, 19_500, 0.05, 0.38, 0.12],
  ['Sample Hotels Inc', 'ZZTHT', '7011 Services-Hotels & Motels', 65, 210, 6_300, 0.04, 0.44, 0.17],
  ['Sample Electric Co', 'ZZTEL', '4911 Electric Services', 58, 440, 11_800, 0.025, 0.47, 0.22],
  ['Sample Railroad Corp', 'ZZTRR', '4011 Railroads, Line-Haul Operating', 188, 160, 9_700, 0.03, 0.51, 0.35],
  ['Sample Telecom Inc', 'ZZTTC', '4813 Telephone Communications (No Radiotelephone)', 38, 980, 24_500, 0.005, 0.55, 0.18],
  ['Sample Grocers Inc', 'ZZTGR', '5411 Retail-Grocery Stores', 49, 350, 31_000, 0.03, 0.24, 0.04],
  ['Sample Stores Inc', 'ZZTSR', '5331 Retail-Variety Stores', 112, 280, 27_500, 0.04, 0.29, 0.07],
  ['Sample Restaurants Inc', 'ZZTRE', '5812 Retail-Eating Places', 91, 150, 5_200, 0.07, 0.36, 0.16],
  ['Sample Insurance Group Inc', 'ZZTIN', '6331 Fire, Marine & Casualty Insurance', 134, 220, 22_000, 0.05, 0.3, 0.14],
  ['Sample Realty Trust', 'ZZTRT', '6798 Real Estate Investment Trusts', 77, 190, 3_100, 0.06, 0.64, 0.33],
  ['Sample Brokerage Inc', 'ZZTBK', '6211 Security Brokers, Dealers & Flotation Companies', 163, 260, 8_400, 0.08, 0.71, 0.31],
];

// Far enough from the numbers above that a mistyped one of those is not nearest to one of these.
const compared = COMPARED.map(
  ([name, ticker, industry, price, shares, revenue, growth, grossMargin, operatingMargin], index): Company => ({
    cik: String(9_999_999_771 + index),
    name,
    ticker,
    exchange: index % 3 === 0 ? 'Nasdaq' : 'NYSE',
    sic: industry.slice(0, 4),
    sicDescription: industry.slice(5),
    price,
    shares: shares * 1e6,
    revenue: revenue * 1e6,
    growth,
    grossMargin,
    operatingMargin,
    isListed: true,
    state: 'DE',
    isRecent: true,
  }),
);

export const COMPANIES: readonly Company[] = [
  {
    cik: '9999999001',
    name: 'Sample Manufacturing Co',
    ticker: 'ZZSMA',
    exchange: 'NYSE',
    sic: '3560',
    sicDescription: 'General Industrial Machinery & Equipment',
    price: 62,
    shares: 410_000_000,
    revenue: 12_000_000_000,
    growth: 0.04,
    grossMargin: 0.36,
    operatingMargin: 0.15,
    isListed: true,
    state: 'DE',
    firstQuarter: '2015-03',
    weeklyFrom: '2016-03-02',
  },
  {
    cik: '9999999002',
    name: 'Sample Software Inc',
    ticker: 'ZZSMB',
    exchange: 'Nasdaq',
    sic: '7372',
    sicDescription: 'Services-Prepackaged Software',
    price: 118,
    shares: 155_000_000,
    revenue: 2_400_000_000,
    growth: 0.11,
    grossMargin: 0.71,
    operatingMargin: 0.22,
    isListed: true,
    state: 'DE',
    split: { day: '2021-06-15', ratio: 2 },
  },
  {
    cik: '9999999003',
    name: 'Sample Holdings Plc',
    ticker: '',
    exchange: '',
    sic: '3560',
    sicDescription: 'General Industrial Machinery & Equipment',
    price: 0,
    shares: 80_000_000,
    revenue: 900_000_000,
    growth: 0.01,
    grossMargin: 0.28,
    operatingMargin: 0.09,
    isListed: false,
    state: 'X0',
    lastQuarter: '2020-09',
  },
  ...compared,
];
