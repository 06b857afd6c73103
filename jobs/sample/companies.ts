// The invented companies: two that are listed, of which one has split its shares, and one that has ceased to report. Their numbers lie outside
// those that EDGAR has given out, their tickers are nobody's.
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
  readonly split?: { readonly day: string; readonly ratio: number };
}

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
];
